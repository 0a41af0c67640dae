// Interface between body readers (JSON, XML) and their consumer: rows, values and body types.
import { message, type LocalizedMessage } from '../../../errors/messages.ts'

/** A number as its digits in the text; the type of the field decides how they are parsed. */
export class NumberText {
  readonly text: string

  constructor(digits: string) {
    this.text = digits
  }
}

/** An array or object in place of a plain value. Its contents are only checked for syntax. */
export class NestedValue {
  readonly kind: 'array' | 'object'

  constructor(kind: 'array' | 'object') {
    this.kind = kind
  }
}

/** A string with a character that cannot be stored, like `U+0000`. */
export class InvalidText {
  readonly character: string

  constructor(character: string) {
    this.character = character
  }
}

/** A value of a body before it is parsed by the type of its field. */
export type BodyValue = string | NumberText | boolean | null | NestedValue | InvalidText

/** A string, or the digits of a number; null for any other value. */
export function textOf(value: BodyValue): string | null {
  if (typeof value === 'string') return value
  return value instanceof NumberText ? value.text : null
}

export interface RowSink {
  begin(isListed: boolean): void
  member(name: string, value: BodyValue): void
  end(): void
  /** Reports a list element that is not a row. */
  invalidElement(value: BodyValue): void
  /** Reports a member beside the list of rows. */
  ignoredMember(name: string): void
}

/** What a body may be: one record, a list, or either. */
export type BodyShape = 'one' | 'many' | 'either'

/**
 * Reads a body into a sink. Yields regularly, so that a long list does not block the event loop, and returns whether
 * the body was a list.
 */
export type RowParsing = Generator<void, boolean>

/** The name of a value's type in an error message. */
export function describeValue(value: BodyValue): string | LocalizedMessage {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (value instanceof NumberText) return message('aNumber')
  if (value instanceof NestedValue) return message(value.kind === 'array' ? 'anArray' : 'anObject')
  return message('aString')
}

/** A value in an error message, where its type alone does not say what is wrong with it. */
export function quoteValue(value: BodyValue): string | LocalizedMessage {
  if (value instanceof NumberText) return value.text.slice(0, quotedLengthMax)
  if (typeof value === 'string') return `"${value.slice(0, quotedLengthMax).toWellFormed()}"`
  return describeValue(value)
}

const quotedLengthMax = 40

/** The name of the expected body type in an error message. */
export const shapeNames: Readonly<Record<BodyShape, LocalizedMessage>> = {
  one: message('anObject'),
  many: message('anArray'),
  either: message('anObjectOrArray'),
}
