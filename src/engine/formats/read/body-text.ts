// Decodes request bodies as UTF-8.
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../../errors/api-error.ts'

/** A leading byte order mark is skipped. Throws `InvalidUtf8`. */
export function decodeBodyText(body: Buffer): string {
  if (!isUtf8(body)) throw new ApiError('InvalidUtf8')
  return body.toString('utf8', hasByteOrderMark(body) ? 3 : 0)
}

function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
