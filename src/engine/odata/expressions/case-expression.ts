// Parser of `case(condition:value,…)`, whose value is that of the first condition that is true.
import { phrase } from '../../../errors/messages.ts'
import type { Measured } from './expression-stack.ts'
import type { Inside } from './parse-context.ts'
import { unreadable } from '../options/option.ts'
import type { Branch } from './syntax.ts'

/** Starts at the opening bracket; `column` is the column of the word `case`. */
export function readChoice(reader: Inside, column: number): Measured {
  const { tokens, complexity } = reader
  const branches: Branch[] = []
  let depth = 0
  do {
    complexity.countNode(tokens.column)
    tokens.next()
    const condition = reader.inside()
    if (!tokens.isAt(':')) throw unreadable(tokens.option, tokens.column, phrase('expectedColon'))
    tokens.next()
    const value = reader.inside()
    branches.push({ condition: condition.node, value: value.node })
    depth = Math.max(depth, condition.depth + 1, value.depth + 1)
  } while (tokens.isAt(','))
  if (!tokens.isAt(')')) throw unreadable(tokens.option, tokens.column, phrase('expectedBracket'))
  tokens.next()
  return { node: { kind: 'case', branches, column }, depth }
}
