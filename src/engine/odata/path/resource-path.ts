// Parser of resource paths: splits the path after the service root into segments.
import { message } from '../../../errors/messages.ts'
import { decodeText } from '../percent-decoding.ts'
import type { Dialect } from '../dialect.ts'
import { parseExpression } from '../expressions/parse-expression.ts'
import { parseKeyPredicate } from './key.ts'
import { TokenStream } from '../lexer/lexer.ts'
import { invalidOptionError, parenthesisAfter, pathOption, unsupportedError } from '../options/option.ts'
import type { Expression, KeyPredicateValue } from '../expressions/syntax.ts'

/** Columns count from 1 in the path as sent, without the slash that ends the service root. */
export type PathSegment = NameSegment | KeywordSegment | FilterSegment

/**
 * The name of a set, a property or a type; without brackets it may also be a key (key-as-segment), which only the
 * binder can decide. A key is taken byte for byte.
 */
export interface NameSegment {
  readonly kind: 'name'
  readonly name: string
  readonly keys: readonly KeyPredicateValue[]
  readonly column: number
}

/** A keyword; the last segment, or the first one. */
export interface KeywordSegment {
  readonly kind: '$metadata' | '$batch' | '$entity' | '$all' | '$value' | '$count' | '$ref'
  readonly column: number
}

/** `$filter(Navn eq 'x')`, or `$filter(@name)` with the condition in the query (OData 4.01 part 2, 4.12). */
export interface FilterSegment {
  readonly kind: '$filter'
  readonly condition: Expression | AliasName
  readonly column: number
}

export interface AliasName {
  readonly kind: 'alias'
  readonly name: string
}

/**
 * The segments of a percent-encoded path; empty for the service root. Repeated and trailing slashes are ignored.
 * Throws `NotSupported` for features of the standard that this service lacks, and `InvalidPath` for syntax errors.
 */
export function parseResourcePath(path: string, dialect: Dialect): readonly PathSegment[] {
  const segments: PathSegment[] = []
  let column = 1
  for (const encoded of path.split('/')) {
    if (encoded !== '') {
      const previous = segments.at(-1)
      const segment = parseSegment(decodeText(encoded), { previous, column, dialect })
      requireSegmentOrder(previous, segment)
      segments.push(segment)
    }
    column += encoded.length + 1
  }
  return segments
}

/** Some keywords must come first, others follow a name; most of them end the path. */
function requireSegmentOrder(previous: PathSegment | undefined, { kind, column }: PathSegment): void {
  if (previous !== undefined && lastKeywords.has(previous.kind))
    throw invalidOptionError(pathOption, column, message('nothingFollows', { name: previous.kind }))
  if (kind === 'name') return
  if (firstKeywords.has(kind) !== (previous === undefined))
    throw invalidOptionError(pathOption, column, 'expectedSegment')
}

const firstKeywords: ReadonlySet<string> = new Set('$metadata $batch $entity $all'.split(' '))
const lastKeywords: ReadonlySet<string> = new Set('$metadata $batch $value $count $ref'.split(' '))

interface SegmentContext {
  readonly previous: PathSegment | undefined
  readonly column: number
  readonly dialect: Dialect
}

function parseSegment(text: string, { previous, column, dialect }: SegmentContext): PathSegment {
  if (text.startsWith('$')) return parseKeyword(text, column, dialect)
  const bracketAt = text.indexOf('(')
  // A qualified name is not a set; after the name of a set it may be a key.
  if (bracketAt === -1 && previous === undefined && text.includes('.'))
    throw unsupportedError(pathOption, column, 'aTypeCast')
  if (bracketAt === -1) return { kind: 'name', name: text, keys: [], column }
  const name = text.slice(0, bracketAt)
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name))
    throw invalidOptionError(pathOption, column, 'expectedSegment')
  // A qualified name with brackets at the start is a function call; this service has no functions.
  if (name.includes('.') && previous === undefined) throw unsupportedError(pathOption, column, parenthesisAfter(name))
  const tokens = new TokenStream(pathOption, text.slice(bracketAt), { columnOffset: column - 1 + bracketAt })
  return { kind: 'name', name, keys: parseKeys(tokens, name, dialect), column }
}

function parseKeyword(text: string, column: number, dialect: Dialect): PathSegment {
  const kind = keywords.get(text.toLowerCase())
  if (kind !== undefined) return { kind, column }
  const [word = ''] = text.split('(')
  if (word.toLowerCase() === '$filter' && word !== text)
    return { kind: '$filter', condition: parseFilterCondition(text, column, dialect), column }
  if (!unsupportedKeywords.has(word.toLowerCase())) throw invalidOptionError(pathOption, column, 'expectedSegment')
  throw unsupportedError(pathOption, column, message('theSegment', { name: word }))
}

/** The condition between the brackets of `$filter(…)`. */
function parseFilterCondition(text: string, column: number, dialect: Dialect): Expression | AliasName {
  const [alias] = /(?<=^\$filter\()@[\p{L}_][\p{L}\p{N}_]*(?=\)$)/iu.exec(text) ?? []
  if (alias !== undefined) return { kind: 'alias', name: alias }
  const start = '$filter('.length
  const tokens = new TokenStream(pathOption, text.slice(start), { columnOffset: column - 1 + start })
  const condition = parseExpression(tokens, dialect)
  tokens.expect(')')
  tokens.expectEnd('expectedSlashOrEnd')
  return condition
}

const keywords: ReadonlyMap<string, KeywordSegment['kind']> = new Map(
  (['$metadata', '$batch', '$entity', '$all', '$value', '$count', '$ref'] as const).map((word) => [word, word]),
)

const unsupportedKeywords: ReadonlySet<string> = new Set('$crossjoin $each $filter $query'.split(' '))

/** From the opening bracket to the end; empty brackets, or more text after them, would be a function call. */
function parseKeys(tokens: TokenStream, name: string, dialect: Dialect): KeyPredicateValue[] {
  const { option, column } = tokens
  tokens.next()
  if (tokens.isAt(')')) throw unsupportedError(option, column, parenthesisAfter(name))
  const keys = parseKeyPredicate(tokens, () => parseExpression(tokens, dialect))
  if (tokens.isAt('(')) throw tokens.unsupported(parenthesisAfter(name))
  tokens.expectEnd('expectedSlashOrEnd')
  return keys
}
