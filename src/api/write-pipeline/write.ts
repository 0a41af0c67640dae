// Record writes, from request to reply: authorize, parse, validate, run, serialize.
import {
  findReply,
  saveReply,
  identifyRequest,
  replayedHeader,
  type IdempotentRequest,
} from './idempotency.ts'
import {
  authorize,
  ignoredNamesHeader,
  writeParametersOf,
  type AuthorizedRequest,
  type Operation,
  type ApiContext,
} from '../operation.ts'
import { runExclusiveIfLarge } from './serialize-large-bodies.ts'
import {
  listRowErrors,
  requireValidRows,
  requireAllStored,
  listRowResults,
  validateRows,
  filterStored,
  type ValidRow,
  type RowOutcome,
  type ValidatedRows,
  type StoredRow,
} from './row-results.ts'
import type { Caller } from '../../auth/caller.ts'
import { actionContext, type ActionContext } from '../../auth/action-context.ts'
import type { Scope } from '../../auth/scopes.ts'
import { ApiError, type ErrorDetail } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import { parseFlag } from '../../engine/odata/options/query.ts'
import type { Transaction } from '../../store/store.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { parseRecords, type ParsedRow } from '../../engine/formats/read/read-records.ts'
import type {
  ListResult,
  OutputRecord,
  SerializedText,
} from '../../engine/formats/write/write-records.ts'

/** How the writes of a resource are parsed and serialized, for all its operations. */
export interface WriteProfile {
  readonly resource: Resource
  readonly scope: Scope
  /** Strict JSON bodies, as in v3 of the interface (ADR 0028); otherwise lenient JSON and XML. */
  readonly isExact: boolean
  /** The serializer for this request. Throws before any work when the caller accepts no supported format. */
  readonly serializerFor: (request: Request, authorized: AuthorizedRequest) => ResponseSerializer
  /** The records that are now stored under these keys, in order; deleted ones are left out. */
  readonly findCurrent: (
    transaction: Transaction,
    keys: readonly RecordKey[],
  ) => Promise<readonly OutputRecord[]>
}

export interface ResponseSerializer {
  readonly contentType: string
  /** Headers of every reply. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of a reply with one stored record. */
  readonly recordHeaders?: (stored: StoredRow) => Readonly<Record<string, string>>
  readonly serializeRecords: (
    records: readonly OutputRecord[],
    isList: boolean,
  ) => Promise<SerializedText>
  readonly serializeResults: (entries: readonly ListResult[]) => Promise<SerializedText>
}

/** Applies every row it can; the pipeline decides whether a failed row rolls back all (ADR 0007). */
export type WriteHandler = (
  transaction: Transaction,
  rows: readonly ValidRow[],
  context: ActionContext,
  request: Request,
) => Promise<readonly RowOutcome[]>

export interface WriteOptions extends Pick<Operation, 'summary' | 'rule'> {
  readonly profile: WriteProfile
  readonly input: Resource
  readonly body: 'one' | 'many' | 'either'
  /** Status of a reply with records; row results are always 200. */
  readonly status: 200 | 201
  /** Validation of a row beyond the model. */
  readonly validate: (row: ParsedRow, caller: Caller) => readonly ErrorDetail[]
  readonly handler: WriteHandler
  /** Headers that summarize the results of the rows. */
  readonly resultHeaders?: (
    rows: readonly ValidRow[],
    stored: readonly StoredRow[],
    isKeyed: boolean,
  ) => Record<string, string>
}

export function writeOperation(options: WriteOptions): Operation {
  return {
    summary: options.summary,
    rule: options.rule,
    scope: options.profile.scope,
    resource: options.profile.resource,
    input: options.input,
    parameters,
    body: options.body,
    responseKind: options.status === 201 ? 'created' : 'records',
    handle: async (request, api) => {
      const { scope, serializerFor } = options.profile
      const authorized = await authorize(request, api, { scope, parameters })
      const { caller, query, headers } = authorized
      const isDryRun = parseFlag(query, 'dryRun', false)
      const isAtomic = parseFlag(query, 'atomic', true)
      const serializer = serializerFor(request, authorized)
      const body = await request.body()
      const now = api.clock()
      const writeRequest: WriteRequest = {
        options,
        request,
        caller,
        body,
        idempotent: identifyRequest(request, caller, {
          body,
          options: [String(isAtomic), String(isDryRun)],
          now,
        }),
        isDryRun,
        isAtomic,
        serializer,
        now,
      }
      const { companyId, credentialId } = caller
      const reply = await api.runningKeys.run(companyId, writeRequest.idempotent, () =>
        runExclusiveIfLarge(body, () => executeRecordWrite(writeRequest, api)),
      )
      return {
        status: reply.status,
        headers: { ...headers, ...serializer.headers, ...reply.headers },
        body: reply.body,
        logContext: { companyId, credentialId },
      }
    },
  }
}

const parameters = writeParametersOf(['dryRun', 'atomic'])

/** A parsed write request. */
interface WriteRequest {
  readonly options: WriteOptions
  readonly request: Request
  readonly caller: Caller
  readonly body: Buffer
  /** Null without an Idempotency-Key. */
  readonly idempotent: IdempotentRequest | null
  readonly isDryRun: boolean
  /** Whether one failed row of a list rolls back all. */
  readonly isAtomic: boolean
  readonly serializer: ResponseSerializer
  readonly now: number
}

/** The reply to one object is its record; to a list, all records or one result per row. */
type ReplyShape = 'record' | 'records' | 'results'

interface RecordWriteReply {
  readonly status: number
  /** Stored for a replay under the same Idempotency-Key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: SerializedText
}

async function executeRecordWrite(
  writeRequest: WriteRequest,
  { store }: ApiContext,
): Promise<RecordWriteReply> {
  const { options, request, caller, serializer } = writeRequest
  const { settings, zone } = caller.company
  const body = await parseRecords(writeRequest.body, {
    contentType: request.header('content-type'),
    resource: options.input,
    shape: options.body,
    zone,
    refuseZones: settings.refusesZones,
    isStrict: wantsStrict(request),
    isExact: options.profile.isExact,
    acceptedKinds: options.profile.isExact ? ['json'] : ['json', 'xml'],
  })
  const rows = await validateRows(body, (row) => options.validate(row, caller))
  const { isList } = body
  const shape: ReplyShape = !isList ? 'record' : writeRequest.isAtomic ? 'records' : 'results'
  if (shape !== 'results') requireValidRows(rows, isList)
  const ignored = ignoredNamesHeader('X-Ignored-Fields', body.ignoredFields)
  try {
    return await store.inTransaction(caller.companyId, async (transaction) => {
      const replayedReply = await findReplay(writeRequest, transaction)
      if (replayedReply !== null) return replayedReply
      const { stored, ...written } = await runHandler(writeRequest, transaction, rows, shape)
      const reply: RecordWriteReply = {
        status: shape === 'results' ? 200 : options.status,
        body: written.body,
        headers: { 'Content-Type': serializer.contentType, ...ignored, ...written.headers },
      }
      // Thrown to roll back the transaction.
      if (writeRequest.isDryRun) throw new RecordDryRun(reply)
      const ids = stored.map(({ record }) => keyOf(options.profile.resource, record))
      await saveReply(transaction, writeRequest.idempotent, { ...reply, ids, isList })
      return reply
    })
  } catch (error) {
    if (error instanceof RecordDryRun) return error.written
    throw error
  }
}

/** Every writable resource has a key of one field. */
function keyOf({ key: [name = ''] }: Resource, record: OutputRecord): RecordKey {
  const key = record[name]
  if (typeof key === 'string' || typeof key === 'number') return key
  throw new Error(`a stored record without ${name}`)
}

async function runHandler(
  writeRequest: WriteRequest,
  transaction: Transaction,
  rows: ValidatedRows,
  shape: ReplyShape,
): Promise<Pick<RecordWriteReply, 'headers' | 'body'> & { readonly stored: readonly StoredRow[] }> {
  const { options, request, caller, isDryRun, now, serializer } = writeRequest
  const context = actionContext(caller, request.id, now)
  const outcomes = await options.handler(transaction, rows.valid, context, request)
  const isList = shape !== 'record'
  if (shape !== 'results') requireAllStored(outcomes, isList)
  const stored = filterStored(outcomes)
  const summaryHeaders =
    options.resultHeaders?.(rows.valid, stored, writeRequest.idempotent !== null) ?? {}
  const [only] = stored
  const recordHeaders =
    isList || isDryRun || only === undefined ? {} : serializer.recordHeaders?.(only)
  const headers: Record<string, string> = {
    ...summaryHeaders,
    ...recordHeaders,
    ...(isDryRun ? { 'X-Dry-Run': 'true' } : {}),
  }
  const body =
    shape === 'results'
      ? await serializeRowResults(writeRequest, rows, outcomes)
      : await serializer.serializeRecords(
          stored.map((one) => visibleRecord(writeRequest, one)),
          isList,
        )
  return { stored, headers, body }
}

/** Not atomic: valid rows are stored, and every row gets a result. */
async function serializeRowResults(
  writeRequest: WriteRequest,
  rows: ValidatedRows,
  outcomes: readonly RowOutcome[],
): Promise<SerializedText> {
  const language = negotiateLanguage(writeRequest.request.header('accept-language'))
  const allResults = listRowResults(rows, outcomes, language)
  if (allResults.length > 0 && allResults.every((row) => 'code' in row)) {
    const details = listRowErrors(rows, outcomes)
    throw new ApiError('NoItemsProcessed', { details, problems: details.length })
  }
  const entries = allResults.map((row) =>
    'code' in row
      ? row
      : {
          index: row.index,
          code: resultCode(row.stored),
          record: visibleRecord(writeRequest, row.stored),
        },
  )
  return writeRequest.serializer.serializeResults(entries)
}

function resultCode({ isNew, isApplied }: StoredRow): string {
  return isNew ? 'inserted' : isApplied ? 'updated' : 'unchanged'
}

/** In a dry run a new record has no key yet, if the service assigns keys. */
function visibleRecord({ options, isDryRun }: WriteRequest, stored: StoredRow): OutputRecord {
  const { record, isNew, isKeyGiven } = stored
  if (!isNew || !isDryRun || isKeyGiven) return record
  return { ...record, [options.profile.resource.key[0] ?? '']: null }
}

async function findReplay(
  { idempotent, serializer, options }: WriteRequest,
  transaction: Transaction,
): Promise<RecordWriteReply | null> {
  const stored = await findReply(transaction, idempotent)
  if (stored === null) return null
  const { status } = stored
  const headers = { ...stored.headers, ...replayedHeader }
  if (stored.body !== null) return { status, headers, body: stored.body }
  const current = await options.profile.findCurrent(transaction, stored.ids)
  const body = await serializer.serializeRecords(current, stored.isList)
  return { status, headers: { ...headers, 'Content-Type': serializer.contentType }, body }
}

/** `Prefer: handling=strict`: unknown fields are errors instead of ignored. */
export function wantsStrict(request: Request): boolean {
  return /\bhandling=strict\b/i.test(request.header('prefer') ?? '')
}

class RecordDryRun extends Error {
  readonly written: RecordWriteReply

  constructor(written: RecordWriteReply) {
    super('a dry run is rolled back')
    this.written = written
  }
}
