// A write of revenue, from request to reply: who writes, which rows, the act in one transaction, and the answer.
import {
  findReply,
  keepReply,
  keyedRequest,
  replayed,
  type KeyedRequest,
} from '#api/idempotency.ts'
import { inTurnIfLong } from '#api/in-turn.ts'
import { admit, devHeaders, parametersOf, type Operation, type Serving } from '#api/operation.ts'
import {
  problemsOf,
  refuseBadRows,
  refuseLeftOut,
  rowResults,
  sortRows,
  storedOf,
  type SortedRows,
} from '#api/rows.ts'
import type { Caller } from '#auth/caller.ts'
import { Fault, type Detail } from '#faults.ts'
import type { Request } from '#http/request.ts'
import type { Resource } from '#model/resource.ts'
import { revenue } from '#model/revenue.ts'
import { flag } from '#odata/query.ts'
import {
  deedOf,
  type RevenueAct,
  type RevenueRow,
  type RowOutcome,
  type Stored,
} from '#revenue/act.ts'
import type { Transaction } from '#store/store.ts'
import { revenuesById } from '#store/revenues.ts'
import { formatFor, languageOf, type Format } from '#wire/negotiate.ts'
import { readRecords, type ReadRow } from '#wire/read-records.ts'
import { writeRecords, writeResults } from '#wire/write-records.ts'

export interface WriteOptions extends Pick<Operation, 'summary' | 'rule'> {
  readonly input: Resource
  readonly body: 'one' | 'many' | 'either'
  /** What this operation wants of a row beyond what the model says. */
  readonly check: (row: ReadRow) => readonly Detail[]
  readonly act: RevenueAct
  /** Headers that tell how the rows fared. */
  readonly tell?: (
    rows: readonly RevenueRow[],
    stored: readonly Stored[],
    isKeyed: boolean,
  ) => Record<string, string>
}

export const writes = (options: WriteOptions): Operation => ({
  summary: options.summary,
  rule: options.rule,
  scope,
  resource: revenue,
  input: options.input,
  parameters,
  body: options.body,
  answer: 'records',
  handle: async (request, serving) => {
    const { caller, query, headers } = await admit(request, serving, { scope, parameters })
    const isDryRun = flag(query, 'dryRun', false)
    const isAtomic = flag(query, 'atomic', true)
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
      format: formatFor(request.header('accept')),
      now,
    }
    const { companyId, credentialId } = caller
    const reply = await serving.runningKeys.hold(companyId, asked.keyed, () =>
      inTurnIfLong(body, () => write(asked, serving)),
    )
    return {
      status: 200,
      headers: { ...headers, ...devHeaders, ...reply.headers },
      body: reply.body,
      about: { companyId, credentialId },
    }
  },
})

const printed = { resource: revenue, dates: 'midnight' } as const
const scope = 'revenue:write'
const parameters = parametersOf(['dryRun', 'atomic'], 'refused')

/** The request as far as it is understood. */
interface Asked {
  readonly options: WriteOptions
  readonly request: Request
  readonly caller: Caller
  readonly body: Buffer
  /** Null without an Idempotency-Key. */
  readonly keyed: KeyedRequest | null
  readonly isDryRun: boolean
  /** What the caller wants of a list. */
  readonly isAtomic: boolean
  readonly format: Format
  readonly now: number
}

/** One object is answered by its record, a list by all of them, or by what became of each row. */
type AnswerShape = 'record' | 'records' | 'results'

interface Written {
  /** Those that a repeat is given too. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const write = async (asked: Asked, { store }: Serving): Promise<Written> => {
  const { options, request, caller, format } = asked
  const { settings, zone } = caller.company
  const body = await readRecords(asked.body, {
    contentType: request.header('content-type'),
    resource: options.input,
    shape: options.body,
    zone,
    refuseZones: settings.refusesZones,
    isStrict: /\bhandling=strict\b/i.test(request.header('prefer') ?? ''),
  })
  const rows = await sortRows(body, options.check)
  const { isList } = body
  const shape: AnswerShape = !isList ? 'record' : asked.isAtomic ? 'records' : 'results'
  if (shape !== 'results') refuseBadRows(rows, isList)
  const ignored = ignoredFields(body.ignored)
  try {
    return await store.inTransaction(caller.companyId, async (transaction) => {
      const kept = await replay(asked, transaction)
      if (kept !== null) return kept
      const { stored, ...written } = await act(asked, transaction, rows, shape)
      const reply: Written = {
        body: written.body,
        headers: { ...contentType(format), ...ignored, ...written.headers },
      }
      // Thrown, so that the transaction undoes what the answer tells of.
      if (asked.isDryRun) throw new DryRun(reply)
      const ids = stored.map(({ record }) => record.id)
      await keepReply(transaction, asked.keyed, { status: 200, ...reply, ids, isList })
      return reply
    })
  } catch (error) {
    if (error instanceof DryRun) return error.written
    throw error
  }
}

const act = async (
  asked: Asked,
  transaction: Transaction,
  rows: SortedRows,
  shape: AnswerShape,
): Promise<Written & { readonly stored: readonly Stored[] }> => {
  const { options, request, caller, isDryRun, now } = asked
  const outcomes = await options.act(transaction, rows.good, deedOf(caller, request.id, now))
  const isList = shape !== 'record'
  if (shape !== 'results') refuseLeftOut(outcomes, isList)
  const stored = storedOf(outcomes)
  const told = options.tell?.(rows.good, stored, asked.keyed !== null) ?? {}
  const headers: Record<string, string> = isDryRun ? { ...told, 'X-Dry-Run': 'true' } : told
  const body =
    shape === 'results'
      ? await results(asked, rows, outcomes)
      : await writeRecords(
          stored.map((one) => shown(one, isDryRun)),
          { ...printed, isList, format: asked.format },
        )
  return { stored, headers, body }
}

/** The good rows were taken: every row is told what became of it. */
const results = async (
  asked: Asked,
  rows: SortedRows,
  outcomes: readonly RowOutcome[],
): Promise<string> => {
  const language = languageOf(asked.request.header('accept-language'))
  const told = rowResults(rows, outcomes, language)
  if (told.length > 0 && told.every((row) => 'code' in row)) {
    const details = problemsOf(rows, outcomes)
    throw new Fault('NothingApplied', { details, problems: details.length })
  }
  const entries = told.map((row) =>
    'code' in row
      ? row
      : { index: row.index, code: codeOf(row.stored), record: shown(row.stored, asked.isDryRun) },
  )
  return writeResults(entries, { ...printed, format: asked.format })
}

const codeOf = ({ isNew, isApplied }: Stored): string =>
  isNew ? 'inserted' : isApplied ? 'updated' : 'unchanged'

/** A dry run's new records have no key yet. */
const shown = ({ record, isNew }: Stored, isDryRun: boolean) =>
  isNew && isDryRun ? { ...record, id: null } : record

const replay = async (
  { keyed, format }: Asked,
  transaction: Transaction,
): Promise<Written | null> => {
  const kept = await findReply(transaction, keyed)
  if (kept === null) return null
  const headers = { ...kept.headers, ...replayed }
  if (kept.body !== null) return { headers, body: kept.body }
  const records = await revenuesById(transaction, kept.ids)
  const current = kept.ids.flatMap((id) => records.get(id) ?? [])
  const body = await writeRecords(current, { ...printed, isList: kept.isList, format })
  return { headers: { ...headers, ...contentType(format) }, body }
}

const contentType = (format: Format) => ({
  'Content-Type': `application/${format}; charset=utf-8`,
})

/** At most twenty names, percent-encoded: they are the caller's words in a header of ours. */
const ignoredFields = (names: readonly string[]): Record<string, string> =>
  names.length === 0
    ? {}
    : { 'X-Ignored-Fields': names.slice(0, 20).map(encodeURIComponent).join(', ') }

class DryRun extends Error {
  readonly written: Written

  constructor(written: Written) {
    super('a dry run is undone')
    this.written = written
  }
}
