// The direct sub-expressions of an AST node.
import type { Expression } from './syntax.ts'

export function subExpressionsOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'operation':
      return node.operands
    case 'call':
      return node.args
    case 'case':
      return node.branches.flatMap(({ condition, value }) => [condition, value])
    case 'lambda':
      return node.condition === null ? [] : [node.condition]
    case 'count':
      return node.filter === null ? [] : [node.filter]
    case 'aggregate':
      return node.item.expression === null ? [] : [node.item.expression]
    case 'object':
      return node.members.map(({ value }) => value)
    case 'list':
    case 'array':
      return node.items
  }
  return []
}
