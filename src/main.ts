// Entry point: creates the runtime of the process and runs a command.
import { execFile } from 'node:child_process'
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { fstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { defaultHashCost } from './auth/passwords/password-hash.ts'
import { runCommand } from './cli/main.ts'
import type { Runtime } from './server/environment.ts'
import { dropUnread } from './http/log.ts'
import { nameSourcesInStackTraces } from './server/stack-traces.ts'
import { environment } from './config/read-config.ts'
import { exitCodes, messageOf, OperatorError } from './lib/operator-error.ts'

nameSourcesInStackTraces()

// After long lists V8 would allocate objects of short requests in the old generation, with all that they refer to (ADR 0013).
setFlagsFromString('--no-allocation-site-pretenuring')

// New files are accessible only to the user of the server.
process.umask(0o077)

/** Node's streams too write to files and devices synchronously, but make a buffer of each text, and a full disk closes them for good. */
function writerTo(output: NodeJS.WriteStream & { readonly fd: number }): (text: string) => void {
  const stats = fstatSync(output.fd)
  const isSynchronous = stats.isFile() || (stats.isCharacterDevice() && !output.isTTY)
  return (text) => void (isSynchronous ? writeFileSync(output.fd, text) : output.write(text))
}

const writeData = writerTo(process.stdout)
const writeMessage = writerTo(process.stderr)
const writeLog = dropUnread(process.stdout, writeData, writeMessage)
let hasLogged = false

const runtime: Runtime = {
  environment,
  cwd: process.cwd(),
  // Both paths are valid from `src/` in a clone and from `dist/` in the package.
  program: join(import.meta.dirname, '../src/dagsverk.js'),
  appFolder: join(import.meta.dirname, '../web/dist'),
  input: process.stdin,
  print: (text) => {
    try {
      writeData(text)
    } catch (error) {
      throw new OperatorError(`Standard output cannot be written: ${messageOf(error)}`, exitCodes.storage, error)
    }
  },
  printLog: (lines) => {
    hasLogged = true
    writeLog(lines)
  },
  printMessage: (text) => {
    try {
      writeMessage(text)
    } catch {
      // There is nowhere to report it.
    }
  },
  isInteractive: process.stderr.isTTY,
  clock: () => Date.now() * 1000,
  monotonicMs: () => performance.now(),
  random: randomBytes,
  hashCost: defaultHashCost,
  onStop: (listener) => {
    process.once('SIGTERM', listener)
    process.once('SIGINT', listener)
  },
  onInterrupt: (cleanUp) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, function end() {
        cleanUp()
        // Without a listener, it ends the process; until here, a second signal does not.
        process.off(signal, end)
        process.kill(process.pid, signal)
      })
  },
  reportReady: () => {
    // Node has no sockets of the kind that systemd reads. A failure is reported by systemd, which goes on waiting.
    if (environment['NOTIFY_SOCKET'] !== undefined) execFile('systemd-notify', ['--ready'], () => {})
  },
  onReload: (listener) => {
    // At a terminal SIGHUP means that the terminal was closed, and ends the server.
    if (!process.stdin.isTTY) process.on('SIGHUP', listener)
  },
}

// It is no error that nobody reads any more: a pipe (`dagsverk routes | head`), or the terminal of a server in the background.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
})
process.stderr.on('error', () => {})

// Without it, Node prints the line of the error too, and a bundle is one line.
process.on('uncaughtException', (error) => {
  runtime.printMessage(`dagsverk: ${error.stack}\n`)
  process.exit(1)
})

process.exitCode = await runCommand(process.argv.slice(2), runtime)

// A server must end even if nobody reads its last log lines, and a worker, which is replaced then, whatever keeps its event loop alive.
const lastLogLinesMs = 1000
if (cluster.isWorker || hasLogged) setTimeout(() => process.exit(), lastLogLinesMs).unref()
