// The same server with one commit per write, for comparison with group commit. Configured by the environment.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { defaultHashCost } from '../src/auth/passwords/password-hash.ts'
import { runServer } from '../src/server/run-server.ts'
import type { StopReason } from '../src/server/with-store.ts'
import type { Runtime } from '../src/server/environment.ts'
import { environment, readConfiguration } from '../src/config/read-config.ts'

const runtime: Runtime = {
  environment,
  cwd: process.cwd(),
  program: '',
  appFolder: join(import.meta.dirname, '../web/dist'),
  input: process.stdin,
  print: (text) => void process.stdout.write(text),
  printLog: (lines) => void process.stdout.write(lines),
  printMessage: (text) => void process.stderr.write(text),
  clock: () => Date.now() * 1000,
  monotonicMs: () => performance.now(),
  random: randomBytes,
  hashCost: defaultHashCost,
  onReload: () => undefined,
  onStop: (listener) => {
    process.once('SIGTERM', listener)
    process.once('SIGINT', listener)
  },
}

const end = Promise.withResolvers<StopReason>()
runtime.onStop(() => end.resolve('requested'))
const { config } = readConfiguration({ flags: {}, environment, cwd: runtime.cwd })
const served = {
  config,
  hashCost: defaultHashCost,
  api: {},
  storage: { isGrouping: false },
  onListening: async () => {},
}
await runServer(served, runtime, end)
