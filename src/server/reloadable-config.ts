// Reloadable configuration: SIGHUP applies the settings that need no restart.
import type { AuthenticatorSettings } from '../auth/authenticator/authenticator.ts'
import { rateOf, type Rate } from '../auth/authenticator/rate-limit.ts'
import type { HttpServer } from '../http/server.ts'
import type { Configuration } from '../config/read-config.ts'
import { OperatorError } from '../lib/operator-error.ts'
import { displayValue, settingNames, settings, type Config, type SettingName } from '../config/settings.ts'

/** The current configuration, for code that reads it at each use. */
export class ReloadableConfig implements AuthenticatorSettings {
  config: Config
  rate: Rate | null

  constructor(config: Config) {
    this.config = config
    this.rate = rateOfWorker(config)
  }

  get trustProxy() {
    return this.config.trustProxy
  }

  get isBehindProxy() {
    return this.config.behindProxy === 'on'
  }

  get allowHttp() {
    return this.config.allowHttp
  }

  get rejectsQueryCredentials() {
    return this.config.queryCredentials === 'deny'
  }

  reload(readAgain: () => Configuration, log: HttpServer['log']): void {
    this.config = reloadConfig(this.config, readAgain, log)
    this.rate = rateOfWorker(this.config)
    log.level = this.config.logLevel
  }
}

function rateOfWorker({ rateLimit, workers }: Config): Rate | null {
  return rateLimit === null ? null : rateOf(Math.ceil(rateLimit / workers))
}

/**
 * Returns the new configuration. An invalid one changes nothing. Logs errors, changed settings, and settings that need a
 * restart. Secrets are masked.
 */
function reloadConfig(before: Config, readAgain: () => Configuration, log: HttpServer['log']): Config {
  try {
    const { config: after } = readAgain()
    const changed = settingNames.filter((name) => comparableText(name, before) !== comparableText(name, after))
    const now = changed.filter((name) => settings[name].isReloadable)
    for (const name of now)
      log.warn(
        { setting: name, before: displayValue(name, before), after: displayValue(name, after) },
        'setting changed',
      )
    for (const name of changed.filter((name) => !settings[name].isReloadable))
      log.warn({ setting: name }, 'setting needs a restart to change')
    if (changed.length === 0) log.warn('configuration reloaded without changes')
    return { ...before, ...Object.fromEntries(now.map((name) => [name, after[name]])) }
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error
    log.error({ problem: error.message }, 'invalid configuration, keeping the previous one')
    return before
  }
}

/** Secrets are compared by value, everything else by its displayed text. */
function comparableText(name: SettingName, config: Config): string {
  const value = config[name]
  return settings[name].isSecret && typeof value === 'string' ? value : displayValue(name, config)
}
