// Row validation and row results: a list is atomic unless the caller chooses otherwise (ADR 0007).
import { ApiError, errorOfDetails, type ErrorDetail } from '../../errors/api-error.ts'
import { errorCatalog, errorMessage } from '../../errors/catalog.ts'
import { message, type Language } from '../../errors/messages.ts'
import { forEachChunk, type Sliceable } from '../../lib/yield-to-event-loop.ts'
import type { WriteOutcome, RejectedOutcome, StoredOutcome } from '../../model/outcome.ts'
import type { ParsedBody, ParsedRow } from '../../engine/formats/read/read-records.ts'
import type { OutputRecord } from '../../engine/formats/write/record-serializer.ts'

/** A valid row as `ApplyRows` gets it: its position, its values, and where references come from. */
export type ValidRow = Pick<ParsedRow, 'location' | 'values' | 'bindAnnotations'>

export type RowOutcome = WriteOutcome<OutputRecord>

export type StoredRow = StoredOutcome<OutputRecord>

/** The valid rows of a body, and the errors of the others. */
export interface ValidatedRows extends Pick<ParsedBody, 'invalid' | 'problems'> {
  readonly valid: Sliceable<ValidRow>
  /** The index of each valid row in the body; empty where all are valid. */
  readonly validIndexes: readonly number[]
}

/** In turns of the event loop. */
export async function selectValid({ rows, invalid, problems }: ParsedBody): Promise<ValidatedRows> {
  if (invalid.size === 0) return { valid: rows, validIndexes: [], invalid, problems }
  const valid: ValidRow[] = []
  const validIndexes: number[] = []
  await forEachChunk(rows, chunkRows, (chunk, start) =>
    chunk.forEach((row, index) => {
      if (invalid.has(start + index)) return
      valid.push(row)
      validIndexes.push(start + index)
    }),
  )
  return { valid, validIndexes, invalid, problems }
}

/** Throws when any row is invalid. */
export function requireValidRows(
  { invalid, problems }: Pick<ParsedBody, 'invalid' | 'problems'>,
  isList: boolean,
): void {
  if (invalid.size === 0) return
  throw rowsError([...invalid.values()].flat(), { count: invalid.size, problems }, isList)
}

/** Throws when rows were rejected, which rolls back the others. */
export function requireAllStored(problems: readonly ErrorDetail[], isList: boolean): void {
  const count = problems.length
  if (count > 0) throw rowsError(problems, { count, problems: count }, isList)
}

/**
 * The error of a single object is its own; that of a list has one code for all its rows, chosen by severity. `count` is
 * the number of rows with findings.
 */
function rowsError(
  details: readonly ErrorDetail[],
  { count, problems }: { readonly count: number; readonly problems: number },
  isList: boolean,
): ApiError {
  if (!isList && details.length > 0) return errorOfDetails(details)
  const statuses = new Set<number>(details.map(({ code }) => errorCatalog[code].status))
  if (statuses.has(404) && !statuses.has(400) && !statuses.has(501))
    return new ApiError('NotFound', {
      details,
      problems,
      params: { what: count === 1 ? message('oneRecord') : message('records', { count }) },
    })
  const code = [400, 422, 501].some((one) => statuses.has(one)) ? 'InvalidRows' : 'Conflict'
  return new ApiError(code, { details, problems, params: { count } })
}

/** The errors of all rows, invalid and rejected, in the order of the body. */
export function listRowErrors(
  { validIndexes, invalid }: ValidatedRows,
  outcomes: readonly RowOutcome[],
): ErrorDetail[] {
  const rejected = outcomes.flatMap((outcome, position): [number, readonly ErrorDetail[]][] =>
    isRejected(outcome) ? [[validIndexes[position] ?? position, [outcome.problem]]] : [],
  )
  return [...invalid, ...rejected].sort(([one], [other]) => one - other).flatMap(([, details]) => details)
}

function isRejected(outcome: RowOutcome): outcome is RejectedOutcome {
  return 'problem' in outcome
}

/** The stored rows. */
export function listStored(outcomes: readonly RowOutcome[]): readonly StoredRow[] {
  return outcomes.every(isStored) ? outcomes : outcomes.filter(isStored)
}

function isStored(outcome: RowOutcome): outcome is StoredRow {
  return !isRejected(outcome)
}

/** Reading this many takes some 0.3 ms. */
const chunkRows = 1000

/** The result of one row of a list that is not atomic. */
export type RowResult = { readonly index: number; readonly stored: StoredRow } | ReturnType<typeof toErrorResult>

/** The results of all rows in the order of the body. */
export function listRowResults(
  { validIndexes, invalid }: ValidatedRows,
  outcomes: readonly RowOutcome[],
  language: Language,
): RowResult[] {
  const results = [...invalid].flatMap(([index, [detail]]): RowResult[] =>
    detail === undefined ? [] : [toErrorResult(index, detail, language)],
  )
  outcomes.forEach((outcome, position) => {
    const index = validIndexes[position] ?? position
    results.push(isRejected(outcome) ? toErrorResult(index, outcome.problem, language) : { index, stored: outcome })
  })
  return results.sort((one, other) => one.index - other.index)
}

export function toErrorResult(index: number, { code, params, target }: ErrorDetail, language: Language) {
  return { index, code, message: errorMessage(code, params, language), target }
}
