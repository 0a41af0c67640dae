// Parser of resource paths: splits the path after the service root into segments.
import { phrase, type Phrase } from '../../../errors/messages.ts'
import { decodeText } from '../lexer/decode.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression } from '../expressions/expression.ts'
import { readKeyValues } from './key.ts'
import { Tokens } from '../lexer/lexer.ts'
import { pathOption, shown, unreadable, unsupported } from '../options/option.ts'
import type { Expression, KeyValue } from '../expressions/syntax.ts'

/** Columns count from 1 in the path as sent, without the slash that ends the service root. */
export type PathSegment = NameSegment | WordSegment | FilterSegment

/**
 * The name of a set, a property or a type; without brackets it may also be a key (key-as-segment), which only the
 * binder can decide. A key is taken byte for byte.
 */
export interface NameSegment {
  readonly kind: 'name'
  readonly name: string
  readonly keys: readonly KeyValue[]
  readonly column: number
}

/** A keyword; the last segment, or the first one. */
export interface WordSegment {
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
      const segment = readSegment(decodeText(encoded), { previous, column, dialect })
      refuseOrder(previous, segment)
      segments.push(segment)
    }
    column += encoded.length + 1
  }
  return segments
}

/** Some keywords must come first, others follow a name; most of them end the path. */
function refuseOrder(previous: PathSegment | undefined, { kind, column }: PathSegment): void {
  if (previous !== undefined && ending.has(previous.kind))
    throw unreadable(pathOption, column, phrase('nothingFollows', { name: previous.kind }))
  if (kind === 'name') return
  if (opening.has(kind) !== (previous === undefined))
    throw unreadable(pathOption, column, phrase('expectedSegment'))
}

const opening: ReadonlySet<PathSegment['kind']> = new Set([
  '$metadata',
  '$batch',
  '$entity',
  '$all',
])

const ending: ReadonlySet<PathSegment['kind']> = new Set([
  '$metadata',
  '$batch',
  '$value',
  '$count',
  '$ref',
])

interface Place {
  readonly previous: PathSegment | undefined
  readonly column: number
  readonly dialect: Dialect
}

function readSegment(text: string, { previous, column, dialect }: Place): PathSegment {
  if (text.startsWith('$')) return readWord(text, column, dialect)
  const bracketAt = text.indexOf('(')
  // A qualified name is not a set; after the name of a set it may be a key.
  if (bracketAt === -1 && previous === undefined && text.includes('.'))
    throw unsupported(pathOption, column, phrase('aTypeCast'))
  if (bracketAt === -1) return { kind: 'name', name: text, keys: [], column }
  const name = text.slice(0, bracketAt)
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name))
    throw unreadable(pathOption, column, phrase('expectedSegment'))
  // A qualified name with brackets at the start is a function call; this service has no functions.
  if (name.includes('.') && previous === undefined)
    throw unsupported(pathOption, column, bracketsAfter(name))
  const tokens = new Tokens(pathOption, text.slice(bracketAt), { before: column - 1 + bracketAt })
  return { kind: 'name', name, keys: readKeys(tokens, name, dialect), column }
}

function readWord(text: string, column: number, dialect: Dialect): PathSegment {
  const kind = words.get(text.toLowerCase())
  if (kind !== undefined) return { kind, column }
  const [word = ''] = text.split('(')
  if (word.toLowerCase() === '$filter' && word !== text)
    return { kind: '$filter', condition: readCondition(text, column, dialect), column }
  if (!foreignWords.has(word.toLowerCase()))
    throw unreadable(pathOption, column, phrase('expectedSegment'))
  throw unsupported(pathOption, column, phrase('theSegment', { name: word }))
}

/** The condition between the brackets of `$filter(…)`. */
function readCondition(text: string, column: number, dialect: Dialect): Expression | AliasName {
  const [alias] = /(?<=^\$filter\()@[\p{L}_][\p{L}\p{N}_]*(?=\)$)/iu.exec(text) ?? []
  if (alias !== undefined) return { kind: 'alias', name: alias }
  const start = '$filter('.length
  const tokens = new Tokens(pathOption, text.slice(start), { before: column - 1 + start })
  const condition = readExpression(tokens, dialect)
  if (!tokens.isAt(')')) throw unreadable(pathOption, tokens.column, phrase('expectedBracket'))
  tokens.next()
  if (tokens.kind !== 'end')
    throw unreadable(pathOption, tokens.column, phrase('expectedSlashOrEnd'))
  return condition
}

const words: ReadonlyMap<string, WordSegment['kind']> = new Map(
  (['$metadata', '$batch', '$entity', '$all', '$value', '$count', '$ref'] as const).map((word) => [
    word,
    word,
  ]),
)

const foreignWords: ReadonlySet<string> = new Set('$crossjoin $each $filter $query'.split(' '))

function bracketsAfter(name: string): Phrase {
  return phrase('bracketsAfter', { name: shown(name) })
}

/** From the opening bracket to the end; empty brackets, or more text after them, would be a function call. */
function readKeys(tokens: Tokens, name: string, dialect: Dialect): KeyValue[] {
  const { option, column } = tokens
  tokens.next()
  if (tokens.isAt(')')) throw unsupported(option, column, bracketsAfter(name))
  const keys = readKeyValues(tokens, () => readExpression(tokens, dialect))
  if (tokens.isAt('(')) throw unsupported(option, tokens.column, bracketsAfter(name))
  if (tokens.kind !== 'end') throw unreadable(option, tokens.column, phrase('expectedSlashOrEnd'))
  return keys
}
