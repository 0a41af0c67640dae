// What SIGHUP does: the configuration is read again, and what can change without a restart changes.
import type { HttpServer } from '../http/server.ts'
import type { Configuration } from '../config/read-config.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { settings, shown, type Config, type SettingName } from '../config/settings.ts'

/** What is asked for at each use, so that a new value holds with the next request. */
const changeable: ReadonlySet<SettingName> = new Set([
  'allowedHosts',
  'trustProxy',
  'allowHttp',
  'rateLimit',
  'logLevel',
  'queryCredentials',
])

/**
 * The configuration from now on. A bad one changes nothing, and is told; so is every setting that changed, and every
 * one that only a restart can change. Secrets are never shown.
 */
export function reloaded(
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
        { setting: name, before: shown(name, before), after: shown(name, after) },
        'a setting was changed',
      )
    for (const name of changed.filter((one) => !changeable.has(one)))
      log.warn({ setting: name }, 'a setting changes with the next start')
    if (changed.length === 0) log.warn('the configuration was read again: nothing has changed')
    return { ...before, ...Object.fromEntries(now.map((name) => [name, after[name]])) }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    log.error({ problem: error.message }, 'the configuration cannot be used, the old one stays')
    return before
  }
}

const names = Object.keys(settings).filter((name): name is SettingName => name in settings)

function namesChanged(before: Config, after: Config): SettingName[] {
  return names.filter((name) => valueOf(name, before) !== valueOf(name, after))
}

/** Secrets are compared as they are, everything else as it is shown. */
function valueOf(name: SettingName, config: Config): string {
  return name === 'masterKey' ||
    name === 'databaseUrl' ||
    name === 'smtpUrl' ||
    name === 'oidcClientSecret'
    ? config[name]
    : shown(name, config)
}
