// Percent-decoding of URL parts, and rejection of control characters.
import { ApiError } from '../../errors/api-error.ts'

/**
 * Each character of `encoded` is one byte; bytes above ASCII are UTF-8 that was not percent-encoded. `target` is the
 * parameter whose value this is. Throws `InvalidEncoding`, `InvalidUtf8` and `InvalidCharacter`.
 */
export function decodeText(encoded: string, target?: string): string {
  const text = decodePercent(encoded, target)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (isControl(code)) throw decodeError('InvalidCharacter', target, { character: codePoint(code) })
  }
  return text
}

function decodePercent(encoded: string, target: string | undefined): string {
  if (!/[%\x80-\uffff]/.test(encoded)) return encoded
  if (/%(?![\da-f]{2})|[^\0-\xff]/i.test(encoded)) throw decodeError('InvalidEncoding', target)
  try {
    return decodeURIComponent(encoded.replace(/[\x80-\xff]/g, (byte) => `%${hex(byte, 2)}`))
  } catch (cause) {
    throw decodeError('InvalidUtf8', target, {}, cause)
  }
}

/** Line breaks and tabs are allowed: a comment may have several lines. */
function isControl(code: number): boolean {
  return (code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code <= 0x9f)
}

function codePoint(code: number): string {
  return `U+${hex(String.fromCharCode(code), 4)}`
}

function hex(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).toUpperCase().padStart(digits, '0')
}

function decodeError(
  code: 'InvalidEncoding' | 'InvalidUtf8' | 'InvalidCharacter',
  target: string | undefined,
  params: Record<string, string> = {},
  cause?: unknown,
): ApiError {
  return new ApiError(code, { params, cause, ...(target === undefined ? {} : { target }) })
}
