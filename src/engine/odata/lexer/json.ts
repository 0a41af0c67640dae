// Parser of JSON arrays and objects inside expressions; their values are expressions.
import { phrase } from '../../../errors/messages.ts'
import { expressionLimits } from '../expressions/complexity.ts'
import type { Measured } from '../expressions/expression-stack.ts'
import type { Inside } from '../expressions/parse-context.ts'
import { unreadable } from '../options/option.ts'
import type { Expression, Member } from '../expressions/syntax.ts'

/** Starts at the opening bracket. */
export function readItems(reader: Inside): Measured {
  const { column } = reader.tokens
  const items: Expression[] = []
  const depth = readParts(reader, ']', () => {
    const { node, depth } = reader.insideJson()
    items.push(node)
    return depth
  })
  return { node: { kind: 'array', items, column }, depth }
}

/** Starts at the opening brace. */
export function readMembers(reader: Inside): Measured {
  const { tokens } = reader
  const { column } = tokens
  const members: Member[] = []
  const depth = readParts(reader, '}', () => {
    const name = readName(reader)
    const { node, depth } = reader.insideJson()
    members.push({ ...name, value: node })
    return depth
  })
  return { node: { kind: 'object', members, column }, depth }
}

/** Parses the elements up to the closing bracket, and returns the depth of the node. */
function readParts(reader: Inside, close: ']' | '}', readPart: () => number): number {
  const { tokens, complexity } = reader
  const { option, column } = tokens
  let depth = 0
  let parts = 0
  complexity.countNode(column)
  tokens.next()
  while (!tokens.isAt(close) || parts > 0) {
    if (++parts > expressionLimits.listValues) throw complexity.exceeds('listValues', tokens.column)
    depth = Math.max(depth, readPart() + 1)
    if (!tokens.isAt(',')) break
    tokens.next()
  }
  if (tokens.kind === 'end') throw unreadable(option, column, phrase('bracketNeverClosed'))
  if (!tokens.isAt(close))
    throw unreadable(option, tokens.column, phrase('expectedSign', { sign: close }))
  tokens.next()
  return depth
}

/** `"name":` */
function readName({ tokens }: Inside): Omit<Member, 'value'> {
  const { option, column } = tokens
  if (!tokens.isAt('"')) throw unreadable(option, column, phrase('nameMissing'))
  tokens.takeJsonText()
  const name = tokens.text
  tokens.next()
  if (!tokens.isAt(':')) throw unreadable(option, tokens.column, phrase('expectedColon'))
  tokens.next()
  return { name, column }
}
