// Record writes: rows of a body are parsed, validated, stored and serialized.
import {
  authorizeWrite,
  handleWrite,
  wantsStrict,
  type ReceivedWrite,
  type WriteRequest,
  type WriteWork,
} from './handle-write.ts'
import type { Representation } from './representation.ts'
import { ReceivedOutcomes } from './received-outcomes.ts'
import { withReturnPreference } from './return-preference.ts'
import {
  listStored,
  listRowErrors,
  listRowResults,
  requireAllStored,
  requireValidRows,
  selectValid,
  type RowOutcome,
  type StoredRow,
  type ValidatedRows,
  type ValidRow,
} from './row-results.ts'
import { bindRulesFor } from '../odata/bind-rules.ts'
import {
  entityWriteParametersOf,
  ignoredNamesHeader,
  receiveBody,
  representationOptions,
  writeParametersOf,
  type ApiContext,
  type Operation,
} from '../operation.ts'
import type { Caller } from '../../auth/caller.ts'
import type { ActionContext } from '../../auth/action-context.ts'
import type { Scope } from '../../auth/scopes.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Request } from '../../http/request.ts'
import type { Sliceable } from '../../lib/yield-to-event-loop.ts'
import type { ReceiveOutcomes } from '../../model/outcome.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import type { Awaitable, Transaction } from '../../store/store.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { parseRecords, type ParseRecordsOptions } from '../../engine/formats/read/read-records.ts'
import type { RowContent } from '../../engine/formats/read/row-binder.ts'
import { serializeList, type ListWriter, type SerializedText } from '../../engine/formats/write/long-list.ts'
import type { ListResult, OutputRecord } from '../../engine/formats/write/record-serializer.ts'

/** How the writes of a resource are parsed and serialized, for all its operations. */
export interface WriteProfile {
  readonly resource: Resource
  readonly scope: Scope
  /** Strict JSON bodies, as in v3 of the interface (ADR 0028); otherwise lenient JSON and XML. */
  readonly hasODataSemantics: boolean
  /** The serializer for this request. Throws before any work when the caller accepts no supported format. */
  readonly serializerFor: (write: WriteRequest, api: ApiContext) => ResponseSerializer
  /** The records that are now stored under these keys, in order; deleted ones are left out. */
  readonly findCurrent: (transaction: Transaction, keys: readonly RecordKey[]) => Promise<readonly OutputRecord[]>
}

export interface ResponseSerializer extends Pick<Representation, 'contentType' | 'listContentType' | 'headers'> {
  /** Headers of a reply with one stored record. */
  readonly recordHeaders?: (stored: StoredRow) => Readonly<Record<string, string>>
  /** Throws before any work when it cannot serialize a list. */
  readonly requireList?: () => void
  readonly serializeRecord: (record: OutputRecord | undefined, transaction: Transaction) => Awaitable<SerializedText>
  /** Of a list with so many records. */
  readonly listWriter: (length: number) => ListWriter<OutputRecord>
  readonly serializeResults: (entries: readonly ListResult[]) => Promise<SerializedText>
}

/** The valid rows of a request, and who receives their outcomes. */
export interface RowsWrite {
  readonly rows: Sliceable<ValidRow>
  readonly context: ActionContext
  readonly receive: ReceiveOutcomes<OutputRecord>
  readonly request: Request
  readonly caller: Caller
}

/** Applies every row it can; the pipeline decides whether a failed row rolls back all (ADR 0007). */
export type ApplyRows = (transaction: Transaction, write: RowsWrite) => Promise<void>

export interface WriteOptions extends Pick<Operation, 'summary' | 'rule'> {
  readonly profile: WriteProfile
  readonly input: Resource
  readonly body: 'one' | 'many' | 'either'
  /** Whether read-only fields in an OData body are ignored; default: they are errors. */
  readonly ignoresReadOnly?: boolean
  /** Status of a reply with records; row results are always 200. */
  readonly status: 200 | 201
  /** Validation of a row beyond the model, while the body is parsed. */
  readonly validate: (row: RowContent, caller: Caller) => readonly ApiError[]
  readonly apply: ApplyRows
  /** Headers that summarize the results of the rows, of which `applied` changed something. */
  readonly resultHeaders?: (
    rows: Sliceable<ValidRow>,
    applied: number,
    hasIdempotencyKey: boolean,
  ) => Awaitable<Record<string, string>>
}

export function writeOperation(options: WriteOptions): Operation {
  const { summary, rule, profile, input, body, status } = options
  const { scope, resource } = profile
  const parameters = profile.hasODataSemantics ? odataParameters : plainParameters
  return {
    summary,
    rule,
    scope,
    resource,
    input,
    parameters,
    body,
    supportsXml: !profile.hasODataSemantics,
    responseKind: status === 201 ? 'created' : 'records',
    handle: async (request, api) => {
      const write = await authorizeWrite(request, api, { scope, parameters })
      const serializer = profile.serializerFor(write, api)
      const sent = await receiveBody(request, api, { caller: write.caller, scope })
      return handleWrite(
        { ...write, ...sent, headers: { ...write.headers, ...serializer.headers } },
        api,
        (received) => prepareRecordWrite({ received, options, serializer }, api),
        async (transaction, { keys, isList }) => ({
          headers: { 'Content-Type': contentTypeOf(serializer, isList) },
          body: await serializeCurrent(await profile.findCurrent(transaction, keys), isList, serializer, transaction),
        }),
      )
    },
  }
}

const plainParameters = writeParametersOf(['dryRun', 'atomic'])
const odataParameters = entityWriteParametersOf(['dryRun', 'atomic', ...representationOptions])

interface RecordWrite {
  readonly received: ReceivedWrite
  readonly options: WriteOptions
  readonly serializer: ResponseSerializer
}

async function prepareRecordWrite(write: RecordWrite, api: ApiContext): Promise<WriteWork> {
  const { received, options, serializer } = write
  const { request, caller, context, isDryRun } = received
  const { profile } = options
  const parsed = await parseRecords(received.body, parseOptionsOf(write, api))
  const { isList } = parsed
  if (isList) serializer.requireList?.()
  // The reply to one object is its record; to a list, all records, or one result per row.
  const hasRowResults = isList && !received.isAtomic
  if (!hasRowResults) requireValidRows(parsed, isList)
  const rows = await selectValid(parsed)
  const ignored = ignoredNamesHeader('X-Ignored-Fields', parsed.ignoredFields)
  const hasIdempotencyKey = request.header('idempotency-key') !== undefined
  return async (transaction) => {
    const { valid } = rows
    // Only a request with an Idempotency-Key is stored with its reply, and one result per row is not what its records would be serialized to.
    const isReplayed = hasIdempotencyKey && !hasRowResults
    const begin = () =>
      new ReceivedOutcomes({
        writer: isList && !hasRowResults ? serializer.listWriter(valid.length) : null,
        toVisible: (stored) => visibleRecord(write, stored),
        keyOf: isReplayed ? (record) => keyIn(profile.resource, record) : null,
      })
    let outcomes = begin()
    const receive: RowsWrite['receive'] = (chunk, start) => {
      if (start < outcomes.count) outcomes = begin()
      return outcomes.add(chunk)
    }
    await options.apply(transaction, { rows: valid, context, receive, request, caller })
    const { writer, kept, keys, problems, applied } = outcomes
    if (!hasRowResults) requireAllStored(problems, isList)
    const [only] = isList ? [] : listStored(kept)
    const headers: Record<string, string> = {
      'Content-Type': contentTypeOf(serializer, isList),
      ...ignored,
      ...(await options.resultHeaders?.(valid, applied, hasIdempotencyKey)),
      ...(isDryRun || only === undefined ? {} : serializer.recordHeaders?.(only)),
    }
    if (hasRowResults) return { status: 200, headers, body: await serializeRowResults(write, rows, kept) }
    const body = writer?.end() ?? (await serializer.serializeRecord(only && visibleRecord(write, only), transaction))
    const written = isReplayed ? { written: { keys, isList } } : {}
    const whole = { status: options.status, headers, body, ...written }
    return profile.hasODataSemantics ? withReturnPreference(request, whole) : whole
  }
}

/** The records that are stored now, for the repeat of a request. */
async function serializeCurrent(
  records: readonly OutputRecord[],
  isList: boolean,
  serializer: ResponseSerializer,
  transaction: Transaction,
): Promise<SerializedText> {
  if (isList) return serializeList(records, serializer.listWriter(records.length))
  return serializer.serializeRecord(records[0], transaction)
}

function parseOptionsOf(
  { received: { request, caller }, options }: RecordWrite,
  api: ApiContext,
): ParseRecordsOptions<Resource> {
  return {
    contentType: request.header('content-type'),
    resource: options.input,
    shape: options.body,
    zone: caller.company.zone,
    refuseZones: caller.company.settings.refusesZones,
    isStrict: wantsStrict(request),
    validate: (row) => options.validate(row, caller),
    ...(options.profile.hasODataSemantics
      ? {
          hasODataSemantics: true,
          ignoresReadOnly: options.ignoresReadOnly ?? false,
          bindRules: bindRulesFor(options.input, request, api),
          acceptedKinds: ['json'],
        }
      : {}),
  }
}

function contentTypeOf(serializer: ResponseSerializer, isList: boolean): string {
  return isList ? serializer.listContentType : serializer.contentType
}

/** Not atomic: valid rows are stored, and every row gets a result. */
async function serializeRowResults(
  write: RecordWrite,
  rows: ValidatedRows,
  outcomes: readonly RowOutcome[],
): Promise<SerializedText> {
  const language = negotiateLanguage(write.received.request.header('accept-language'))
  const allResults = listRowResults(rows, outcomes, language)
  if (allResults.length > 0 && allResults.every((row) => 'code' in row)) {
    const details = listRowErrors(rows, outcomes)
    const problems = rows.problems + outcomes.length
    throw new ApiError('NoItemsProcessed', { details, problems })
  }
  const entries = allResults.map((row) =>
    'code' in row ? row : { index: row.index, code: resultCode(row.stored), record: visibleRecord(write, row.stored) },
  )
  return write.serializer.serializeResults(entries)
}

function resultCode({ isNew, isApplied }: StoredRow): string {
  return isNew ? 'inserted' : isApplied ? 'updated' : 'unchanged'
}

/** In a dry run a new record has no key yet, if the service assigns keys. */
function visibleRecord({ options, received: { isDryRun } }: RecordWrite, stored: StoredRow): OutputRecord {
  const { record, isNew, isKeyGiven } = stored
  if (!isNew || !isDryRun || isKeyGiven) return record
  return { ...record, [options.profile.resource.key[0] ?? '']: null }
}

/** Every writable resource has a key of one field. */
function keyIn({ key: [name = ''] }: Resource, record: OutputRecord): RecordKey {
  const key = record[name]
  if (typeof key === 'string' || typeof key === 'number') return key
  throw new Error(`a stored record without ${name}`)
}
