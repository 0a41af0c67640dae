// The direct sub-expressions of an AST node.
import type { Expression } from './syntax.ts'

export function innerOf(node: Expression): readonly Expression[] {
  switch (node.kind) {
    case 'operation':
      return node.operands
    case 'call':
      return node.args
    case 'choice':
      return node.branches.flatMap(({ condition, value }) => [condition, value])
    case 'lambda':
      return node.condition === null ? [] : [node.condition]
    case 'count':
      return node.filter === null ? [] : [node.filter]
    case 'aggregated':
      return node.item.expression === null ? [] : [node.item.expression]
    case 'members':
      return node.members.map(({ value }) => value)
    case 'list':
    case 'items':
      return node.items
  }
  return []
}
