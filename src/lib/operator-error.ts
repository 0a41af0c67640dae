// What keeps a command from going on, told to the operator: what is wrong, and what to do about it.

/** How a command ends (docs/cli.md); the numbers above 63 are those of sysexits.h. */
export const exitCodes = {
  ok: 0,
  failure: 1,
  usage: 2,
  /** The server does not answer, or is not ready. */
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
