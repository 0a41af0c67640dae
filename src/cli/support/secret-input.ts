// How a command is given a secret: from standard input or a file, or it makes one. Never as an argument.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Password } from '../../auth/tokens/credential-factory.ts'
import { passwordProblem, takenOverProblem } from '../../auth/passwords/password-rules.ts'
import { generatePassword } from '../../auth/tokens/secret.ts'
import type { World } from '../../server/environment.ts'
import { readSecretFile } from '../../config/read-config.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { inWords } from '../../errors/messages.ts'

export interface PasswordFlags {
  readonly passwordStdin?: boolean
  readonly passwordFile?: string
  /** The password is an old one, which may be weak. */
  readonly takeOver?: boolean
}

export function withPassword(command: Command): Command {
  return command
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read it from a file that only you can read')
}

export function isPasswordGiven({ passwordStdin, passwordFile }: PasswordFlags): boolean {
  return passwordStdin === true || passwordFile !== undefined
}

/** For a company that moves here with clients that cannot be changed any more. */
export function withTakeOver(command: Command): Command {
  return command.option('--take-over', 'take an old password as it is, if only from --allow-from')
}

/** What is printed of a password: one that was given is known already. */
export function shownPassword({ kind, text }: Password): { password?: string } {
  return kind === 'generated' ? { password: text } : {}
}

/** The password that is given, or a generated one. `context` are words it may not be made of. */
export async function passwordFrom(
  world: World,
  flags: PasswordFlags,
  context: readonly string[],
): Promise<Password> {
  if (flags.passwordStdin && flags.passwordFile !== undefined)
    throw new OperatorError('Give --password-stdin or --password-file, not both.', exitCodes.usage)
  if (!isPasswordGiven(flags)) {
    if (flags.takeOver)
      throw new OperatorError(
        '--take-over needs the old password: --password-stdin or --password-file.',
        exitCodes.usage,
      )
    return { text: generatePassword(world.random), kind: 'generated' }
  }
  const text =
    flags.passwordFile === undefined
      ? await firstLine(world.input)
      : readSecretFile(resolve(world.cwd, flags.passwordFile), '--password-file')
  const weakness = passwordProblem(text, context)
  const problem = flags.takeOver ? takenOverProblem(text) : weakness
  if (problem !== null)
    throw new OperatorError(
      `The password is not taken: ${inWords(problem, 'en')}. Without --password-stdin or --password-file a good one is made for you.`,
    )
  return { text, kind: weakness === null ? 'chosen' : 'weak' }
}

/** A file or a pipe ends its line where the secret ends. */
async function firstLine(input: World['input']): Promise<string> {
  let text = ''
  for await (const piece of input) text += piece.toString()
  return text.replace(/\r?\n[^]*$/, '')
}
