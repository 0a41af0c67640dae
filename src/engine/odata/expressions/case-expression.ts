// `case(condition:value,…)`, which stands for the value of the first condition that holds.
import { phrase } from '../../../errors/messages.ts'
import type { Measured } from './expression-stack.ts'
import type { Inside } from './parse-context.ts'
import { unreadable } from '../options/option.ts'
import type { Branch } from './syntax.ts'

/** Reads from the opening bracket on; `column` is where the word stands. */
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
  return { node: { kind: 'choice', branches, column }, depth }
}
