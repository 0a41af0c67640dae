// Decodes request bodies as UTF-8.
import { isUtf8 } from 'node:buffer'
import { ApiError } from '../../../errors/api-error.ts'

/**
 * A leading byte order mark is skipped. Throws `InvalidUtf8`, also for UTF-16, whose ASCII characters are valid UTF-8 with
 * NULs between them.
 */
export function decodeBodyText(body: Buffer): string {
  return decodableBytes(body).toString()
}

/** The bytes of the text, without a leading byte order mark. Throws `InvalidUtf8` as `decodeBodyText` does. */
export function decodableBytes(body: Buffer): Buffer {
  if (!isUtf8(body) || body[0] === 0 || body[1] === 0) throw new ApiError('InvalidUtf8')
  return hasByteOrderMark(body) ? body.subarray(3) : body
}

/** Of UTF-8. */
export function hasByteOrderMark(body: Buffer): boolean {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
}
