// How a command is given a secret: from standard input or a file, or it makes one. Never as an argument.
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { passwordProblem } from '#auth/password-rules.ts'
import { generatePassword } from '#auth/secret.ts'
import type { World } from '#cli/world.ts'
import { readSecretFile } from '#config.ts'
import { exitCodes, OperatorError } from '#lib/operator-error.ts'

export interface PasswordFlags {
  readonly passwordStdin?: boolean
  readonly passwordFile?: string
}

export interface Password {
  readonly text: string
  readonly isGenerated: boolean
}

export const withPassword = (command: Command): Command =>
  command
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-file <file>', 'read it from a file that only you can read')

export const isPasswordGiven = ({ passwordStdin, passwordFile }: PasswordFlags): boolean =>
  passwordStdin === true || passwordFile !== undefined

/** The password that is given, or a generated one. `context` are words it may not be made of. */
export const passwordFrom = async (
  world: World,
  flags: PasswordFlags,
  context: readonly string[],
): Promise<Password> => {
  if (flags.passwordStdin && flags.passwordFile !== undefined)
    throw new OperatorError('Give --password-stdin or --password-file, not both.', exitCodes.usage)
  if (!isPasswordGiven(flags)) return { text: generatePassword(world.random), isGenerated: true }
  const text =
    flags.passwordFile === undefined
      ? await firstLine(world.input)
      : readSecretFile(resolve(world.cwd, flags.passwordFile), '--password-file')
  const problem = passwordProblem(text, context)
  if (problem !== null)
    throw new OperatorError(
      `The password is not taken: ${problem}. Without --password-stdin or --password-file a good one is made for you.`,
    )
  return { text, isGenerated: false }
}

/** A file or a pipe ends its line where the secret ends. */
const firstLine = async (input: World['input']): Promise<string> => {
  let text = ''
  for await (const piece of input) text += piece.toString()
  return text.replace(/\r?\n[^]*$/, '')
}
