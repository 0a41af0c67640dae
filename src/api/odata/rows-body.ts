// The rows of a plan as the body of an answer: in one piece, or in pieces as the caller takes them.
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import type { Client, JsonRows, Rows, Store, RowForm } from '../../store/store.ts'
import type { ArrayWriter } from '../../engine/formats/write/write-rows.ts'

export type RowsBody = string | Buffer | AsyncIterable<string | Buffer>

/** What the rows are printed as, and what stands around them. */
export interface Around {
  readonly array: ArrayWriter
  readonly form: RowForm
}

/** The array of the plan's records; a long one in pieces. */
export async function rowsBody(
  plan: ReadPlan,
  store: Store,
  { array, form }: Around,
  client: Client,
): Promise<RowsBody> {
  if (form === 'json') {
    const read = store.readJson(plan, client)
    return jsonBody(read instanceof Promise ? await read : read, array)
  }
  const read = store.readRows(plan, form, client)
  return bodyOf(read instanceof Promise ? await read : read, array)
}

/** The array of rows that were read, or begun to be. */
export function bodyOf(rows: Rows, array: ArrayWriter): RowsBody | Promise<RowsBody> {
  return 'whole' in rows
    ? array.start + array.rows(rows.whole, true) + array.end
    : started(pieces(array, rows))
}

/** Whether there is not one row; what comes in batches has many. */
export function isEmpty(rows: Rows | JsonRows): boolean {
  return 'whole' in rows && rows.whole.length === 0
}

/** The records are printed already, and a long page of them is never made a text. */
export function jsonBody(
  rows: JsonRows,
  { start, end }: ArrayWriter,
): RowsBody | Promise<RowsBody> {
  if (!('whole' in rows)) return started(jsonPieces(rows, start, end))
  const { whole } = rows
  return typeof whole === 'string' || whole.length < textLength
    ? start + String(whole) + end
    : Buffer.concat([Buffer.from(start), whole, Buffer.from(end)])
}

/** A short body leaves in one piece with its head where both are texts. */
const textLength = 16_384

type Batches<R> = Extract<R, { batches: unknown }>

async function* jsonPieces({ batches }: Batches<JsonRows>, start: string, end: string) {
  let isFirst = true
  for await (const text of batches) {
    yield (isFirst ? start : ',') + text
    isFirst = false
  }
  yield (isFirst ? start : '') + end
}

async function* pieces(writer: ArrayWriter, { batches }: Batches<Rows>) {
  let isFirst = true
  for await (const rows of batches) {
    yield (isFirst ? writer.start : '') + writer.rows(rows, isFirst)
    isFirst = false
  }
  yield (isFirst ? writer.start : '') + writer.end
}

/**
 * Waits for the first piece, so that what goes wrong before it is still answered with its own status. Whoever
 * leaves before taking it ends the pieces too: a generator would not hear of that before it was begun.
 */
async function started<T>(pieces: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  let first: IteratorResult<T> | null = await pieces.next()
  const iterator = {
    next: async () => {
      const next = first ?? (await pieces.next())
      first = null
      return next
    },
    return: () => pieces.return(undefined),
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
