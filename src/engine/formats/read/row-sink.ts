// Interface between body readers (JSON, XML) and their consumer: rows, values and body types.
import { phrase, type Phrase } from '../../../errors/messages.ts'

/** A number as its digits in the text; the type of the field decides how they are parsed. */
export class NumberText {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

/** An array or object in place of a plain value. Its contents are only checked for syntax. */
export class Nested {
  readonly kind: 'array' | 'object'

  constructor(kind: 'array' | 'object') {
    this.kind = kind
  }
}

/** A string with a character that cannot be stored, like `U+0000`. */
export class UnfitText {
  readonly character: string

  constructor(character: string) {
    this.character = character
  }
}

/** A value of a body before it is parsed by the type of its field. */
export type Written = string | NumberText | boolean | null | Nested | UnfitText

export interface RowSink {
  begin(isListed: boolean): void
  member(name: string, value: Written): void
  end(): void
  /** Reports a list element that is not a row. */
  stray(value: Written): void
}

/** What a body may be: one record, a list, or either. */
export type Shape = 'one' | 'many' | 'either'

/**
 * Reads a body into a sink. Yields regularly, so that a long list does not block the event loop, and returns whether
 * the body was a list.
 */
export type RowReading = Generator<void, boolean>

/** The name of a value's type in an error message. */
export function kindOf(value: Written): string | Phrase {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (value instanceof NumberText) return phrase('aNumber')
  if (value instanceof Nested) return phrase(value.kind === 'array' ? 'anArray' : 'anObject')
  return phrase('aText')
}

/** The name of the expected body type in an error message. */
export const shapeNames: Readonly<Record<Shape, Phrase>> = {
  one: phrase('anObject'),
  many: phrase('anArray'),
  either: phrase('anObjectOrArray'),
}
