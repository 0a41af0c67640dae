// Parameters with the templates of JSON records: their names in a statement, and their values.
import type { SetPlan } from '../planner/read-plan.ts'
import type { SqlValue } from './dialect.ts'
import {
  directFormatIn,
  membersOf,
  type DirectFields,
  type TemplateContext,
  type TemplateMember,
} from './record-template.ts'

/** One plan for each row type of an `$apply` result with several. */
export function rowTypePlans<Plan extends SetPlan>(plan: Plan): readonly Plan[] {
  const { columns = [] } = plan.apply?.rowTypes ?? {}
  return columns.map((names) => {
    const computed = plan.computed.filter(
      ({ value }) => value.kind !== 'field' || value.recordNumber !== plan.number || names.includes(value.field),
    )
    return { ...plan, computed }
  })
}

/** The name of such a row's template. */
export function rowTypeAlias({ number }: SetPlan, index: number): string {
  return `t${number} ${index}`
}

/** The parameter name of a table's object template. */
export function templateParameterName(alias: string): string {
  return `object ${alias}`
}

/** The parameter name of the template in which SQLite's `format` writes these fields itself. */
export function directTemplateName(alias: string, fields: DirectFields): string {
  return `${templateParameterName(alias)} ${fields}`
}

/** The parameter name of the text before an optional member. */
export function memberParameterName(alias: string, index: number): string {
  return `${templateParameterName(alias)} ${index}`
}

/** The parameters of a table's objects: a template for `format`, and the names of optional members. */
export function templateParameters(plan: SetPlan, alias: string, context: TemplateContext): Record<string, SqlValue> {
  return objectParameters(membersOf(plan, context), alias, context)
}

/** The template name of a complex property by its index in the object. */
export function nestedAlias(alias: string, index: number): string {
  return `${alias}/${index}`
}

function objectParameters(
  members: readonly TemplateMember[],
  alias: string,
  context: TemplateContext,
): Record<string, SqlValue> {
  const omits = context.recordFormat.nulls === 'omitted'
  const templateOf = (fields: DirectFields | null) => {
    const places = members.map((member) => {
      const { before, after, isOptional } = member
      const placeholder = (fields && directFormatIn(member, fields)?.placeholder) ?? '%s'
      return isOptional ? '%s' : `${omits ? ',' : ''}${escaped(before)}${placeholder}${escaped(after)}`
    })
    return omits ? places.join('') : `{${places.join(',')}}`
  }
  const names = members.flatMap(({ isOptional, before }, index) =>
    isOptional ? [[memberParameterName(alias, index), `,${before}`]] : [],
  )
  const inside = members.map(({ of }, index) =>
    of.kind === 'complex' ? objectParameters(of.members, nestedAlias(alias, index), context) : {},
  )
  const templates = {
    [templateParameterName(alias)]: templateOf(null),
    [directTemplateName(alias, 'required')]: templateOf('required'),
    [directTemplateName(alias, 'all')]: templateOf('all'),
  }
  return Object.assign(templates, Object.fromEntries(names), ...inside)
}

/** Escapes `%`, which is the placeholder of `format`. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%')
}
