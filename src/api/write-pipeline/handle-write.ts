// Write requests: authorize, parse, execute in one transaction, reply; runs every write.
import {
  authorize,
  receiveBody,
  representationOptions,
  type ApiContext,
  type AuthorizedRequest,
  type Handler,
  type Operation,
} from '../operation.ts'
import { errorBodyOptions, toErrorReply } from '../error-reply.ts'
import { parseRecordKey, resolvePath, segmentsOf } from '../odata/resource-url.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Reply, Request } from '../../http/request.ts'
import { writeContext, type WriteContext } from '../../auth/action-context.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import { serializeErrorInTurns } from '../../engine/formats/write/error-body.ts'
import type { RecordKey } from '../../engine/model/resource.ts'
import { parseFlag } from '../../engine/odata/options/query.ts'
import { executeWrite, identifyRequest, type WriteExecution, type WriteReply } from '../../store/idempotency.ts'
import type { Transaction } from '../../store/store.ts'

export interface WriteHandlerOptions extends Pick<Operation, 'scope' | 'parameters' | 'isAtomicByDefault'> {
  /** Whether the body lists ids, of which many are few bytes. */
  readonly listsIds?: boolean
  /** Throws `NotAcceptable`. */
  readonly negotiate?: (request: Request) => unknown
}

/** An authorized write, before its body is received. */
export interface WriteRequest extends AuthorizedRequest {
  readonly request: Request
  readonly isDryRun: boolean
  /** Whether one failed element of a list rolls back all. */
  readonly isAtomic: boolean
  /** With a longer body the transaction may be long. */
  readonly longBodyBytes: number
}

/** Authorizes the caller (401, 403) and reads the options (400). */
export async function authorizeWrite(
  request: Request,
  api: ApiContext,
  { scope, parameters, isAtomicByDefault = true, listsIds = false }: Omit<WriteHandlerOptions, 'negotiate'>,
): Promise<WriteRequest> {
  const authorized = await authorize(request, api, { scope, parameters })
  return {
    ...authorized,
    request,
    isDryRun: parseFlag(authorized.query, 'dryRun', false),
    isAtomic: parseFlag(authorized.query, 'atomic', isAtomicByDefault),
    longBodyBytes: listsIds ? longIdListBytes : longListBytes,
  }
}

export interface ReceivedWrite extends WriteRequest {
  readonly body: Buffer
  readonly context: WriteContext
}

/** Runs inside of the transaction. An error reply that it returns, instead of throwing, commits and is replayed. */
export type WriteWork = (transaction: Transaction) => Promise<WriteReply>

/** Parses the body, before the transaction begins. Runs again where the work throws `StaleReadError`. */
export type PrepareWrite = (write: ReceivedWrite, api: ApiContext) => Promise<WriteWork>

/** Thrown inside of the transaction: what was read before it has changed, so nothing can be done. */
export class StaleReadError extends ApiError {
  constructor() {
    super('DatabaseBusy', { headers: { 'Retry-After': '1' } })
  }
}

/** The handler of an operation that writes. */
export function writeHandler({ negotiate, ...access }: WriteHandlerOptions, prepare: PrepareWrite): Handler {
  return async (request, api) => {
    const write = await authorizeWrite(request, api, access)
    negotiate?.(request)
    try {
      const received = await receiveBody(request, api, { caller: write.caller, scope: access.scope })
      return await handleWrite({ ...write, ...received }, api, prepare)
    } catch (error) {
      if (!(error instanceof ApiError) || error.results === null) throw error
      return errorReply(error, request)
    }
  }
}

/** Runs a write whose body is received, and replies. A body that is not received closes the connection. */
export async function handleWrite(
  write: Omit<ReceivedWrite, 'context'>,
  api: ApiContext,
  prepare: PrepareWrite,
  serializeWritten?: WriteExecution['serializeWritten'],
): Promise<Reply> {
  const { request, caller, body, isDryRun, isAtomic } = write
  const { companyId, owner } = caller
  const isLarge = body.length > largeBodyBytes
  const now = api.clock()
  const sentOption = (name: string) => (write.query.has(name) ? [name, write.query.get(name)] : [])
  const idempotent = identifyRequest(request.header('idempotency-key'), () => ({
    owner,
    // An option that was not sent adds no part: keys stay the same when the service gets further options.
    parts: [...requestParts(request), isAtomic, isDryRun, ...representationOptions.flatMap(sentOption)],
    body,
    now,
  }))
  const execute = () =>
    retryStaleReads(async () => {
      const context = writeContext(caller, request.id, now)
      const work = await prepare({ ...write, context }, api)
      const execution = { idempotent, isDryRun, isLong: body.length > write.longBodyBytes, serializeWritten }
      return executeWrite(api.store, companyId, execution, work)
    })
  const reply = await api.runningKeys.run(companyId, idempotent, () =>
    isLarge ? api.largeBodies.run(companyId, request, execute) : execute(),
  )
  return {
    status: reply.status,
    headers: { ...write.headers, ...reply.headers },
    body: reply.body,
    logContext: write.logContext,
  }
}

/** Repeats work that throws `StaleReadError`. Each failure means that another caller succeeded. */
export function retryStaleReads<T>(work: () => Promise<T>, attemptsLeft = attemptsMax): Promise<T> {
  return work().catch((error: unknown) => {
    if (!(error instanceof StaleReadError) || attemptsLeft === 1) throw error
    return retryStaleReads(work, attemptsLeft - 1)
  })
}

const attemptsMax = 20

/** An error as a reply that does not roll back: for a list of which no element was processed, for example. */
export async function errorReply(error: ApiError, request: Request): Promise<WriteReply & Reply> {
  const reply = toErrorReply(error, request)
  return { ...reply, body: await serializeErrorInTurns(error, errorBodyOptions(request)) }
}

/** `Prefer: handling=strict`: unknown fields are errors instead of ignored. */
export function wantsStrict(request: Request): boolean {
  return /\bhandling=strict\b/i.test(request.header('prefer') ?? '')
}

/**
 * Credentials are not part of a request's identity, so that a rotated key can repeat it. Paths are case-insensitive,
 * except for the key of a record, and doubled and trailing slashes do not count.
 */
function requestParts({ method, path }: Request): readonly unknown[] {
  const resolved = resolvePath(serviceSchema, path)
  const key: RecordKey | null = resolved === null ? null : parseRecordKey(path, resolved.resource)
  const parentKey = resolved?.via?.from.key.map(({ value }) => value.value)
  return [method, segmentsOf(path).join('/').toLowerCase(), key, ...(parentKey ?? [])]
}

/** Longer bodies are processed one at a time (`LargeBodies`). */
const largeBodyBytes = 1024 * 1024
/** Writing a longer body is a long transaction (`TransactionOptions`): a list of more than some 900 rows, or 1,000 to 4,000 ids. */
const [longListBytes, longIdListBytes] = [64 * 1024, 8 * 1024]
