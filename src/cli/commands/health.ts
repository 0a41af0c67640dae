// `dagsverk health`: whether the server answers and is ready, for supervisors and containers.
import type { Command } from 'commander'
import { configOf, withSettings } from '../../server/config-options.ts'
import type { World } from '../../server/environment.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import type { Config } from '../../config/settings.ts'

export function addHealthCommand(program: Command, world: World): void {
  const command = program
    .command('health')
    .description('say whether the server is ready; exit code 69 when it is not')
    .option('--url <address>', 'of the server (default: the configured host and port)')
    .option('--json', 'print what the server answers')
    .addHelpText('after', examples)
    .action(async (flags: { url?: string; json?: boolean }, called: Command) => {
      const url = flags.url ?? localUrl(configOf(called, world))
      const { isReady, body } = await ask(`${url.replace(/\/+$/, '')}/readyz`)
      if (flags.json) world.print(`${body}\n`)
      else if (isReady) world.print('ready\n')
      if (!isReady) throw new OperatorError(`${url} is not ready.`, exitCodes.unavailable)
    })
  withSettings(command, ['dataDir', 'host', 'port'])
}

async function ask(address: string): Promise<{ isReady: boolean; body: string }> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    return { isReady: answer.ok, body: await answer.text() }
  } catch (error) {
    throw new OperatorError(`${address} does not answer.`, exitCodes.unavailable, error)
  }
}

const timeoutMs = 5_000

/** A server that listens on every address answers on loopback too. */
function localUrl({ host, port }: Config): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const examples = `
Examples:
  dagsverk health
  dagsverk health --url https://tall.example.no
`
