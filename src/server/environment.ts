// What a command has of the world around it; all of it is handed in, so that a test can be that world.
import type { HashCost } from '../auth/passwords/password-hash.ts'
import type { Random } from '../auth/tokens/secret.ts'
import type { Environment } from '../config/read-config.ts'

export interface World {
  readonly environment: Environment
  readonly cwd: string
  /** The folder that the browser app is built into. */
  readonly appFolder: string
  readonly input: AsyncIterable<Buffer | string>
  /** Data: standard output. */
  print(text: string): void
  /** Words to whoever sits there: standard error. */
  tell(text: string): void
  /** Somebody sees the words as they come: a line may be written over. */
  readonly isWatched?: boolean
  /** Microseconds since 1970. */
  readonly clock: () => number
  readonly random: Random
  readonly hashCost: HashCost
  /** Once, when the process is asked to stop. */
  onStop(listener: () => void): void
  /** Each time the process is asked to read its configuration again. */
  onReload(listener: () => void): void
}
