// Literal scan: separates the literals of an expression from the text around them, without parsing it.
import { literalType } from './literals.ts'
import type { LiteralType } from '../expressions/syntax.ts'

/** A literal as it stands in the text. */
export interface ScannedLiteral {
  /** Where it starts, from 1. */
  readonly column: number
  readonly isQuoted: boolean
  /** Without quotes, `''` as one quote. */
  readonly value: string
  /** The type of an unquoted literal, and of a date in quotes; undefined for any other text. */
  readonly type: LiteralType | undefined
}

export interface LiteralScan {
  readonly literals: readonly ScannedLiteral[]
  /** The text with a mark in place of each literal, which states its type. */
  readonly shape: string
}

/**
 * Finds strings, numbers and dates: `Dato ge 2024-01-01 and Id in (1,2)` has three. Keywords such as `null` stay in the
 * shape. Null for text that contains the mark itself.
 */
export function scanLiterals(text: string): LiteralScan | null {
  if (text.includes(mark)) return null
  const literals: ScannedLiteral[] = []
  let shape = ''
  let end = 0
  literal.lastIndex = 0
  for (let found = literal.exec(text); found !== null; found = literal.exec(text)) {
    const [written] = found
    const isQuoted = written.startsWith("'")
    const value = isQuoted ? unquote(written) : written
    const type = isQuoted && value[4] !== '-' ? undefined : literalType(value)
    literals.push({ column: found.index + 1, isQuoted, value, type })
    shape += `${text.slice(end, found.index)}${mark}${isQuoted ? "'" : ''}${type ?? ''}`
    end = literal.lastIndex
  }
  return { literals, shape: shape + text.slice(end) }
}

/** No valid expression contains it outside of a string. */
const mark = '\u0000'

/** A string, or what begins with a digit or a sign outside of a word; the lexer mostly ends them at the same characters, and a request is planned each time where it does not. */
const literal = /'(?:[^']|'')*'|(?<![0-9A-Za-z_.$@\u0080-\uffff])[+-]?[0-9][0-9A-Za-z_.:+-]*/g

function unquote(written: string): string {
  const inside = written.slice(1, -1)
  return inside.includes("'") ? inside.replaceAll("''", "'") : inside
}
