// Row validation and row results: a list is atomic unless the caller chooses otherwise (ADR 0007).
import { Fault, faults, sentence, type Detail } from '../../errors/catalog.ts'
import { phrase, type Language } from '../../errors/messages.ts'
import { inSlices } from '../../lib/yield-to-event-loop.ts'
import type { Outcome, Refused, Stored } from '../../model/outcome.ts'
import type { ReadBody, ReadRow } from '../../engine/formats/read/read-records.ts'
import type { WrittenRecord } from '../../engine/formats/write/write-records.ts'

/** A valid row as a handler gets it: its position and its values. */
export type GoodRow = Pick<ReadRow, 'place' | 'values'>

export type RowOutcome = Outcome<WrittenRecord>

export type StoredRow = Stored<WrittenRecord>

/** The rows of a body, split into valid and invalid ones. */
export interface SortedRows {
  readonly good: readonly GoodRow[]
  /** The index of each valid row in the body. */
  readonly goodAt: readonly number[]
  readonly bad: ReadonlyMap<number, readonly Detail[]>
}

export async function sortRows(
  body: ReadBody,
  check: (row: ReadRow) => readonly Detail[],
): Promise<SortedRows> {
  const good: GoodRow[] = []
  const goodAt: number[] = []
  const bad = new Map<number, readonly Detail[]>()
  await inSlices(body.rows, 5000, (slice, start) =>
    slice.forEach((row, index) => {
      const details = row.details.length > 0 ? row.details : check(row)
      if (details.length > 0) {
        bad.set(start + index, details)
        return
      }
      good.push(row)
      goodAt.push(start + index)
    }),
  )
  return { good, goodAt, bad }
}

/** Throws when any row is invalid. */
export function refuseBadRows({ bad }: SortedRows, isList: boolean): void {
  if (bad.size > 0) throw refusal([...bad.values()].flat(), bad.size, isList)
}

/** Throws when the handler rejected a row, which rolls back the others. */
export function refuseLeftOut(outcomes: readonly RowOutcome[], isList: boolean): void {
  const details = outcomes.filter(isRefused).map(({ refused }) => refused)
  if (details.length > 0) throw refusal(details, details.length, isList)
}

/** The error of a single object is its own; that of a list has one code for all its rows, chosen by severity. */
function refusal(details: readonly Detail[], count: number, isList: boolean): Fault {
  const [first] = details
  if (!isList && first !== undefined)
    return new Fault(first.code, {
      says: first.says,
      ...(first.target === null ? {} : { target: first.target }),
      ...(first.existing === undefined ? {} : { existing: first.existing }),
      ...(details.length === 1 ? {} : { details }),
    })
  const statuses = new Set<number>(details.map(({ code }) => faults[code].status))
  if (statuses.has(404) && !statuses.has(400))
    return new Fault('NotFound', {
      details,
      problems: count,
      says: { what: phrase('records', { count }) },
    })
  const code = statuses.has(400) || statuses.has(422) ? 'InvalidRows' : 'Conflict'
  return new Fault(code, { details, problems: count, says: { count } })
}

/** The errors of all rows, invalid and rejected, in the order of the body. */
export function problemsOf({ goodAt, bad }: SortedRows, outcomes: readonly RowOutcome[]): Detail[] {
  const leftOut = outcomes.flatMap((outcome, position): [number, readonly Detail[]][] =>
    isRefused(outcome) ? [[goodAt[position] ?? position, [outcome.refused]]] : [],
  )
  return [...bad, ...leftOut]
    .sort(([one], [other]) => one - other)
    .flatMap(([, details]) => details)
}

function isRefused(outcome: RowOutcome): outcome is Refused {
  return 'refused' in outcome
}

function isStored(outcome: RowOutcome): outcome is StoredRow {
  return !isRefused(outcome)
}

export function storedOf(outcomes: readonly RowOutcome[]): StoredRow[] {
  return outcomes.filter(isStored)
}

/** The result of one row of a list that is not atomic. */
export type RowResult =
  | { readonly index: number; readonly stored: StoredRow }
  | {
      readonly index: number
      readonly code: string
      readonly message: string
      readonly target: string | null
    }

/** The results of all rows in the order of the body. */
export function rowResults(
  { goodAt, bad }: SortedRows,
  outcomes: readonly RowOutcome[],
  language: Language,
): RowResult[] {
  const told = (index: number, { code, says, target }: Detail): RowResult => ({
    index,
    code,
    message: sentence(code, says, language),
    target,
  })
  const results = [...bad].flatMap(([index, [detail]]) =>
    detail === undefined ? [] : told(index, detail),
  )
  outcomes.forEach((outcome, position) => {
    const index = goodAt[position] ?? position
    results.push(isRefused(outcome) ? told(index, outcome.refused) : { index, stored: outcome })
  })
  return results.sort((one, other) => one.index - other.index)
}
