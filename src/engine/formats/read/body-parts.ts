// Body parts: a body decoded part by part, because to decode a long one at once takes tens of milliseconds, in which nobody else is served.
import { ApiError } from '../../../errors/api-error.ts'
import { decodableBytes } from './body-text.ts'

/** Characters of an element of a list, which is read without a yield, and of what is outside of a list. */
export const elementCharactersMax = 2 * 1024 * 1024

/** The element is named as in `[3]`. Throws `ValueTooLong`. */
export function requireShortElement(characters: number, element: string): void {
  if (characters <= elementCharactersMax) return
  const params = { field: element, max: elementCharactersMax, limitName: 'elementCharactersMax' }
  throw new ApiError('ValueTooLong', { target: element, params })
}

/** A part that is decoded at once, unless another size is given. */
export const partBytes = 32 * 1024

export class BodyParts {
  readonly #body: Buffer
  readonly #partBytes: number
  /** Where the rest of the body begins. */
  #undecoded = 0

  /** Throws `InvalidUtf8`. */
  constructor(body: Buffer, bytes = partBytes) {
    this.#body = decodableBytes(body)
    this.#partBytes = bytes
  }

  /** The next part behind `rest`, the end of the one before, which it begins with; null at the end of the body. */
  next(rest = ''): string | null {
    if (this.#undecoded === this.#body.length) return null
    const start = this.#undecoded - Buffer.byteLength(rest)
    // Doubled for a long rest, which so is decoded about twice.
    this.#undecoded = characterEnd(this.#body, start + Math.max(this.#partBytes, 2 * (this.#undecoded - start)))
    return this.#body.toString('utf8', start, this.#undecoded)
  }
}

/** The last position until `end`, or until that of the body, that is not inside of a character. */
function characterEnd(body: Buffer, end: number): number {
  let at = Math.min(end, body.length)
  while (at > 0 && ((body[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
}
