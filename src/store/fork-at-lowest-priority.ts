// Starts a process for long computations, which uses only processor time that nothing else needs.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/**
 * Forks a process with the lowest scheduling priority. It is set from outside, before Node starts threads, which inherit
 * it: starting Node and loading modules delay the server as much as the computation.
 */
export function forkAtLowestPriority(program: URL, args: readonly string[], options: ForkOptions): ChildProcess {
  const child = fork(program, args, options)
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW)
  return child
}
