// Literal forms: the pattern and type of each literal of the ABNF, unquoted and quoted.
import { durationPattern } from '../../../lib/duration.ts'
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
    // Seconds are optional, with any number of decimals; the UTC offset is optional.
    pattern: /^-?\d{4,}-\d\d-\d\d[t ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d(?::?\d\d)?)?$/i,
  },
  { type: 'timeOfDay', pattern: /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/ },
  { type: 'guid', pattern: /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i },
]

/** The type of an unquoted literal. Does not check that the date exists. */
export function literalType(text: string): LiteralType | undefined {
  return forms.find(({ pattern }) => pattern.test(text))?.type
}

/** The prefix of dates in OData 2 and 3: `datetime'2013-01-01'`; in lower case. */
export const datePrefix = 'datetime'

/** The text without the type suffix of a number in OData 2 and 3: `12.5M`; any other text as it is. */
export function withoutNumberSuffix(text: string): string {
  const number = text.slice(0, -1)
  return /[dflm]$/i.test(text) && literalType(number) === 'number' ? number : text
}

/** The keywords that are literals, in any letter case. */
export const keywordLiterals: ReadonlyMap<string, LiteralType> = new Map([
  ['null', 'null'],
  ['true', 'boolean'],
  ['false', 'boolean'],
])

/** The number keywords, which are case-sensitive. */
export const numberKeywords: ReadonlySet<string> = new Set(['INF', 'NaN'])

/** The content of quoted literals with a lower-case prefix, like `duration'PT8H'`. */
export const prefixedForms: ReadonlyMap<string, LiteralForm> = new Map([
  ['duration', { type: 'duration', pattern: durationPattern }],
  ['binary', { type: 'binary', pattern: /^(?:[\w-]{4})*(?:[\w-]{2}(?:==)?|[\w-]{3}=?)?$/ }],
])

/** The type of the literal that a string contains: `'1'`, `'true'`, or a quoted literal without its prefix, `'PT8H'`. */
export function typeInString(text: string): LiteralType | undefined {
  const type = keywordLiterals.get(text.toLowerCase()) ?? literalType(text)
  return type ?? (durationPattern.test(text) ? 'duration' : undefined)
}

/** After the qualified name of an enumeration: member names or numbers, separated by commas. */
export const enumForm: LiteralForm = {
  type: 'enum',
  pattern: /^(?:[\p{L}_][\p{L}\p{N}_]*|[+-]?\d+)(?:,(?:[\p{L}_][\p{L}\p{N}_]*|[+-]?\d+))*$/u,
}

/** Prefixes of geography literals, which this service does not support. */
export const geographyPrefixes: ReadonlySet<string> = new Set(['geography', 'geometry'])
