// Starts a process for long computations, which on a busy processor has about a tenth of the server's share.
import { fork, type ChildProcess, type ForkOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/**
 * Forks a process with `nice` 10. It is set from outside, before Node starts threads, which inherit it: starting Node and
 * loading modules delay the server as much as the computation. With 19, where others use every processor, a process did
 * not even start within the 10 s that a costly read waits.
 */
export function forkAtLowPriority(program: URL, args: readonly string[], options: ForkOptions): ChildProcess {
  const child = fork(program, args, options)
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)
  return child
}
