// What follows the root of a service in an address: a set, a record of it, and the way on from there.
import { phrase, type Phrase } from '../../../errors/messages.ts'
import { decodeText } from '../lexer/decode.ts'
import type { Dialect } from '../lexer/dialect.ts'
import { readExpression } from '../expressions/expression.ts'
import { readKeyValues } from './key.ts'
import { Tokens } from '../lexer/lexer.ts'
import { pathOption, shown, unreadable, unsupported } from '../options/option.ts'
import type { Expression, KeyValue } from '../expressions/syntax.ts'

/** Columns count from 1 in the path as it was sent, without the slash that ends the root. */
export type PathSegment = NameSegment | WordSegment | FilterSegment

/**
 * The name of a set, a property or a type; without brackets it may be the text of a key instead, which only who
 * knows the model can tell. A key is taken byte for byte.
 */
export interface NameSegment {
  readonly kind: 'name'
  readonly name: string
  readonly keys: readonly KeyValue[]
  readonly column: number
}

/** The last segment, or the first one. */
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
 * The segments of a path that is still encoded: none for the root itself. Doubled slashes, and one at the end, are
 * ignored. What the standard has and this service has not is NotSupported; what cannot be read is InvalidPath.
 */
export function parseResourcePath(path: string, dialect: Dialect): readonly PathSegment[] {
  const segments: PathSegment[] = []
  let column = 1
  for (const encoded of path.split('/')) {
    if (encoded !== '') {
      const before = segments.at(-1)
      const segment = readSegment(decodeText(encoded), { before, column, dialect })
      refuseOrder(before, segment)
      segments.push(segment)
    }
    column += encoded.length + 1
  }
  return segments
}

/** Some words come first and some after a name; most of them end the path. */
function refuseOrder(before: PathSegment | undefined, { kind, column }: PathSegment): void {
  if (before !== undefined && ending.has(before.kind))
    throw unreadable(pathOption, column, phrase('nothingFollows', { name: before.kind }))
  if (kind === 'name') return
  if (opening.has(kind) !== (before === undefined))
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
  readonly before: PathSegment | undefined
  readonly column: number
  readonly dialect: Dialect
}

function readSegment(text: string, { before, column, dialect }: Place): PathSegment {
  if (text.startsWith('$')) return readWord(text, column, dialect)
  const bracketAt = text.indexOf('(')
  // At the start it is no set; after the name of one it may be the text of a key.
  if (bracketAt === -1 && before === undefined && text.includes('.'))
    throw unsupported(pathOption, column, phrase('aTypeCast'))
  if (bracketAt === -1) return { kind: 'name', name: text, keys: [], column }
  const name = text.slice(0, bracketAt)
  if (!/^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(name))
    throw unreadable(pathOption, column, phrase('expectedSegment'))
  // What has a qualified name and brackets at the start is a function, and there are none.
  if (name.includes('.') && before === undefined)
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

/** From the bracket behind `$filter` to the one at the end. */
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

/** From the opening bracket to the end: what is empty, or goes on, would be the call of a function. */
function readKeys(tokens: Tokens, name: string, dialect: Dialect): KeyValue[] {
  const { option, column } = tokens
  tokens.next()
  if (tokens.isAt(')')) throw unsupported(option, column, bracketsAfter(name))
  const keys = readKeyValues(tokens, () => readExpression(tokens, dialect))
  if (tokens.isAt('(')) throw unsupported(option, tokens.column, bracketsAfter(name))
  if (tokens.kind !== 'end') throw unreadable(option, tokens.column, phrase('expectedSlashOrEnd'))
  return keys
}
