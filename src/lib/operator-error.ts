// Errors that end a command, with a message for the operator and an exit code.

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
