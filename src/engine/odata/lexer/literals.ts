// The literals, one row each: how a run of digits and the like, and what stands in quotes after a word, is understood.
import type { LiteralType } from '../expressions/syntax.ts'

interface LiteralForm {
  readonly type: LiteralType
  readonly pattern: RegExp
}

const forms: readonly LiteralForm[] = [
  { type: 'number', pattern: /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i },
  { type: 'date', pattern: /^-?\d{4,}-\d\d-\d\d$/ },
  {
    type: 'dateTime',
    // Without seconds, with any number of decimals of them, with or without zone.
    pattern: /^-?\d{4,}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  },
  { type: 'timeOfDay', pattern: /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/ },
  { type: 'guid', pattern: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i },
]

/** What kind of literal the text is. Whether such a day exists is not asked here. */
export function literalType(text: string): LiteralType | undefined {
  return forms.find(({ pattern }) => pattern.test(text))?.type
}

/** The words that are literals, in any letter case. */
export const literalWords: ReadonlyMap<string, LiteralType> = new Map([
  ['null', 'null'],
  ['true', 'boolean'],
  ['false', 'boolean'],
])

/** The numbers that are words; they have one spelling. */
export const numberWords: ReadonlySet<string> = new Set(['INF', 'NaN'])

/** What may stand in quotes right after a word in lower case, like `duration'PT8H'`. */
export const quotedForms: ReadonlyMap<string, LiteralForm> = new Map([
  [
    'duration',
    {
      type: 'duration',
      pattern: /^[+-]?P(?!$)(?:\d+D)?(?:T(?!$)(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?$/i,
    },
  ],
  ['binary', { type: 'binary', pattern: /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/ }],
])

/** What a text is that may stand in quotes after a word. */
export function quotedTypeOf(text: string): LiteralType | undefined {
  return quotedForms.get('duration')?.pattern.test(text) ? 'duration' : undefined
}

/** After the qualified name of an enumeration: members or their numbers, with commas between them. */
export const enumForm: LiteralForm = {
  type: 'enum',
  pattern: /^(?:[\p{L}_][\p{L}\p{N}_]*|[+-]?\d+)(?:,(?:[\p{L}_][\p{L}\p{N}_]*|[+-]?\d+))*$/u,
}

/** Shapes on a map, which this house has none of. */
export const geoPrefixes: ReadonlySet<string> = new Set(['geography', 'geometry'])
