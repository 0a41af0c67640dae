// `dagsverk health`: checks whether the server is ready, for supervisors and containers.
import type { Command } from '@commander-js/extra-typings'
import { readCommandConfiguration, withSettings } from '../../server/config-options.ts'
import type { Runtime } from '../../server/environment.ts'
import { exitCodes, messageOf, OperatorError, usageError } from '../../lib/operator-error.ts'
import { parsePublicUrl } from '../../config/parsers.ts'
import type { Config } from '../../config/settings.ts'

export function addHealthCommand(program: Command, runtime: Runtime): void {
  const command = program
    .command('health')
    .description('check whether the server is ready; exit code 69 if not')
    .option('--url <address>', 'base URL of the server (default: the configured host and port)')
    .option('--json', 'print the response body')
    .addHelpText('after', examples)
    .action(async (flags, called) => {
      const url =
        flags.url === undefined ? localUrl(readCommandConfiguration(called, runtime).config) : parseUrlFlag(flags.url)
      const { isReady, body } = await fetchReadiness(`${url}/readyz`)
      if (flags.json) runtime.print(`${body}\n`)
      else if (isReady) runtime.print('ready\n')
      if (!isReady) throw new OperatorError(`${url} is not ready.`, exitCodes.unavailable)
    })
  withSettings(command, ['dataDir', 'host', 'port'])
}

/** The error does not repeat the URL, because it may contain a password. */
function parseUrlFlag(text: string): string {
  try {
    return parsePublicUrl(text)
  } catch (error) {
    throw usageError(`--url: ${messageOf(error)}, without user and password.`)
  }
}

async function fetchReadiness(address: string): Promise<{ isReady: boolean; body: string }> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
    return { isReady: response.ok, body: await response.text() }
  } catch (error) {
    throw new OperatorError(`${address} does not respond.`, exitCodes.unavailable, error)
  }
}

const timeoutMs = 5_000

/** A server that listens on all addresses is reachable on loopback. */
function localUrl({ host, port }: Config): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

const examples = `
Examples:
  dagsverk health
  dagsverk health --url https://tall.example.no
`
