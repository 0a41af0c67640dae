// Entry point: creates the runtime of the process and runs a command.
import { execFile } from 'node:child_process'
import cluster from 'node:cluster'
import { randomBytes } from 'node:crypto'
import { fstatSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { defaultHashCost } from './auth/passwords/password-hash.ts'
import { runCommand } from './cli/main.ts'
import type { Runtime } from './server/environment.ts'
import { nameSourcesInStackTraces } from './server/stack-traces.ts'
import { environment } from './config/read-config.ts'

nameSourcesInStackTraces()

// New files are accessible only to the user of the server.
process.umask(0o077)

const isPrintedToFile = fstatSync(process.stdout.fd).isFile()

const runtime: Runtime = {
  environment,
  cwd: process.cwd(),
  // Both paths are valid from `src/` in a clone and from `dist/` in the package.
  program: join(import.meta.dirname, '../src/dagsverk.js'),
  appFolder: join(import.meta.dirname, '../web/dist'),
  input: process.stdin,
  print: (text) => {
    // Node's stream also writes to a file synchronously, but makes a buffer of each text: 2 % of a point read with its log line.
    if (isPrintedToFile) writeSync(process.stdout.fd, text)
    else process.stdout.write(text)
  },
  printMessage: (text) => void process.stderr.write(text),
  isInteractive: process.stderr.isTTY,
  clock: () => Date.now() * 1000,
  monotonicMs: () => performance.now(),
  random: randomBytes,
  hashCost: defaultHashCost,
  onStop: (listener) => {
    process.once('SIGTERM', listener)
    process.once('SIGINT', listener)
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

// A closed pipe (`dagsverk routes | head`) is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

// Without it, Node prints the line of the error too, and a bundle is one line.
process.on('uncaughtException', (error) => {
  runtime.printMessage(`dagsverk: ${error.stack}\n`)
  process.exit(1)
})

process.exitCode = await runCommand(process.argv.slice(2), runtime)

// A worker must end, so that it is replaced, even if something keeps its event loop alive.
const lastLogLinesMs = 1000
if (cluster.isWorker) setTimeout(() => process.exit(), lastLogLinesMs).unref()
