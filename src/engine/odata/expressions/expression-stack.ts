// Operator-precedence parsing with explicit stacks, so that no input overflows the call stack.
import type { ApiError } from '../../../errors/api-error.ts'
import { message } from '../../../errors/messages.ts'
import { expressionLimits, limitError, type ComplexityCounter } from './complexity.ts'
import type { OperatorInfo } from './operators.ts'
import { invalidOptionError, type QueryOption } from '../options/option.ts'
import { isLiteral, type Expression } from './syntax.ts'

/** A bracket, and how many items it may hold. */
export interface Bracket {
  readonly kind: 'group' | 'list' | 'call'
  readonly column: number
  /** For calls: the lower-case name of the function. */
  readonly name: string
  readonly itemsMin: number
  readonly itemsMax: number
}

export interface OpenBracket extends Bracket {
  /** The number of operands on the stack when it was opened. */
  readonly operandsBefore: number
}

interface PendingOperator {
  readonly kind: 'operator'
  readonly info: OperatorInfo
  readonly column: number
}

/** A parsed expression and its depth: -1 for literals and names. */
export interface NodeWithDepth {
  readonly node: Expression
  readonly depth: number
}

/** A complete operand. `depth` includes the brackets around it, `ownDepth` does not. */
interface Operand extends NodeWithDepth {
  readonly ownDepth: number
}

export class ExpressionStack {
  readonly #option: QueryOption
  readonly #operands: Operand[] = []
  /** Operators without their right operand yet, and open brackets. */
  readonly #pending: (PendingOperator | OpenBracket)[] = []
  readonly #complexity: ComplexityCounter
  #bracketsOpen = 0

  constructor(option: QueryOption, complexity: ComplexityCounter) {
    this.#option = option
    this.#complexity = complexity
  }

  /** Pushes a complete operand. */
  pushOperand({ node, depth }: NodeWithDepth): void {
    this.#pushNode(node, depth)
  }

  /** Pushes a prefix operator, or an infix operator after its left operand. */
  pushOperator(info: OperatorInfo, column: number): void {
    this.#complexity.countNode(column)
    if (info.position === 'infix') this.#reduceFor(info)
    this.#pending.push({ kind: 'operator', info, column })
  }

  openBracket(bracket: Bracket): void {
    if (bracket.kind === 'call') this.#complexity.countNode(bracket.column)
    if (++this.#bracketsOpen > expressionLimits.nodes) throw limitError(this.#option, bracket.column, 'nodes')
    this.#pending.push({ ...bracket, operandsBefore: this.#operands.length })
  }

  /** Whether a bracket that opens now holds the list of an `in`. */
  isBeforeList(): boolean {
    const last = this.#pending.at(-1)
    return last?.kind === 'operator' && last.info.isListOperator === true
  }

  /** Reduces the item that a comma or a closing bracket ends, and returns the bracket around it. */
  reduceItem(): OpenBracket | undefined {
    for (;;) {
      const last = this.#pending.at(-1)
      if (last?.kind !== 'operator') return last
      this.#reduce()
    }
  }

  /** Called at a comma, after the item before it was reduced. */
  startNextItem(bracket: OpenBracket, column: number): void {
    const count = this.#operands.length - bracket.operandsBefore
    const last = this.#operands.at(-1)
    // After `in` the brackets may also be around an expression; only literals make a list.
    const isList = bracket.kind === 'list' && last !== undefined && isLiteral(last.node)
    if (bracket.kind !== 'call' && !isList) throw invalidOptionError(this.#option, column, 'expectedParenthesis')
    if (isList && count >= expressionLimits.listValues) throw limitError(this.#option, column, 'listValues')
    if (count >= bracket.itemsMax) throw this.#wrongArgumentCount(bracket)
  }

  /** Closes a bracket after its last item was reduced: its content becomes one operand. */
  closeBracket(bracket: OpenBracket, column: number): void {
    this.#pending.pop()
    this.#bracketsOpen--
    const operands = this.#operands.splice(bracket.operandsBefore)
    const [first] = operands
    if (bracket.kind === 'call') this.#pushCall(bracket, operands)
    else if (bracket.kind === 'list' && (first === undefined || isLiteral(first.node)))
      this.#pushList(bracket, operands)
    else if (first === undefined) throw invalidOptionError(this.#option, column, 'expectedValue')
    else this.#pushNode(first.node, first.depth + 1, first.ownDepth)
  }

  /** The parsed expression, when no bracket is open. */
  result(): NodeWithDepth {
    const [result] = this.#operands
    if (result === undefined) throw new Error('an expression ended without an operand')
    return result
  }

  #pushCall(bracket: Bracket, operands: readonly Operand[]): void {
    const { name, column, itemsMin, itemsMax } = bracket
    if (operands.length < itemsMin || operands.length > itemsMax) throw this.#wrongArgumentCount(bracket)
    const args = operands.map(({ node }) => node)
    this.#pushNode({ kind: 'call', name, args, column }, maxDepth(operands) + 1)
  }

  #pushList({ column }: Bracket, operands: readonly Operand[]): void {
    const last = operands.at(-1)
    if (last !== undefined && !isLiteral(last.node))
      throw invalidOptionError(this.#option, last.node.column, 'expectedLiteral')
    this.#pushNode({ kind: 'list', items: operands.map(({ node }) => node), column }, -1)
  }

  /** Reduces operators of higher precedence than the next one; `or` after `or` stays pending. */
  #reduceFor(next: OperatorInfo): void {
    for (;;) {
      const last = this.#pending.at(-1)
      if (last?.kind !== 'operator' || last.info.precedence < next.precedence) return
      if (last.info === next && next.isNary) return
      this.#reduce()
    }
  }

  /** Gives the last pending operator its operands, together with the operators before it in an n-ary chain. */
  #reduce(): void {
    let last = this.#pending.at(-1)
    if (last?.kind !== 'operator') return
    const { info } = last
    let { column } = last
    let count = info.position === 'prefix' ? 0 : 1
    do {
      column = last.column
      count++
      this.#pending.pop()
      last = this.#pending.at(-1)
    } while (info.isNary && last?.kind === 'operator' && last.info === info)
    const operands = this.#operands
      .splice(-count)
      .flatMap((operand) => (info.isNary ? flattenChain(operand, info) : operand))
    const nodes = operands.map(({ node }) => node)
    this.#pushNode({ kind: 'operation', operator: info.operator, operands: nodes, column }, maxDepth(operands) + 1)
  }

  #pushNode(node: Expression, depth: number, ownDepth = depth): void {
    if (depth > expressionLimits.depth) throw limitError(this.#option, node.column, 'depth')
    this.#operands.push({ node, depth, ownDepth })
  }

  #wrongArgumentCount({ name, column, itemsMin, itemsMax }: Bracket): ApiError {
    const count = itemsMin === itemsMax ? itemsMin : message('range', { min: itemsMin, max: itemsMax })
    const isOne = itemsMin === 1 && itemsMax === 1
    return invalidOptionError(
      this.#option,
      column,
      isOne ? message('takesArgument', { name }) : message('takesArguments', { name, count }),
    )
  }
}

/** `(a or b) or c` is the chain `a or b or c`; its depth is that of the chain without brackets. */
function flattenChain(operand: Operand, info: OperatorInfo): Operand | Operand[] {
  const { node, ownDepth } = operand
  if (node.kind !== 'operation' || node.operator !== info.operator) return operand
  return node.operands.map((inner) => ({ node: inner, depth: ownDepth - 1, ownDepth: ownDepth - 1 }))
}

function maxDepth(operands: readonly Operand[]): number {
  let depth = -1
  for (const operand of operands) if (operand.depth > depth) depth = operand.depth
  return depth
}
