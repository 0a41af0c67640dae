// What a body comes to, row by row, in whatever it was written: the readers tell, `read-records` listens.
import { phrase, type Phrase } from '../../../errors/messages.ts'

/** A number by its digits, as they stood in the text; only the model says what they count. */
export class NumberText {
  readonly digits: string

  constructor(digits: string) {
    this.digits = digits
  }
}

/** Something with parts where a plain value belongs. Its parts were read for their syntax alone. */
export class Nested {
  readonly kind: 'array' | 'object'

  constructor(kind: 'array' | 'object') {
    this.kind = kind
  }
}

/** A text with a character that no database keeps: `U+0000`. */
export class UnfitText {
  readonly character: string

  constructor(character: string) {
    this.character = character
  }
}

/** One value as the body writes it. */
export type Written = string | NumberText | boolean | null | Nested | UnfitText

export interface RowSink {
  begin(isListed: boolean): void
  member(name: string, value: Written): void
  end(): void
  /** An element that is no row. */
  stray(value: Written): void
}

/** What a body may be: one record, a list, or the caller's choice. */
export type Shape = 'one' | 'many' | 'either'

/**
 * Reads a body and tells it to a sink. It stops at places where others may be let in, so that a long list
 * never holds the process, and returns whether the body was a list.
 */
export type RowReading = Generator<void, boolean>

/** What a refusal calls a value. */
export function kindOf(value: Written): string | Phrase {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (value instanceof NumberText) return phrase('aNumber')
  if (value instanceof Nested) return phrase(value.kind === 'array' ? 'anArray' : 'anObject')
  return phrase('aText')
}

/** What a refusal calls the body that belongs here. */
export const shapeNames: Readonly<Record<Shape, Phrase>> = {
  one: phrase('anObject'),
  many: phrase('anArray'),
  either: phrase('anObjectOrArray'),
}
