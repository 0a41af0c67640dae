// Listening on ports, with errors that name the setting.
import { startMetricsServer, type MetricsServer } from '../http/metrics-server.ts'
import { configurationError } from '../lib/operator-error.ts'
import { variableName, type SettingName } from '../config/settings.ts'

/** Throws an `OperatorError` (78) that names the setting. */
export async function withPortErrors<T>(
  listening: Promise<T>,
  { host, port, setting }: { host: string; port: number; setting: SettingName },
): Promise<T> {
  try {
    return await listening
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EADDRINUSE')
      throw configurationError(`Port ${port} of ${host} is in use. Set another one with ${variableName(setting)}.`)
    if (addressErrors.has(code))
      throw configurationError(
        `${host} is not an address of this machine. Set another one with ${variableName('host')}.`,
      )
    throw error
  }
}

const addressErrors = new Set<unknown>(['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN'])

export function listenForMetrics(port: number, text: () => Promise<string>): Promise<MetricsServer> {
  return withPortErrors(startMetricsServer(port, text), { host: '127.0.0.1', port, setting: 'metricsPort' })
}
