// Response bodies of rows: one string or buffer, or a stream of chunks for many rows.
import type { Awaitable, JsonQueryResult, QueryResult } from '../../store/store.ts'
import type { ArraySerializer } from '../../engine/formats/write/row-serializer.ts'

export type RowsBody = string | readonly (string | Buffer)[] | AsyncIterable<string>

/** The array of rows; a stream if the rows are one. */
export function writeBody(rows: QueryResult, array: ArraySerializer): Awaitable<RowsBody> {
  return 'whole' in rows
    ? array.start + array.rows(rows.whole, true) + array.end
    : startStream(writeChunks(rows.chunks, array, array.rows))
}

/** Whether there are no rows; a stream always has rows. */
export function isEmpty(rows: QueryResult | JsonQueryResult): boolean {
  return 'whole' in rows && rows.whole.length === 0
}

/** The records are JSON already; a page that is a buffer is neither decoded nor copied here. */
export function writeJsonBody(rows: JsonQueryResult, array: ArraySerializer): Awaitable<RowsBody> {
  if (!('whole' in rows))
    return startStream(writeChunks(rows.chunks, array, (text, isFirst) => (isFirst ? text : `,${text}`)))
  const { start, end } = array
  const { whole } = rows
  return typeof whole === 'string' ? start + whole + end : [start, whole, end]
}

async function* writeChunks<Chunk>(
  chunks: AsyncIterable<Chunk>,
  { start, end }: Pick<ArraySerializer, 'start' | 'end'>,
  write: (chunk: Chunk, isFirst: boolean) => string,
) {
  let isFirst = true
  for await (const chunk of chunks) {
    yield (isFirst ? start : '') + write(chunk, isFirst)
    isFirst = false
  }
  yield (isFirst ? start : '') + end
}

/**
 * Waits for the first chunk, so that an earlier error still gets its own status. A caller that disconnects before the
 * first chunk ends the source too, which a generator that has not started would not notice.
 */
async function startStream<T>(chunks: AsyncGenerator<T>): Promise<AsyncIterable<T>> {
  let first: IteratorResult<T> | null = await chunks.next()
  const iterator = {
    next: async () => {
      const next = first ?? (await chunks.next())
      first = null
      return next
    },
    return: () => chunks.return(undefined),
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
