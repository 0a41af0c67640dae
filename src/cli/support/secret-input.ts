// Password input of commands: standard input, a file, or generated. Never an argument.
import { resolve } from 'node:path'
import * as consumers from 'node:stream/consumers'
import type { Command, OptionValues } from '@commander-js/extra-typings'
import type { PasswordInput } from '../../auth/tokens/credential-factory.ts'
import { passwordProblem, legacyPasswordProblem } from '../../auth/passwords/password-rules.ts'
import { generatePassword } from '../../auth/tokens/secret.ts'
import type { Runtime } from '../../server/environment.ts'
import { readSecretFile } from '../../config/read-config.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import { formatMessage } from '../../errors/messages.ts'

export interface PasswordFlags {
  readonly passwordStdin?: boolean
  readonly passwordFile?: string
  /** The password is an existing one, which may be weak. */
  readonly legacyPassword?: boolean
}

export function withPasswordFlags<Args extends unknown[], Flags extends OptionValues>(command: Command<Args, Flags>) {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read the password from a file that only you can read')
}

export function isPasswordGiven({ passwordStdin, passwordFile }: PasswordFlags): boolean {
  return passwordStdin === true || passwordFile !== undefined
}

/** For companies that migrate with clients that cannot be changed. */
export function withLegacyPassword<Args extends unknown[], Flags extends OptionValues>(command: Command<Args, Flags>) {
  return command.option('--legacy-password', 'accept an existing weak password, limited to --allow-from')
}

/** Prints only a generated password. */
export function printablePassword({ kind, text }: PasswordInput): { password?: string } {
  return kind === 'generated' ? { password: text } : {}
}

/** Reads the given password or generates one. `context`: words that must not make up the password. */
export async function readPassword(
  runtime: Runtime,
  flags: PasswordFlags,
  context: readonly string[],
): Promise<PasswordInput> {
  if (flags.passwordStdin && flags.passwordFile !== undefined)
    throw usageError('Use --password-stdin or --password-file, not both.')
  if (!isPasswordGiven(flags)) {
    if (flags.legacyPassword)
      throw usageError('--legacy-password requires the password: --password-stdin or --password-file.')
    return { text: generatePassword(runtime.random), kind: 'generated' }
  }
  // The password ends at the first line break.
  const text =
    flags.passwordFile === undefined
      ? (await consumers.text(runtime.input)).replace(/\r?\n[^]*$/, '')
      : readSecretFile(resolve(runtime.cwd, flags.passwordFile), '--password-file')
  const weakness = passwordProblem(text, context)
  const problem = flags.legacyPassword ? legacyPasswordProblem(text) : weakness
  if (problem !== null)
    throw new OperatorError(
      `The password is rejected: ${formatMessage(problem, 'en')}. Without --password-stdin and --password-file a password is generated.`,
    )
  return { text, kind: weakness === null ? 'chosen' : 'weak' }
}
