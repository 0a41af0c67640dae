// Runtime: the process environment of a command, injected so that tests can replace it.
import type { HashCost } from '../auth/passwords/password-hash.ts'
import type { Random } from '../auth/tokens/secret.ts'
import type { Environment } from '../config/read-config.ts'

export interface Runtime extends ServerRuntime {
  readonly environment: Environment
  readonly cwd: string
  /** The file that Node runs as the command `dagsverk`. */
  readonly program: string
  readonly input: AsyncIterable<Buffer | string>
  /** Standard error is a terminal, so that a progress line can be overwritten. */
  readonly isInteractive?: boolean
  readonly hashCost: HashCost
  /** Writes data to standard output. */
  print(text: string): void
  /** Called once, on SIGTERM or SIGINT. */
  onStop(listener: () => void): void
  /** Called before a signal ends a command. */
  readonly onInterrupt?: (cleanUp: () => void) => void
  /** Tells the supervisor that the server listens. */
  reportReady?(): void
}

/** What the composition of a server uses. */
export interface ServerRuntime {
  /** The folder of the built browser app. */
  readonly appFolder: string
  /** Writes lines of the log to standard output. */
  printLog(lines: string): void
  /** Writes messages for people to standard error. */
  printMessage(text: string): void
  /** Microseconds since 1970. */
  readonly clock: () => number
  /** Milliseconds for durations: changes of the system's clock do not affect it. */
  readonly monotonicMs: () => number
  readonly random: Random
  /** Called on each SIGHUP. */
  onReload(listener: () => void): void
}
