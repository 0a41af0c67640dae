// Body fields of actions on lines: ids, reason, and when the lines were read.
import { shortText, textIn, type BodyFields } from '../body.ts'
import { fieldError } from '../../errors/api-error.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { message } from '../../errors/messages.ts'

/** Throws `MissingField` and `ValueTooLong`. */
export function reasonIn(fields: BodyFields): string {
  return shortText(fields, 'reason', materialTransaction.fields.remark.lengthMax)
}

/** Parses ids such as `3-7,12`. Throws `InvalidValue` for other text, and for too many ids. */
export function idsIn(fields: BodyFields): number[] {
  const text = textIn(fields, 'ids')
  const wrong = () => fieldError('InvalidValue', 'ids', { problem: message('invalidIdList', { max: idsMax }) })
  if (!/^\d{1,15}(-\d{1,15})?(,\d{1,15}(-\d{1,15})?)*$/.test(text)) throw wrong()
  const ids = new Set<number>()
  // Counts repeated ids too: the same range a hundred thousand times is work as well.
  let named = 0
  for (const run of text.split(',')) {
    const [first = 0, last = first] = run.split('-').map(Number)
    named += Math.max(0, last - first + 1)
    if (named > idsMax) throw wrong()
    for (let id = first; id <= last; id++) ids.add(id)
  }
  return [...ids]
}

/** The timestamp of a reply; null if none is sent. Throws `InvalidNumber`. */
export function readAtIn(fields: BodyFields): number | null {
  const text = fields.get('readAt') ?? null
  if (text === null) return null
  if (!/^\d{1,16}$/.test(text)) throw fieldError('InvalidNumber', 'readAt')
  return Number(text)
}

/** How many lines one action takes. */
export const idsMax = 100_000
