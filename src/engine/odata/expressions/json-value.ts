// Parser of JSON arrays and objects inside expressions; their values are expressions.
import { expressionLimits, limitError } from './complexity.ts'
import type { NodeWithDepth } from './expression-stack.ts'
import type { ParseContext } from './parse-context.ts'
import { invalidOptionError } from '../options/option.ts'
import type { Expression, ObjectMember } from './syntax.ts'

/** Starts at the opening bracket. */
export function parseArray(context: ParseContext): NodeWithDepth {
  const { column } = context.tokens
  const items: Expression[] = []
  const depth = parseElements(context, ']', () => {
    const { node, depth } = context.parseNested('json')
    items.push(node)
    return depth
  })
  return { node: { kind: 'array', items, column }, depth }
}

/** Starts at the opening brace. */
export function parseObject(context: ParseContext): NodeWithDepth {
  const { tokens } = context
  const { column } = tokens
  const members: ObjectMember[] = []
  const depth = parseElements(context, '}', () => {
    const name = parseMemberName(context)
    const { node, depth } = context.parseNested('json')
    members.push({ ...name, value: node })
    return depth
  })
  return { node: { kind: 'object', members, column }, depth }
}

/** Parses the elements up to the closing bracket, and returns the depth of the node. */
function parseElements({ tokens, complexity }: ParseContext, close: ']' | '}', parseElement: () => number): number {
  const { option, column } = tokens
  let depth = 0
  let count = 0
  complexity.countNode(column)
  tokens.next()
  while (!tokens.isAt(close) || count > 0) {
    if (++count > expressionLimits.listValues) throw limitError(option, tokens.column, 'listValues')
    depth = Math.max(depth, parseElement() + 1)
    if (!tokens.accepts(',')) break
  }
  if (tokens.kind === 'end') throw invalidOptionError(option, column, 'parenthesisNotClosed')
  tokens.expect(close)
  return depth
}

/** `"name":` */
function parseMemberName({ tokens }: ParseContext): Omit<ObjectMember, 'value'> {
  const { column } = tokens
  if (!tokens.isAt('"')) throw tokens.invalid('nameMissing')
  tokens.readJsonString()
  const name = tokens.text
  tokens.next()
  tokens.expect(':', 'expectedColon')
  return { name, column }
}
