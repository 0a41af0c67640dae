// Percent-decoding of URL parts, and rejection of control characters.
import { ApiError } from '../../errors/api-error.ts'
import { codePointName } from '../../lib/code-point.ts'

/**
 * Each character of `encoded` is one byte; bytes above ASCII are UTF-8 that was not percent-encoded. `target` is the
 * parameter whose value this is. Throws `InvalidEncoding`, `InvalidUtf8` and `InvalidCharacter`.
 */
export function decodeText(encoded: string, target?: string): string {
  if (plain.test(encoded)) return encoded
  const text = decodePercent(encoded, target)
  const [character] = control.exec(text) ?? []
  if (character === undefined) return text
  throw decodeError('InvalidCharacter', target, { params: { character: codePointName(character) } })
}

/** Stands for itself: printable ASCII without `%`. */
const plain = /^[\x20-\x24\x26-\x7e]*$/

/** Line breaks and tabs are allowed: a comment may have several lines. */
const control = /[^\P{Cc}\t\n\r]/u

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function decodePercent(encoded: string, target: string | undefined): string {
  if (/%(?![\da-f]{2})|[^\0-\xff]/i.test(encoded)) throw decodeError('InvalidEncoding', target)
  try {
    // `decodeURIComponent` allocates less, and cannot decode bytes.
    return /[\x80-\xff]/.test(encoded)
      ? utf8.decode(Buffer.from(unescape(encoded), 'latin1'))
      : decodeURIComponent(encoded)
  } catch (cause) {
    throw decodeError('InvalidUtf8', target, { cause })
  }
}

function decodeError(
  code: 'InvalidEncoding' | 'InvalidUtf8' | 'InvalidCharacter',
  target: string | undefined,
  details: { readonly params?: Record<string, string>; readonly cause?: unknown } = {},
): ApiError {
  return new ApiError(code, { ...details, target })
}
