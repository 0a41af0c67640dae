// The literals that are written without quotes, one row each: how a run of digits and the like is understood.
import type { LiteralType } from '#odata/syntax.ts'

interface LiteralForm {
  readonly type: LiteralType
  readonly pattern: RegExp
}

const forms: readonly LiteralForm[] = [
  { type: 'number', pattern: /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i },
  { type: 'date', pattern: /^\d{4}-\d\d-\d\d$/ },
  {
    type: 'dateTime',
    // Without seconds, with any number of decimals of them, with or without zone.
    pattern: /^\d{4}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  },
]

/** What kind of literal the text is. Whether such a day exists is not asked here. */
export const literalType = (text: string): LiteralType | undefined =>
  forms.find(({ pattern }) => pattern.test(text))?.type

/** The words that are literals, in any letter case. */
export const literalWords: ReadonlyMap<string, LiteralType> = new Map([
  ['null', 'null'],
  ['true', 'boolean'],
  ['false', 'boolean'],
])
