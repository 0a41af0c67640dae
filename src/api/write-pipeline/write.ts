// Record writes, from request to reply: authorize, parse, validate, run, serialize.
import { findReply, keepReply, keyedRequest, replayed, type KeyedRequest } from './idempotency.ts'
import {
  admit,
  ignoredNamesHeader,
  writeParametersOf,
  type Admitted,
  type Operation,
  type Serving,
} from '../operation.ts'
import { inTurnIfLong } from './serialize-large-bodies.ts'
import {
  problemsOf,
  refuseBadRows,
  refuseLeftOut,
  rowResults,
  sortRows,
  storedOf,
  type GoodRow,
  type RowOutcome,
  type SortedRows,
  type StoredRow,
} from './row-results.ts'
import type { Caller } from '../../auth/caller.ts'
import { deedOf, type Deed } from '../../auth/action-context.ts'
import type { Scope } from '../../auth/scopes.ts'
import { Fault, type Detail } from '../../errors/catalog.ts'
import type { Request } from '../../http/request.ts'
import type { RecordKey, Resource } from '../../engine/model/resource.ts'
import { flag } from '../../engine/odata/options/query.ts'
import type { Transaction } from '../../store/store.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'
import { readRecords, type ReadRow } from '../../engine/formats/read/read-records.ts'
import type {
  ResultEntry,
  WrittenRecord,
  WrittenText,
} from '../../engine/formats/write/write-records.ts'

/** How the writes of a resource are parsed and serialized, for all its operations. */
export interface Manner {
  readonly resource: Resource
  readonly scope: Scope
  /** Strict JSON bodies, as in v3 of the interface (ADR 0035); otherwise lenient JSON and XML. */
  readonly isExact: boolean
  /** The serializer for this request. Throws before any work when the caller accepts no supported format. */
  readonly printerFor: (request: Request, admitted: Admitted) => Printer
  /** The records that are now stored under these keys, in order; deleted ones are left out. */
  readonly current: (
    transaction: Transaction,
    keys: readonly RecordKey[],
  ) => Promise<readonly WrittenRecord[]>
}

export interface Printer {
  readonly contentType: string
  /** Headers of every reply. */
  readonly headers: Readonly<Record<string, string>>
  /** Headers of a reply with one stored record. */
  readonly headersOf?: (stored: StoredRow) => Readonly<Record<string, string>>
  readonly records: (records: readonly WrittenRecord[], isList: boolean) => Promise<WrittenText>
  readonly results: (entries: readonly ResultEntry[]) => Promise<WrittenText>
}

/** Applies every row it can; the pipeline decides whether a failed row rolls back all (ADR 0007). */
export type Act = (
  transaction: Transaction,
  rows: readonly GoodRow[],
  deed: Deed,
  request: Request,
) => Promise<readonly RowOutcome[]>

export interface WriteOptions extends Pick<Operation, 'summary' | 'rule'> {
  readonly manner: Manner
  readonly input: Resource
  readonly body: 'one' | 'many' | 'either'
  /** Status of a reply with records; row results are always 200. */
  readonly status: 200 | 201
  /** Validation of a row beyond the model. */
  readonly check: (row: ReadRow, caller: Caller) => readonly Detail[]
  readonly act: Act
  /** Headers that summarize the results of the rows. */
  readonly tell?: (
    rows: readonly GoodRow[],
    stored: readonly StoredRow[],
    isKeyed: boolean,
  ) => Record<string, string>
}

export function writes(options: WriteOptions): Operation {
  return {
    summary: options.summary,
    rule: options.rule,
    scope: options.manner.scope,
    resource: options.manner.resource,
    input: options.input,
    parameters,
    body: options.body,
    answer: options.status === 201 ? 'created' : 'records',
    handle: async (request, serving) => {
      const { scope, printerFor } = options.manner
      const admitted = await admit(request, serving, { scope, parameters })
      const { caller, query, headers } = admitted
      const isDryRun = flag(query, 'dryRun', false)
      const isAtomic = flag(query, 'atomic', true)
      const printer = printerFor(request, admitted)
      const body = await request.body()
      const now = serving.clock()
      const asked: Asked = {
        options,
        request,
        caller,
        body,
        keyed: keyedRequest(request, caller, {
          body,
          options: [String(isAtomic), String(isDryRun)],
          now,
        }),
        isDryRun,
        isAtomic,
        printer,
        now,
      }
      const { companyId, credentialId } = caller
      const reply = await serving.runningKeys.hold(companyId, asked.keyed, () =>
        inTurnIfLong(body, () => write(asked, serving)),
      )
      return {
        status: reply.status,
        headers: { ...headers, ...printer.headers, ...reply.headers },
        body: reply.body,
        about: { companyId, credentialId },
      }
    },
  }
}

const parameters = writeParametersOf(['dryRun', 'atomic'])

/** A parsed write request. */
interface Asked {
  readonly options: WriteOptions
  readonly request: Request
  readonly caller: Caller
  readonly body: Buffer
  /** Null without an Idempotency-Key. */
  readonly keyed: KeyedRequest | null
  readonly isDryRun: boolean
  /** Whether one failed row of a list rolls back all. */
  readonly isAtomic: boolean
  readonly printer: Printer
  readonly now: number
}

/** The reply to one object is its record; to a list, all records or one result per row. */
type AnswerShape = 'record' | 'records' | 'results'

interface Written {
  readonly status: number
  /** Stored for a replay under the same Idempotency-Key. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: WrittenText
}

async function write(asked: Asked, { store }: Serving): Promise<Written> {
  const { options, request, caller, printer } = asked
  const { settings, zone } = caller.company
  const body = await readRecords(asked.body, {
    contentType: request.header('content-type'),
    resource: options.input,
    shape: options.body,
    zone,
    refuseZones: settings.refusesZones,
    isStrict: wantsStrict(request),
    isExact: options.manner.isExact,
    takes: options.manner.isExact ? ['json'] : ['json', 'xml'],
  })
  const rows = await sortRows(body, (row) => options.check(row, caller))
  const { isList } = body
  const shape: AnswerShape = !isList ? 'record' : asked.isAtomic ? 'records' : 'results'
  if (shape !== 'results') refuseBadRows(rows, isList)
  const ignored = ignoredNamesHeader('X-Ignored-Fields', body.ignored)
  try {
    return await store.inTransaction(caller.companyId, async (transaction) => {
      const kept = await replay(asked, transaction)
      if (kept !== null) return kept
      const { stored, ...written } = await act(asked, transaction, rows, shape)
      const reply: Written = {
        status: shape === 'results' ? 200 : options.status,
        body: written.body,
        headers: { 'Content-Type': printer.contentType, ...ignored, ...written.headers },
      }
      // Thrown to roll back the transaction.
      if (asked.isDryRun) throw new DryRun(reply)
      const ids = stored.map(({ record }) => keyOf(options.manner.resource, record))
      await keepReply(transaction, asked.keyed, { ...reply, ids, isList })
      return reply
    })
  } catch (error) {
    if (error instanceof DryRun) return error.written
    throw error
  }
}

/** Every writable resource has a key of one field. */
function keyOf({ key: [name = ''] }: Resource, record: WrittenRecord): RecordKey {
  const key = record[name]
  if (typeof key === 'string' || typeof key === 'number') return key
  throw new Error(`a stored record without ${name}`)
}

async function act(
  asked: Asked,
  transaction: Transaction,
  rows: SortedRows,
  shape: AnswerShape,
): Promise<Pick<Written, 'headers' | 'body'> & { readonly stored: readonly StoredRow[] }> {
  const { options, request, caller, isDryRun, now, printer } = asked
  const deed = deedOf(caller, request.id, now)
  const outcomes = await options.act(transaction, rows.good, deed, request)
  const isList = shape !== 'record'
  if (shape !== 'results') refuseLeftOut(outcomes, isList)
  const stored = storedOf(outcomes)
  const told = options.tell?.(rows.good, stored, asked.keyed !== null) ?? {}
  const [only] = stored
  const found = isList || isDryRun || only === undefined ? {} : printer.headersOf?.(only)
  const headers: Record<string, string> = {
    ...told,
    ...found,
    ...(isDryRun ? { 'X-Dry-Run': 'true' } : {}),
  }
  const body =
    shape === 'results'
      ? await results(asked, rows, outcomes)
      : await printer.records(
          stored.map((one) => shown(asked, one)),
          isList,
        )
  return { stored, headers, body }
}

/** Not atomic: valid rows are stored, and every row gets a result. */
async function results(
  asked: Asked,
  rows: SortedRows,
  outcomes: readonly RowOutcome[],
): Promise<WrittenText> {
  const language = languageOf(asked.request.header('accept-language'))
  const told = rowResults(rows, outcomes, language)
  if (told.length > 0 && told.every((row) => 'code' in row)) {
    const details = problemsOf(rows, outcomes)
    throw new Fault('NothingApplied', { details, problems: details.length })
  }
  const entries = told.map((row) =>
    'code' in row
      ? row
      : { index: row.index, code: codeOf(row.stored), record: shown(asked, row.stored) },
  )
  return asked.printer.results(entries)
}

function codeOf({ isNew, isApplied }: StoredRow): string {
  return isNew ? 'inserted' : isApplied ? 'updated' : 'unchanged'
}

/** In a dry run a new record has no key yet, if the service assigns keys. */
function shown({ options, isDryRun }: Asked, stored: StoredRow): WrittenRecord {
  const { record, isNew, isKeyGiven } = stored
  if (!isNew || !isDryRun || isKeyGiven) return record
  return { ...record, [options.manner.resource.key[0] ?? '']: null }
}

async function replay(
  { keyed, printer, options }: Asked,
  transaction: Transaction,
): Promise<Written | null> {
  const kept = await findReply(transaction, keyed)
  if (kept === null) return null
  const { status } = kept
  const headers = { ...kept.headers, ...replayed }
  if (kept.body !== null) return { status, headers, body: kept.body }
  const current = await options.manner.current(transaction, kept.ids)
  const body = await printer.records(current, kept.isList)
  return { status, headers: { ...headers, 'Content-Type': printer.contentType }, body }
}

/** `Prefer: handling=strict`: unknown fields are errors instead of ignored. */
export function wantsStrict(request: Request): boolean {
  return /\bhandling=strict\b/i.test(request.header('prefer') ?? '')
}

class DryRun extends Error {
  readonly written: Written

  constructor(written: Written) {
    super('a dry run is rolled back')
    this.written = written
  }
}
