// Parser of path expressions: properties, keys, `/any(…)`, `/all(…)`, `/aggregate(…)`, `/$count`.
import { phrase, type Phrase } from '../../../errors/messages.ts'
import { readAggregated } from './aggregate-expression.ts'
import type { Measured } from './expression-stack.ts'
import type { Inside } from './parse-context.ts'
import { readKeyValues } from '../path/key.ts'
import type { Tokens } from '../lexer/lexer.ts'
import { shown, unreadable, unsupported } from '../options/option.ts'
import { readSearch } from '../options/search.ts'
import type { Expression, Name, Search } from './syntax.ts'

/** Starts at the slash after the first name. */
export function readMember(reader: Inside, first: Name): Measured {
  const { tokens } = reader
  refuseName(tokens, first.name, first.column)
  const names = [first]
  while (tokens.isAt('/')) {
    tokens.next()
    const name = readName(tokens)
    const lower = name.name.toLowerCase()
    if (lower === '$count') return readCount(reader, { of: names, column: name.column })
    if (lower === '$filter' && tokens.isAt('('))
      return readFiltered(reader, { of: names, column: name.column })
    if (lower === 'aggregate' && tokens.isAt('('))
      return readAggregatedMany(reader, { of: names, column: name.column })
    if (tokens.isAt('(') && (lower === 'any' || lower === 'all'))
      return readLambda(reader, lower, { of: names, column: name.column })
    refuseStep(tokens, name)
    names.push(tokens.isAt('(') ? readKeyed(reader, name) : name)
  }
  return { node: { kind: 'path', names, column: first.column }, depth: -1 }
}

/** A name with a key in brackets; empty brackets would be a function call. */
export function readKeyed(reader: Inside, name: Name): Name {
  const { tokens } = reader
  const { option, column } = tokens
  tokens.next()
  if (tokens.isAt(')')) throw unsupported(option, column, bracketsAfter(name.name))
  return { ...name, keys: readKeyValues(tokens, () => reader.inside().node) }
}

/** Rejects words that are not names, and names of features that this service does not support. */
export function refuseName(tokens: Tokens, name: string, column: number): void {
  const { option } = tokens
  if (name.startsWith('$') && !instances.has(name)) {
    if (!roots.has(name) || !tokens.isAt('/'))
      throw unreadable(option, column, phrase('expectedValue'))
  }
  if (!name.includes('.')) return
  if (name.startsWith('@')) throw unsupported(option, column, phrase('anAnnotation'))
  if (tokens.isAt('(')) throw unsupported(option, column, bracketsAfter(name))
  // A type name is only allowed before a closing bracket, as the target type of a cast.
  if (!tokens.isAt('/') && !tokens.isAt(')'))
    throw unreadable(option, tokens.column, phrase('expectedSlash'))
  throw unsupported(option, column, phrase('aTypeCast'))
}

const instances: ReadonlySet<string> = new Set(['$it', '$this'])
const roots: ReadonlySet<string> = new Set(['$root', '$these'])

function bracketsAfter(name: string): Phrase {
  return phrase('bracketsAfter', { name: shown(name) })
}

/** The word after a slash. */
function readName(tokens: Tokens): Name {
  const { option, kind, text, column } = tokens
  if (kind !== 'word') throw unreadable(option, column, phrase('expectedPropertyName'))
  tokens.next()
  return { kind: 'name', name: text, column }
}

function refuseStep(tokens: Tokens, { name, column }: Name): void {
  const { option } = tokens
  if (name.startsWith('@')) throw unsupported(option, column, phrase('anAnnotation'))
  if (name.includes('.') || name.startsWith('$'))
    if (tokens.isAt('(')) throw unsupported(option, column, bracketsAfter(name))
  if (name.includes('.')) throw unsupported(option, column, phrase('aTypeCast'))
  if (name.startsWith('$')) throw unreadable(option, column, phrase('expectedPropertyName'))
}

interface Ending {
  readonly of: readonly Name[]
  readonly column: number
}

/** Starts at the opening bracket. */
function readLambda(reader: Inside, quantifier: 'any' | 'all', { of, column }: Ending): Measured {
  const { tokens, complexity } = reader
  complexity.countNode(column)
  tokens.next()
  let variable: Name | null = null
  let condition: Measured | null = null
  if (quantifier === 'all' || !tokens.isAt(')')) {
    variable = readVariable(tokens)
    condition = reader.inside()
  }
  close(tokens)
  const node = { kind: 'lambda', quantifier, of, variable, column } as const
  return {
    node: { ...node, condition: condition === null ? null : condition.node },
    depth: condition === null ? 0 : condition.depth + 1,
  }
}

/** Starts at the opening bracket. */
function readAggregatedMany(reader: Inside, { of, column }: Ending): Measured {
  const { tokens, complexity } = reader
  complexity.countNode(column)
  tokens.next()
  let depth = 0
  const item = readAggregated(tokens, () => {
    const inside = reader.inside()
    depth = inside.depth + 1
    return inside.node
  })
  close(tokens)
  return { node: { kind: 'aggregate', of, item, column }, depth }
}

/** The lambda variable and the colon after it. */
function readVariable(tokens: Tokens): Name {
  const { option, kind, text, column } = tokens
  if (kind !== 'word' || /^[$@]|\./.test(text))
    throw unreadable(option, column, phrase('expectedVariable'))
  tokens.next()
  if (!tokens.isAt(':')) throw unreadable(option, tokens.column, phrase('expectedColon'))
  tokens.next()
  return { kind: 'name', name: text, column }
}

/** Starts at the token after `$count`. */
function readCount(reader: Inside, { of, column }: Ending): Measured {
  reader.complexity.countNode(column)
  const { filter, search } = reader.tokens.isAt('(') ? readCountOptions(reader) : allOfThem
  return {
    node: { kind: 'count', of, filter: filter?.node ?? null, search, column },
    depth: filter === null ? 0 : filter.depth + 1,
  }
}

/** `/$filter(…)`, once or more, and then `/$count`: counts the records that pass every filter (4.01 part 2, 4.12). */
function readFiltered(reader: Inside, ending: Ending): Measured {
  const { tokens, complexity } = reader
  const passed: Measured[] = []
  let isFilter = true
  while (isFilter) {
    complexity.countNode(tokens.column)
    tokens.next()
    passed.push(reader.inside())
    close(tokens)
    if (!tokens.isAt('/')) break
    tokens.next()
    isFilter = isWord(tokens, '$filter')
    if (isFilter) tokens.next()
    isFilter &&= tokens.isAt('(')
  }
  if (!isWord(tokens, '$count'))
    throw unsupported(tokens.option, ending.column, bracketsAfter('$filter'))
  const { column } = tokens
  tokens.next()
  const counted = readCount(reader, { of: ending.of, column })
  if (counted.node.kind !== 'count') return counted
  const { filter } = counted.node
  const operands = [...passed.map(({ node }) => node), ...(filter === null ? [] : [filter])]
  const [first] = operands
  const all: Expression | null =
    operands.length > 1 ? { kind: 'operation', operator: 'and', operands, column } : (first ?? null)
  return {
    node: { ...counted.node, filter: all },
    depth: Math.max(counted.depth, ...passed.map(({ depth }) => depth + 2)),
  }
}

/** The options in the brackets after `$count`. */
interface Counted {
  readonly filter: Measured | null
  readonly search: Search | null
}

const allOfThem: Counted = { filter: null, search: null }

function readCountOptions(reader: Inside): Counted {
  const { tokens } = reader
  let counted = allOfThem
  do {
    tokens.next()
    const option = readCountOption(tokens, counted)
    if (option === 'search') {
      tokens.nextTerm()
      counted = { ...counted, search: readSearch(tokens) }
    } else {
      tokens.next()
      counted = { ...counted, filter: reader.inside() }
    }
  } while (tokens.isAt(';'))
  close(tokens)
  return counted
}

function isWord({ kind, text }: Tokens, word: string): boolean {
  return kind === 'word' && text.toLowerCase() === word
}

/** The name of an option that was not given before, up to the `=` after it. */
function readCountOption(tokens: Tokens, given: Counted): 'filter' | 'search' {
  const { option, text, column } = tokens
  const name = text.toLowerCase().replace(/^\$/, '')
  if (name !== 'filter' && name !== 'search')
    throw unreadable(option, column, phrase('expectedOption', { options: '$filter, $search' }))
  if (given[name] !== null)
    throw unreadable(option, column, phrase('givenTwice', { name: shown(text) }))
  tokens.next()
  if (!tokens.isAt('='))
    throw unreadable(option, tokens.column, phrase('expectedSign', { sign: '=' }))
  return name
}

function close(tokens: Tokens): void {
  if (!tokens.isAt(')')) throw unreadable(tokens.option, tokens.column, phrase('expectedBracket'))
  tokens.next()
}
