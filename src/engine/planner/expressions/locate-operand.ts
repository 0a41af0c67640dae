// Operand location: where a literal lies among the values of the type that it is compared with.
import { literalType, keywordLiterals, prefixedLiteralType } from '../../odata/lexer/literals.ts'
import type { LiteralNode } from '../../odata/expressions/syntax.ts'
import type { Binding } from '../binding.ts'
import { locateLiteral, type LiteralLocation, type LiteralProblem } from './literal-location.ts'
import type { ValueType } from './bound-expression.ts'

/** How the literals of a query are interpreted. */
type LiteralContext = Pick<Binding, 'dialect' | 'namespace' | 'zone'>

/** Locates a literal among the values of the type that it is compared with. */
export function locateOperand(
  context: LiteralContext,
  type: ValueType,
  literal: LiteralNode,
): LiteralLocation | LiteralProblem {
  const own = isOtherEnumeration(context, type, literal)
    ? 'type'
    : locateLiteral(type, literal.type, literal.value, context.zone)
  return own === 'type' && context.dialect.coercesText ? locateText(context, type, literal) : own
}

/** The literal has the prefix of another enumeration. */
function isOtherEnumeration({ namespace }: LiteralContext, type: ValueType, { enumeration }: LiteralNode): boolean {
  if (enumeration === undefined || typeof type === 'string') return false
  return enumeration.toLowerCase() !== `${namespace}.${type.wire}`.toLowerCase()
}

function locateText(
  { zone }: LiteralContext,
  type: ValueType,
  { type: given, value }: LiteralNode,
): LiteralLocation | LiteralProblem {
  if (typeof type === 'object') return given === 'text' ? locateLiteral(type, 'enum', value, zone) : 'type'
  const own = keywordLiterals.get(value.toLowerCase()) ?? literalType(value) ?? prefixedLiteralType(value)
  if (given !== 'text' || own === undefined) return 'type'
  return locateLiteral(type, own, value, zone)
}
