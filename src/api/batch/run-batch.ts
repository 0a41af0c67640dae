// Runs the requests of a batch in order, each as if sent alone (OData 4.01 part 1, 11.7).
import { runChangeSet, type ChangeSetTask } from './change-set.ts'
import { partHeader, partRequest } from './part-request.ts'
import { deriveRequest, type Reply, type Request } from '../../http/request.ts'
import type { ODataProtocol } from '../odata/protocol.ts'
import { serviceRootOf } from '../odata/resource-url.ts'
import type { CallerAuthenticator, Handler, ApiContext } from '../operation.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Authenticator } from '../../auth/authenticator/authenticator.ts'
import { ApiError, notSupportedError } from '../../errors/api-error.ts'
import { closeUnreadBody, joinShortPage } from '../../http/write-reply.ts'
import { message } from '../../errors/messages.ts'
import { yieldToEventLoop } from '../../lib/yield-to-event-loop.ts'
import type { BatchReply, BatchReplyGroup } from '../../engine/formats/batch/batch-response.ts'
import { invalidBatchError, type BatchLimits, type BatchRequest } from '../../engine/formats/batch/batch-request.ts'

/** The handler of a request, and the maximum size of its body. */
export interface BoundedHandler {
  readonly handle: Handler
  readonly bodyBytesMax: number
}

/** What a batch needs of the server. */
export interface BatchServer {
  /** Throws for an unknown path or method. */
  readonly find: (request: Request) => BoundedHandler
  readonly withProtocol: ODataProtocol['withProtocol']
  /** The error reply, with the headers of every reply. */
  readonly toErrorReply: (error: unknown, request: Request) => Reply
  readonly authenticator: Authenticator
  /** Logs the error reply of a part, which has no log line of its own, if it is a server error. */
  readonly logServerError: (reply: Reply, outer: Request) => void
  /** `bodyBytesMax` is that of a request in a change set: its transaction must not wait while another large body is processed. */
  readonly limits: BatchLimits
}

export interface Batch {
  readonly outer: Request
  readonly requests: readonly BatchRequest[]
  readonly caller: Caller
  readonly api: ApiContext
  readonly continuesOnError: boolean
  /** A failed change set has a single response (OData 4.0 part 1, 11.7.4); in JSON every request has one. */
  readonly isMultipart: boolean
}

export async function* runBatchRequests(batch: Batch, server: BatchServer): AsyncGenerator<BatchReplyGroup> {
  const run = new BatchRun(batch, server)
  for (const requests of groupSteps(batch.requests)) {
    const step = await run.step(requests)
    yield step
    if (!batch.continuesOnError && step.replies.some(({ status }) => status >= 400)) return
    // A short read takes no turn of the event loop, so hundreds of them would be one turn.
    await yieldToEventLoop()
  }
}

/** The steps of a batch: single requests, and groups. */
function groupSteps(requests: readonly BatchRequest[]): BatchRequest[][] {
  const found: BatchRequest[][] = []
  for (const request of requests) {
    const last = found.at(-1)
    if (request.group !== null && last?.[0]?.group === request.group) last.push(request)
    else found.push([request])
  }
  return found
}

class BatchRun {
  readonly #batch: Batch
  readonly #server: BatchServer
  /** Ids of the requests and groups that succeeded. */
  readonly #succeeded = new Set<string>()
  /** The URL of each request, by its id. */
  readonly #urlsById = new Map<string, string>()

  constructor(batch: Batch, server: BatchServer) {
    this.#batch = batch
    this.#server = server
  }

  async step(requests: readonly BatchRequest[]): Promise<BatchReplyGroup> {
    const [first] = requests
    if (first === undefined || first.group === null)
      return { replies: await Promise.all(requests.map((one) => this.#runSingle(one))), isChangeSet: false }
    return this.#runGroup(requests, first.group)
  }

  async #runSingle(request: BatchRequest): Promise<BatchReply> {
    const { outer, caller, api } = this.#batch
    try {
      this.#requireDependencies(request)
      this.#server.authenticator.countCall(caller, outer)
      const task = this.#taskFor(request, (one) => this.#server.find(one).bodyBytesMax)
      const reply = await task(api)
      this.#recordResult(request, reply)
      return buildBatchReply(request, reply)
    } catch (error) {
      return buildBatchReply(request, this.#errorReply(request, error))
    }
  }

  async #runGroup(requests: readonly BatchRequest[], group: string): Promise<BatchReplyGroup> {
    const { outer, caller, api } = this.#batch
    const [first] = requests
    const toErrorReply = (error: unknown) => this.#server.toErrorReply(error, outer)
    try {
      const own = new Set(requests.map(({ id }) => id))
      for (const request of requests) {
        // Within the group each runs after those before it, and only if they succeed.
        const dependsOn = request.dependsOn.filter((one) => !own.has(one))
        this.#requireDependencies({ ...request, dependsOn })
        if (request.method === 'GET' || request.method === 'HEAD') throw invalidBatchError(group, 'readInChangeSet')
        this.#server.authenticator.countCall(caller, outer)
      }
      const tasks = requests.map((request): ChangeSetTask => async (context) => {
        try {
          const reply = await this.#taskFor(request, () => this.#server.limits.bodyBytesMax)(context)
          this.#recordResult(request, reply)
          return reply
        } catch (error) {
          if (error instanceof ApiError) return this.#errorReply(request, error)
          throw error
        }
      })
      const result = await runChangeSet(tasks, api, { companyId: caller.companyId, toErrorReply })
      if ('replies' in result) {
        this.#succeeded.add(group)
        const replies = requests.map((one, at) => buildBatchReply(one, result.replies[at] ?? noContent))
        return { replies, isChangeSet: true }
      }
      return this.#failGroup(requests, result.index, result.failed)
    } catch (error) {
      return this.#failGroup(requests, 0, first === undefined ? noContent : this.#errorReply(first, error))
    }
  }

  /** One request failed with its own error; the others are rolled back because of it. */
  #failGroup(requests: readonly BatchRequest[], index: number, failedReply: Reply): BatchReplyGroup {
    for (const { id } of requests) {
      if (id === null) continue
      this.#succeeded.delete(id)
      this.#urlsById.delete(id)
    }
    const [failed] = requests.slice(index)
    if (failed === undefined) return { replies: [], isChangeSet: false }
    const others = requests.map((request) => {
      if (request === failed) return buildBatchReply(request, failedReply)
      const params = { what: message('anotherOfItsGroup') }
      return buildBatchReply(request, this.#errorReply(request, new ApiError('DependencyFailed', { params })))
    })
    return { replies: this.#batch.isMultipart ? [buildBatchReply(failed, failedReply)] : others, isChangeSet: false }
  }

  #requireDependencies({ dependsOn, isConditional }: BatchRequest): void {
    if (isConditional) throw notSupportedError('aCondition', 'if')
    if (!dependsOn.every((one) => this.#succeeded.has(one)))
      throw new ApiError('DependencyFailed', { params: { what: message('whatItDependsOn') } })
  }

  /** `bytesMax` is called after the path was found to exist. */
  #taskFor(part: BatchRequest, bytesMax: (request: Request) => number): ChangeSetTask {
    const { outer, caller } = this.#batch
    return async (api) => {
      const handlePart = this.#server.withProtocol(async (request) => {
        const { handle } = this.#server.find(request)
        const max = bytesMax(request)
        // A body that nothing reads is ignored, as outside of a batch.
        if (max > 0 && part.body.length > max) throw new ApiError('BodyTooLarge', { params: { max } })
        return handle(request, { ...api, authenticator: authenticatorOf(caller), urlsById: this.#urlsById })
      })
      return handlePart(partRequest(outer, part, { root: serviceRootOf(outer.path), urlsById: this.#urlsById }))
    }
  }

  /** In the language and format that the part requests, as far as it can be read. */
  #errorReply(part: BatchRequest, error: unknown): Reply {
    const { outer } = this.#batch
    const header = (name: string) => partHeader(outer, part, name)
    const request = deriveRequest(outer, { method: part.method, header })
    const reply = this.#server.toErrorReply(error, request)
    this.#server.logServerError(reply, outer)
    return reply
  }

  #recordResult({ id, url }: BatchRequest, { status, headers }: Reply): void {
    if (id === null || status >= 400) return
    this.#succeeded.add(id)
    const [withoutQuery = ''] = (headers['Location'] ?? url).split('?')
    this.#urlsById.set(id, withoutQuery)
  }
}

const noContent: Reply = { status: 204, headers: {}, body: null }

function buildBatchReply(request: BatchRequest, { status, headers, body }: Reply): BatchReply {
  if (request.method !== 'HEAD') return { request, status, headers, body: joinShortPage(body) }
  void closeUnreadBody(body)
  return { request, status, headers, body: null }
}

/** The batch has authenticated the caller; each request still needs its own scope. */
function authenticatorOf(caller: Caller): CallerAuthenticator {
  return {
    authenticate: (_, scope) => {
      if (scope !== null && !caller.scopes.has(scope)) throw new ApiError('ScopeMissing', { params: { scope } })
      return caller
    },
    headersFor: () => ({}),
  }
}
