// Query worker: runs one read statement at a time in a process of its own, which can be killed.
import type { ChildProcess } from 'node:child_process'
import { ApiError } from '../../errors/api-error.ts'
import type { RowChunk, WorkerReply, WorkerRequest } from './query-process.ts'
import { toDescribedError } from './errors.ts'
import { forkAtLowPriority } from '../fork-at-low-priority.ts'
import { readTooCostlyError, type TimeLimits } from '../time-limits.ts'

export class QueryWorker {
  /** Whether the process is running, and idle. */
  isUsable = false
  readonly #child: ChildProcess
  readonly #ready: Promise<WorkerReply>
  #pending: PromiseWithResolvers<WorkerReply> | null = null
  #hasExited = false
  #idleTimer: NodeJS.Timeout | undefined

  constructor(path: string) {
    const program = new URL('./query-process.ts', import.meta.url)
    const args = [path, String(process.pid)]
    // On a busy machine the server goes first, which answers everybody else (ADR 0015).
    this.#child = forkAtLowPriority(program, args, { stdio: 'ignore', serialization: 'advanced' })
    const onExit = () => {
      this.#hasExited = true
      this.isUsable = false
      this.#pending?.reject(unavailable())
    }
    this.#child.on('message', (reply: WorkerReply) => this.#pending?.resolve(reply))
    this.#child.on('error', onExit).on('exit', onExit)
    this.#ready = this.#nextReply()
    this.#ready.catch(() => {})
  }

  /** Throws `QueryTooExpensive` and kills the process where no reply comes in time. */
  async send(request: WorkerRequest, limits: TimeLimits | null): Promise<RowChunk> {
    this.isUsable = false
    await this.#ready
    const pending = this.#nextReply()
    const timer = limits === null ? undefined : setTimeout(() => this.abort(readTooCostlyError(limits)), limits.readMs)
    try {
      if (!this.#hasExited) this.#child.send(request)
      const reply = await pending
      this.isUsable = !('rows' in reply) || reply.isLast
      if ('rows' in reply) return reply
      throw toDescribedError(reply)
    } finally {
      clearTimeout(timer)
    }
  }

  terminateAfter(ms: number, onEnd: () => void): void {
    this.#idleTimer = setTimeout(() => {
      onEnd()
      this.terminate()
    }, ms).unref()
  }

  /** It is idle no more, although it may get its request later. */
  keep(): void {
    clearTimeout(this.#idleTimer)
  }

  /** Kills the process; the current read fails with this error. */
  abort(error: ApiError): void {
    this.#pending?.reject(error)
    this.terminate()
  }

  terminate(): void {
    clearTimeout(this.#idleTimer)
    this.#child.kill('SIGKILL')
  }

  #nextReply(): Promise<WorkerReply> {
    this.#pending = Promise.withResolvers<WorkerReply>()
    if (this.#hasExited) this.#pending.reject(unavailable())
    return this.#pending.promise
  }
}

function unavailable() {
  return new ApiError('DatabaseUnavailable', { headers: { 'Retry-After': '1' } })
}
