// A server in the process of a test program, which can then count its objects and its heap.
import { randomBytes } from 'node:crypto'
import { defaultHashCost } from '../../src/auth/passwords/password-hash.ts'
import { runCommand } from '../../src/cli/main.ts'

/** Runs `dagsverk serve` with the environment of the process. */
export async function startServerInProcess(): Promise<{
  readonly address: string
  readonly stop: () => Promise<unknown>
}> {
  const listening = Promise.withResolvers<string>()
  const stopping = Promise.withResolvers<void>()
  const ended = runCommand(['serve'], {
    environment: process.env,
    cwd: process.cwd(),
    program: '',
    appFolder: '',
    input: (async function* () {})(),
    print: () => undefined,
    // The request log is written, and dropped.
    printLog: () => undefined,
    printMessage: (text) => {
      const address = / serves on (?<address>http:\S+)\n/.exec(text)?.groups?.['address']
      if (address !== undefined) listening.resolve(address)
    },
    clock: () => Date.now() * 1000,
    monotonicMs: () => performance.now(),
    random: randomBytes,
    hashCost: defaultHashCost,
    onStop: (listener) => void stopping.promise.then(listener),
    onReload: () => undefined,
  })
  void ended.then((code) => listening.reject(new Error(`the server ended with ${code}`)))
  const address = await listening.promise
  return {
    address,
    stop: () => {
      stopping.resolve()
      return ended
    },
  }
}
