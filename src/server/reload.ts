// Configuration reload on SIGHUP: applies the settings that need no restart.
import type { HttpServer } from '../http/server.ts'
import type { Configuration } from '../config/read-config.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { settings, displayValue, type Config, type SettingName } from '../config/settings.ts'

/** Settings that are read at each use, so that a new value applies to the next request. */
const changeable: ReadonlySet<SettingName> = new Set([
  'allowedHosts',
  'trustProxy',
  'allowHttp',
  'rateLimit',
  'logLevel',
  'queryCredentials',
])

/**
 * Returns the new configuration. An invalid one changes nothing. Logs errors, changed settings, and settings that need a
 * restart. Secrets are masked.
 */
export function reloadConfig(
  before: Config,
  readAgain: () => Configuration,
  log: HttpServer['log'],
): Config {
  try {
    const { config: after } = readAgain()
    const changed = namesChanged(before, after)
    const now = changed.filter((name) => changeable.has(name))
    for (const name of now)
      log.warn(
        { setting: name, before: displayValue(name, before), after: displayValue(name, after) },
        'setting changed',
      )
    for (const name of changed.filter((one) => !changeable.has(one)))
      log.warn({ setting: name }, 'setting needs a restart to change')
    if (changed.length === 0) log.warn('configuration reloaded without changes')
    return { ...before, ...Object.fromEntries(now.map((name) => [name, after[name]])) }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    log.error({ problem: error.message }, 'invalid configuration, keeping the previous one')
    return before
  }
}

const names = Object.keys(settings).filter((name): name is SettingName => name in settings)

function namesChanged(before: Config, after: Config): SettingName[] {
  return names.filter((name) => valueOf(name, before) !== valueOf(name, after))
}

/** Secrets are compared by value, everything else by its displayed text. */
function valueOf(name: SettingName, config: Config): string {
  return name === 'masterKey' ||
    name === 'databaseUrl' ||
    name === 'smtpUrl' ||
    name === 'oidcClientSecret'
    ? config[name]
    : displayValue(name, config)
}
