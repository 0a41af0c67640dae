// Model checks of the ABNF test cases: errors that depend on names of the cases' own model.
import { ApiError } from '../../src/errors/api-error.ts'
import type { PathSegment } from '../../src/engine/odata/path/resource-path.ts'
import type { AggregateItem, Expression, NameNode, Transformation } from '../../src/engine/odata/expressions/syntax.ts'
import type { Grammar } from './cases.ts'

export function checkNames(names: Grammar['names']) {
  const is = (name: string | undefined, kinds: RegExp): boolean =>
    Object.entries(names).some(([kind, all]) => kinds.test(kind) && all.includes(name ?? ''))

  /** A type cast may not be repeated, and $value is allowed after primitive properties only. */
  const path = (segments: readonly PathSegment[]): void => {
    segments.forEach((segment, index) => {
      const isType = (one: PathSegment | undefined) =>
        one?.kind === 'name' && one.name.includes('.') && one.keys.length === 0
      if (isType(segment) && isType(segments[index - 1])) throw unknownNameError(segment.column)
    })
    const [before, last] = segments.slice(-2)
    if (last?.kind === '$value' && before?.kind === 'name')
      if (is(before.name, /^(complexProperty|streamProperty)$/)) throw unknownNameError(last.column)
  }

  const apply = (sequence: readonly Transformation[]): void => {
    for (const one of sequence) {
      if (one.kind === 'aggregate') for (const item of one.items) aggregate(item)
      if (one.kind === 'concat') for (const inner of one.sequences) apply(inner)
      if (one.kind === 'join' || one.kind === 'outerjoin') joined(one)
      if (one.kind !== 'groupby') continue
      apply(one.apply)
      for (const grouping of one.by)
        for (const pathNames of grouping.kind === 'path' ? [grouping.names] : grouping.paths) groupingPath(pathNames)
    }
  }

  /** Only collections can be joined. */
  const joined = ({ path: joinedPath, apply: inside }: Extract<Transformation, { kind: 'join' | 'outerjoin' }>) => {
    const last = joinedPath.at(-1)
    if (is(last?.name, /^(entityNavigationProperty|complexProperty)$/)) throw unknownNameError(last?.column ?? 1)
    apply(inside)
  }

  /** Without a method only a custom aggregate is allowed. */
  const aggregate = ({ expression, method }: AggregateItem): void => {
    if (expression === null) return
    if (expression.kind === 'operation') operands(expression)
    if (method !== null || expression.kind === 'count') return
    const last = expression.kind === 'path' ? expression.names.at(-1) : expression
    const name = last?.kind === 'name' ? last.name : undefined
    if (!is(name, /^customAggregate$/)) throw unknownNameError(expression.column)
  }

  /** Operators take single values only. */
  const operands = (node: Expression): void => {
    if (node.kind === 'operation') for (const operand of node.operands) operands(operand)
    if (node.kind === 'path') requireSingle(node.names.slice(0, -1))
  }

  const groupingPath = (pathNames: readonly NameNode[]): void => {
    requireSingle(pathNames)
    const through = pathNames.slice(0, -1).find(({ name }) => is(name, /^primitive/))
    if (through !== undefined) throw unknownNameError(through.column)
  }

  const requireSingle = (pathNames: readonly NameNode[]): void => {
    const many = pathNames.find(({ name }) => is(name, /ColNavigationProperty$|ColProperty$/))
    if (many !== undefined) throw unknownNameError(many.column)
  }

  return { path, apply }
}

function unknownNameError(column: number): ApiError {
  return new ApiError('UnknownProperty', { target: `name:${column}`, params: { name: '', resource: '' } })
}
