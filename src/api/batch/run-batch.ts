// Runs the requests of a batch in order, each as if sent alone (OData 4.01 part 1, 11.7).
import { together, type Work } from './change-set.ts'
import { headerOf, partRequest } from './part-request.ts'
import { rootOf } from '../odata/resource-url.ts'
import type { Doorkeeper, Handler, Serving } from '../operation.ts'
import type { Caller } from '../../auth/caller.ts'
import type { Gate } from '../../auth/authenticator/authenticator.ts'
import { Fault } from '../../errors/catalog.ts'
import type { About, Reply, Request } from '../../http/request.ts'
import { phrase } from '../../errors/messages.ts'
import type { BatchAnswer, BatchStep } from '../../engine/formats/batch/batch-response.ts'
import { invalidBatch, type BatchRequest } from '../../engine/formats/batch/batch-request.ts'

/** The handler of a request, and the maximum size of its body. */
export interface Found {
  readonly handle: Handler
  readonly bodyBytesMax: number
}

/** What a batch needs of the server. */
export interface BatchServer {
  /** Throws for an unknown path or method. */
  readonly find: (request: Request) => Found
  /** Throws for an unsupported protocol version. */
  readonly require: (request: Request) => void
  readonly spoken: (request: Request, reply: Reply) => Reply
  /** The error reply, with the headers of every reply. */
  readonly refuse: (error: unknown, request: Request) => Reply
  readonly gate: Gate
  /** Called for server errors of a part, which has no log line of its own. */
  readonly onTrouble: (about: About, outer: Request) => void
  /** For a request in a change set: its transaction must not wait while another large body is processed. */
  readonly bodyBytesMax: number
}

export interface Batch {
  readonly outer: Request
  readonly requests: readonly BatchRequest[]
  readonly caller: Caller
  readonly serving: Serving
  readonly goesOn: boolean
}

export async function* runBatch(batch: Batch, server: BatchServer): AsyncGenerator<BatchStep> {
  const run = new Run(batch, server)
  for (const requests of steps(batch.requests)) {
    const step = await run.step(requests)
    yield step
    if (!batch.goesOn && step.answers.some(({ status }) => status >= 400)) return
  }
}

/** The steps of a batch: single requests, and groups. */
function steps(requests: readonly BatchRequest[]): BatchRequest[][] {
  const found: BatchRequest[][] = []
  for (const request of requests) {
    const last = found.at(-1)
    if (request.group !== null && last?.[0]?.group === request.group) last.push(request)
    else found.push([request])
  }
  return found
}

class Run {
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

  async step(requests: readonly BatchRequest[]): Promise<BatchStep> {
    const [first] = requests
    if (first === undefined || first.group === null)
      return {
        answers: await Promise.all(requests.map((one) => this.#runSingle(one))),
        isChangeSet: false,
      }
    return this.#runGroup(requests, first.group)
  }

  async #runSingle(request: BatchRequest): Promise<BatchAnswer> {
    const reply = await this.#catchErrors(request, async () => {
      this.#requireDependencies(request)
      const { outer, caller, serving } = this.#batch
      this.#server.gate.again(caller, outer)
      return this.#taskFor(request, (one) => this.#server.find(one).bodyBytesMax)(serving)
    })
    return this.#toBatchAnswer(request, reply)
  }

  async #runGroup(requests: readonly BatchRequest[], group: string): Promise<BatchStep> {
    const { outer, caller, serving } = this.#batch
    const [first] = requests
    const refuse = (error: unknown) => this.#server.refuse(error, outer)
    try {
      for (const request of requests) {
        this.#requireDependencies(request)
        if (request.method === 'GET' || request.method === 'HEAD')
          throw invalidBatch(group, 'readingInChangeSet')
        this.#server.gate.again(caller, outer)
      }
      const works = requests.map((request): Work => async (joined) => {
        try {
          const reply = await this.#taskFor(request, () => this.#server.bodyBytesMax)(joined)
          this.#recordResult(request, reply)
          return reply
        } catch (error) {
          if (error instanceof Fault) return this.#errorReply(request, error)
          throw error
        }
      })
      const { companyId } = caller
      const result = await together(works, serving, { companyId, refuse })
      if ('replies' in result) {
        this.#succeeded.add(group)
        const answers = requests.map((one, at) =>
          this.#toBatchAnswer(one, result.replies[at] ?? nothing),
        )
        return { answers, isChangeSet: true }
      }
      return this.#failGroup(requests, result.index, result.refused)
    } catch (error) {
      return this.#failGroup(
        requests,
        0,
        first === undefined ? nothing : this.#errorReply(first, error),
      )
    }
  }

  /** One request failed with its own error; the others are rolled back because of it. */
  #failGroup(requests: readonly BatchRequest[], index: number, refused: Reply): BatchStep {
    for (const { id } of requests) if (id !== null) this.#urlsById.delete(id)
    const [failed] = requests.slice(index)
    if (failed === undefined) return { answers: [], isChangeSet: false }
    const others = requests.map((request) => {
      if (request === failed) return answerOf(request, refused)
      const says = { what: phrase('anotherOfItsGroup') }
      return answerOf(request, this.#errorReply(request, new Fault('DependencyFailed', { says })))
    })
    // A failed change set in multipart has a single response (OData 4.0 part 1, 11.7.4).
    return {
      answers: failed.group?.startsWith('part ') ? [answerOf(failed, refused)] : others,
      isChangeSet: false,
    }
  }

  #requireDependencies({ dependsOn, isConditional }: BatchRequest): void {
    if (isConditional)
      throw new Fault('NotSupported', { target: 'if', says: { feature: phrase('aCondition') } })
    if (!dependsOn.every((one) => this.#succeeded.has(one)))
      throw new Fault('DependencyFailed', { says: { what: phrase('whatItDependsOn') } })
  }

  /** `bytesMax` is called after the path was found to exist. */
  #taskFor(part: BatchRequest, bytesMax: (request: Request) => number): Work {
    const { outer, caller } = this.#batch
    return async (serving) => {
      const request = partRequest(outer, part, { root: rootOf(outer.path), named: this.#urlsById })
      this.#server.require(request)
      const { handle } = this.#server.find(request)
      const max = bytesMax(request)
      if (part.body.length > max) throw new Fault('BodyTooLarge', { says: { max } })
      const reply = await handle(request, { ...serving, gate: doorkeeper(caller) })
      return this.#server.spoken(request, reply)
    }
  }

  async #catchErrors(request: BatchRequest, work: () => Promise<Reply>): Promise<Reply> {
    try {
      return await work()
    } catch (error) {
      return this.#errorReply(request, error)
    }
  }

  /** In the language and format that the part requests, as far as it can be read. */
  #errorReply(part: BatchRequest, error: unknown): Reply {
    const { outer } = this.#batch
    const header = (name: string) => headerOf(outer, part, name)
    const request = { ...described(outer), method: part.method, header }
    const reply = this.#server.refuse(error, request)
    if (reply.status >= 500 && reply.about !== undefined) this.#server.onTrouble(reply.about, outer)
    return reply
  }

  #toBatchAnswer(request: BatchRequest, reply: Reply): BatchAnswer {
    if (reply.status < 400) this.#recordResult(request, reply)
    return answerOf(request, reply)
  }

  #recordResult({ id, url }: BatchRequest, { status, headers }: Reply): void {
    if (id === null || status >= 400) return
    this.#succeeded.add(id)
    const [address = ''] = (headers['Location'] ?? url).split('?')
    this.#urlsById.set(id, address)
  }
}

const nothing: Reply = { status: 204, headers: {}, body: null }

function answerOf(request: BatchRequest, { status, headers, body }: Reply): BatchAnswer {
  return {
    request,
    status,
    headers,
    body: request.method === 'HEAD' ? null : body,
  }
}

/** A plain copy: spreading an instance of a class would lose its methods. */
function described(request: Request) {
  return {
    path: request.path,
    search: request.search,
    body: () => request.body(),
    address: request.address,
    secure: request.secure,
    origin: request.origin,
    id: request.id,
    onDisconnect: (callback: () => void) => request.onDisconnect(callback),
  }
}

/** The batch has authenticated the caller; each request still needs its own scope. */
function doorkeeper(caller: Caller): Doorkeeper {
  return {
    admit: (_, scope) => {
      if (scope !== null && !caller.scopes.has(scope))
        throw new Fault('ScopeMissing', { says: { scope } })
      return caller
    },
    headersFor: () => ({}),
  }
}
