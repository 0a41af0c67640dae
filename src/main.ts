// The front door: the process as a command sees it, its arguments in, its exit code out.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { standardCost } from './auth/passwords/password-hash.ts'
import { runCommand } from './cli/main.ts'
import type { World } from './server/environment.ts'
import { environment } from './config/read-config.ts'

// Databases, keys and links are for the server's own user.
process.umask(0o077)

const world: World = {
  environment,
  cwd: process.cwd(),
  // From `src/` in a clone and from `dist/` in the package alike.
  appFolder: join(import.meta.dirname, '../web/dist'),
  input: process.stdin,
  print: (text) => void process.stdout.write(text),
  tell: (text) => void process.stderr.write(text),
  isWatched: process.stderr.isTTY,
  clock: () => Date.now() * 1000,
  random: randomBytes,
  hashCost: standardCost,
  onStop: (listener) => {
    process.once('SIGTERM', listener)
    process.once('SIGINT', listener)
  },
  onReload: (listener) => {
    // At a terminal SIGHUP says that it was closed, and the server ends with it.
    if (!process.stdin.isTTY) process.on('SIGHUP', listener)
  },
}

// A reader that has seen enough (`dagsverk routes | head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runCommand(process.argv.slice(2), world)
