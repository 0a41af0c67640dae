// Parser of `case(condition:value,…)`, whose value is that of the first condition that is true.
import { message } from '../../../errors/messages.ts'
import type { NodeWithDepth } from './expression-stack.ts'
import type { ParseContext } from './parse-context.ts'
import { invalidOptionError } from '../options/option.ts'
import type { CaseBranch } from './syntax.ts'

/** Starts at the opening bracket; `column` is the column of the word `case`. */
export function parseCase(context: ParseContext, column: number): NodeWithDepth {
  const { tokens, complexity } = context
  const branches: CaseBranch[] = []
  let depth = 0
  do {
    complexity.countNode(tokens.column)
    tokens.next()
    const condition = context.parseNested()
    if (!tokens.isAt(':'))
      throw invalidOptionError(tokens.option, tokens.column, message('expectedColon'))
    tokens.next()
    const value = context.parseNested()
    branches.push({ condition: condition.node, value: value.node })
    depth = Math.max(depth, condition.depth + 1, value.depth + 1)
  } while (tokens.isAt(','))
  if (!tokens.isAt(')'))
    throw invalidOptionError(tokens.option, tokens.column, message('expectedParenthesis'))
  tokens.next()
  return { node: { kind: 'case', branches, column }, depth }
}
