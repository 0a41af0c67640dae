// The same server with one commit per write, for comparison with group commit. Configured by the environment.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { standardCost } from '../src/auth/passwords/password-hash.ts'
import { runServer, type Reason } from '../src/server/run-server.ts'
import type { World } from '../src/server/environment.ts'
import { environment, readConfiguration } from '../src/config/read-config.ts'

const world: World = {
  environment,
  cwd: process.cwd(),
  appFolder: join(import.meta.dirname, '../web/dist'),
  input: process.stdin,
  print: (text) => void process.stdout.write(text),
  tell: (text) => void process.stderr.write(text),
  clock: () => Date.now() * 1000,
  random: randomBytes,
  hashCost: standardCost,
  onReload: () => undefined,
  onStop: (listener) => {
    process.once('SIGTERM', listener)
    process.once('SIGINT', listener)
  },
}

const end = Promise.withResolvers<Reason>()
world.onStop(() => end.resolve('asked'))
const { config } = readConfiguration({ flags: {}, environment, cwd: world.cwd })
const served = {
  config,
  hashCost: standardCost,
  api: {},
  storage: { isGrouping: false },
  welcome: async () => {},
}
await runServer(served, world, end)
