// Templates of JSON records: fields, annotations and expanded relations in order (ADR 0031).
import { writtenAs } from '../model/schema.ts'
import type { FieldType, Primitive, Resource } from '../model/resource.ts'
import { relationsOf, typeNameOf, type Relation } from '../model/schema.ts'
import type { Computed, ExpandPlan, ReadPlan, Selected, SetPlan } from '../planner/read-plan.ts'
import type { Value } from '../planner/expressions/expression.ts'
import { controlName, type RecordForm } from '../planner/select/record-form.ts'
import type { SqlValue } from './dialect.ts'

/** The context of all records of a reply, nested ones too. */
export type Printed = Pick<ReadPlan, 'form' | 'schema' | 'dates'>

/** A part of an object template with one placeholder. */
export interface Member {
  readonly of:
    | { readonly kind: 'key' }
    | { readonly kind: 'field'; readonly name: string }
    /** A complex property; null if all of `fields` are null, never null without `fields`. */
    | {
        readonly kind: 'composite'
        readonly fields: readonly string[]
        readonly members: readonly Member[]
      }
    /** By its index in `computed`. */
    | { readonly kind: 'computed'; readonly index: number; readonly value: Value }
    | { readonly kind: 'records'; readonly expand: ExpandPlan }
    | { readonly kind: 'count'; readonly expand: ExpandPlan }
  /** The text before the placeholder. */
  readonly before: string
  readonly after: string
  /** Omitted if its value is null: `before` is a parameter of its own. */
  readonly isOptional: boolean
}

export function membersOf(plan: SetPlan | ExpandPlan, printed: Printed): readonly Member[] {
  const { form } = printed
  if ('wants' in plan && plan.wants === 'references') return [reference(plan, printed)]
  // A record without a key has no URL.
  const isFull = form.metadata === 'full' && plan.resource.key.length > 0
  return [
    ...(isFull ? identity(plan.resource, printed) : []),
    ...(form.metadata === 'minimal' && form.isMixed === true && !('wants' in plan)
      ? identity(plan.resource, printed).slice(0, 1)
      : []),
    ...fieldMembers({ resource: plan.resource, printed, isFull }, plan.select, []),
    ...computedMembers(plan.computed, form),
    ...plan.expand.flatMap((expand) => expanded(plan, expand, printed)),
    ...(isFull ? unexpanded(plan, printed) : []),
  ]
}

interface Fielded {
  readonly resource: Resource
  readonly printed: Printed
  readonly isFull: boolean
}

/** The members of the complex property at `path`; fields of the same complex property are grouped. */
function fieldMembers(of: Fielded, select: readonly Selected[], path: readonly string[]): Member[] {
  const depth = path.length
  const insideAt = ({ field }: Selected) => of.resource.fields[field]?.within?.[depth]?.wire
  const groups = Map.groupBy(select, (one) => insideAt(one) ?? one)
  return [...groups].flatMap(([inside, those]) =>
    typeof inside === 'string'
      ? compositeMember(of, those, [...path, inside])
      : fieldMember(of, inside),
  )
}

function fieldMember({ resource, printed, isFull }: Fielded, { field, as }: Selected): Member {
  const { type, optional = false } = resource.fields[field] ?? { type: 'text' }
  const told = isFull ? typeTold(as, type, printed) : ''
  return {
    of: { kind: 'field', name: field },
    before: `${told}${nameOf(as)}`,
    after: '',
    isOptional: optional && printed.form.nulls === 'omitted',
  }
}

function compositeMember(
  of: Fielded,
  select: readonly Selected[],
  path: readonly string[],
): Member[] {
  const { resource, printed, isFull } = of
  const last = path.length - 1
  const inside = Object.entries(resource.fields).filter(([, { within = [] }]) =>
    path.every((wire, depth) => within[depth]?.wire === wire),
  )
  const type = inside[0]?.[1].within?.[last]?.type
  const [first] = select
  if (first === undefined || type === undefined) return []
  const members = fieldMembers(of, select, path)
  const { form, schema } = printed
  const told = `${nameOf(controlName(form, 'type'))}"#${writtenAs(schema, type)}",`
  const [head, ...others] = members
  const typed =
    isFull && head !== undefined ? [{ ...head, before: told + head.before }, ...others] : members
  const isOptional = inside.every(([, { optional }]) => optional === true)
  // Fields that need a scope are ignored: whether they are null must not be revealed.
  const telling = inside.filter(([, { right }]) => isOptional && right === undefined)
  return [
    {
      of: { kind: 'composite', fields: telling.map(([name]) => name), members: typed },
      before: nameOf(first.within?.[last] ?? path[last] ?? ''),
      after: '',
      isOptional: telling.length > 0 && form.nulls === 'omitted',
    },
  ]
}

/** Groups computed members of the same nested object. */
function computedMembers(computed: readonly Computed[], form: RecordForm): Member[] {
  const placed = computed.map((one, index) => ({ ...one, index }))
  return inObjects(placed, 0, form)
}

interface Placed extends Computed {
  readonly index: number
}

function inObjects(computed: readonly Placed[], depth: number, form: RecordForm): Member[] {
  return [...Map.groupBy(computed, ({ within = [], as }) => within[depth] ?? as)].flatMap(
    ([name, all]) => {
      const members = all
        .filter(({ within = [] }) => within.length === depth)
        .map(({ value, index }): Member => ({
          of: { kind: 'computed', index, value },
          before: nameOf(name),
          after: '',
          isOptional: form.nulls === 'omitted' && depth === 0,
        }))
      const inside = all.filter(({ within = [] }) => within.length > depth)
      return [...members, ...inObject(name, inObjects(inside, depth + 1, form))]
    },
  )
}

function inObject(name: string, members: readonly Member[]): Member[] {
  return members.map((member, index) => ({
    ...member,
    before: index === 0 ? `${nameOf(name)}{${member.before}` : member.before,
    after: index === members.length - 1 ? `${member.after}}` : member.after,
  }))
}

/** One plan for each row type of an `$apply` result with several. */
export function variantsOf<Plan extends SetPlan>(plan: Plan): readonly Plan[] {
  const { columns = [] } = plan.apply?.variants ?? {}
  return columns.map((names) => {
    const computed = plan.computed.filter(
      ({ value }) =>
        value.kind !== 'field' || value.of !== plan.number || names.includes(value.field),
    )
    return { ...plan, computed }
  })
}

/** The name of such a row's template. */
export function variantName({ number }: SetPlan, index: number): string {
  return `t${number} ${index}`
}

/** The parameter name of a table's object template. */
export function templateName(alias: string): string {
  return `object ${alias}`
}

/** The parameter name of the text before an optional member. */
export function memberName(alias: string, index: number): string {
  return `${templateName(alias)} ${index}`
}

/** The parameters of a table's objects: a template for `format`, and the names of optional members. */
export function templatesOf(
  plan: SetPlan,
  alias: string,
  printed: Printed,
): Record<string, SqlValue> {
  return templatesFor(membersOf(plan, printed), alias, printed)
}

/** The template name of a complex property by its index in the object. */
export function insideName(alias: string, index: number): string {
  return `${alias}/${index}`
}

function templatesFor(
  members: readonly Member[],
  alias: string,
  printed: Printed,
): Record<string, SqlValue> {
  const omits = printed.form.nulls === 'omitted'
  const places = members.map(({ before, after, isOptional }) =>
    isOptional ? '%s' : `${omits ? ',' : ''}${escaped(before)}%s${escaped(after)}`,
  )
  const template = omits ? places.join('') : `{${places.join(',')}}`
  const names = members.flatMap(({ isOptional, before }, index) =>
    isOptional ? [[memberName(alias, index), `,${before}`]] : [],
  )
  const inside = members.map(({ of }, index) =>
    of.kind === 'composite' ? templatesFor(of.members, insideName(alias, index), printed) : {},
  )
  return Object.assign({ [templateName(alias)]: template }, Object.fromEntries(names), ...inside)
}

/** Escapes `%`, which is the placeholder of `format`. */
function escaped(text: string): string {
  return text.replaceAll('%', '%%')
}

function nameOf(name: string): string {
  return `${JSON.stringify(name)}:`
}

const fixed = { after: '', isOptional: false } as const

/** Type, id and link of a record (OData JSON 4.01, 4.6.3, 4.6.8 and 4.6.9). */
function identity(resource: Resource, { form, schema }: Printed): Member[] {
  const type = `${nameOf(controlName(form, 'type'))}"#${typeNameOf(schema, resource)}",`
  const address = JSON.stringify(`${form.root}/${resource.wire}(`).slice(0, -1)
  const link = (name: string) => nameOf(controlName(form, name)) + address
  return [
    { ...ofKey, before: `${type}${link('id')}`, after: ')"' },
    {
      ...ofKey,
      before: link(resource.writeRight === undefined ? 'readLink' : 'editLink'),
      after: ')"',
    },
  ]
}

const ofKey = { of: { kind: 'key' }, isOptional: false } as const

/** An entity reference: the URL relative to the service (OData JSON 4.0, 14). */
function reference({ resource }: SetPlan, { form }: Printed): Member {
  return {
    ...ofKey,
    before: `${nameOf(controlName(form, 'id'))}"${resource.wire}(`,
    after: ')"',
  }
}

/** The type annotation of a value whose type JSON does not show; 4.0 requires a hash before the name (OData JSON 4.01, 4.6.3). */
function typeTold(as: string, type: FieldType, { form, schema }: Printed): string {
  if (typeof type === 'object')
    return `${nameOf(as + controlName(form, 'type'))}"#${writtenAs(schema, type)}",`
  const name = edmNames[type]
  if (name === null) return ''
  const hash = form.version === '4.0' ? '#' : ''
  return `${nameOf(as + controlName(form, 'type'))}"${hash}${name}",`
}

const edmNames: Readonly<Record<Primitive, string | null>> = {
  integer: 'Int32',
  decimal: 'Decimal',
  date: 'Date',
  stamp: 'DateTimeOffset',
  timeOfDay: 'TimeOfDay',
  duration: 'Duration',
  text: null,
  boolean: null,
}

function expanded({ resource }: SetPlan, expand: ExpandPlan, printed: Printed): Member[] {
  const { form } = printed
  const { as, count, wants, relation } = expand
  const isQuoted = form.decimals === 'string'
  const total: Member = {
    of: { kind: 'count', expand },
    before: nameOf(as + controlName(form, 'count')) + (isQuoted ? '"' : ''),
    after: isQuoted ? '"' : '',
    isOptional: false,
  }
  if (wants === 'count') return [total]
  return [
    ...(form.metadata === 'full' ? links(resource, relation, as, printed) : []),
    ...(count ? [total] : []),
    { of: { kind: 'records', expand }, before: nameOf(as), ...fixed },
  ]
}

function unexpanded({ resource, expand }: SetPlan, printed: Printed): Member[] {
  const inside = new Set(
    expand.filter(({ wants }) => wants === 'records').map(({ relation }) => relation),
  )
  return relationsOf(printed.schema, resource)
    .filter((relation) => !inside.has(relation))
    .flatMap((relation) => links(resource, relation, relation.wire, printed))
}

/** Navigation and association links (OData JSON 4.01, 8.1 and 8.2). */
function links({ wire }: Resource, relation: Relation, as: string, { form }: Printed): Member[] {
  const start = JSON.stringify(`${form.root}/${wire}(`).slice(0, -1)
  const link = (name: string, end: string): Member => ({
    ...ofKey,
    before: nameOf(as + controlName(form, name)) + start,
    after: `)/${relation.wire}${end}"`,
  })
  return [link('associationLink', '/$ref'), link('navigationLink', '')]
}
