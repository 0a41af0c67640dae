// Errors that end a command, with a message for the operator and an exit code.
import { closestMatch } from './closest-match.ts'

/** Exit codes of commands (docs/cli.md); those above 63 are from sysexits.h. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The server does not reply, or is not ready. */
  unavailable: 69,
  storage: 70,
  configuration: 78,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

export class OperatorError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failure, cause?: unknown) {
    super(message, { cause })
    this.name = 'OperatorError'
    this.exitCode = exitCode
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The error for a file that could not be used, whose message names operation and path; null for any other error. */
export function toFileError(error: unknown): OperatorError | null {
  const isOfFile = error instanceof Error && 'syscall' in error && 'path' in error
  return isOfFile ? new OperatorError(error.message, exitCodes.storage, error) : null
}

/** A file could not be written: the disk is full, or fails. */
export class WriteError extends OperatorError {
  readonly isDiskFull: boolean

  constructor(message: string, cause: unknown, isDiskFull: boolean) {
    super(message, exitCodes.storage, cause)
    this.isDiskFull = isDiskFull
  }
}

/** The error for a write to an open file, which Node does not name; null for any other error. */
export function toWriteError(error: unknown, path: string): WriteError | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isDiskFull = fullCodes.has(code)
  return isDiskFull || code === 'EIO'
    ? new WriteError(`${path} cannot be written: ${messageOf(error)}`, error, isDiskFull)
    : null
}

/** Of a disk, a quota, and the longest file. */
const fullCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** A setting is missing or wrong. */
export function configurationError(message: string): OperatorError {
  return new OperatorError(message, exitCodes.configuration)
}

/** The command was called wrongly: its arguments or its input must be changed. */
export function usageError(message: string, cause?: unknown): OperatorError {
  return new OperatorError(message, exitCodes.usage, cause)
}

/** An argument is none of the `known` names. */
export function unknownNameError(what: string, name: string, known: readonly string[]) {
  const near = closestMatch(name, known)
  const hint = near === undefined ? `Available: ${known.join(' ')}` : `Did you mean ${near}?`
  return usageError(`There is no ${what} "${name}". ${hint}`)
}
