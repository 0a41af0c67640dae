// Templates of JSON records: fields, annotations and expanded relations in order (ADR 0012).
import type { FieldType, Primitive, Resource } from '../model/resource.ts'
import { qualifiedName, relationsOf, typeNameOf, type Relation, type Schema } from '../model/schema.ts'
import type { ComputedField, ExpandPlan, ReadPlan, SelectedField, SetPlan } from '../planner/read-plan.ts'
import type { Value } from '../planner/expressions/bound-expression.ts'
import { directFormatOf, integerFormat, type DirectFormat } from './json-expressions.ts'
import { fieldsOf, pathOf } from '../planner/expressions/resource-fields.ts'
import { typeOf } from '../planner/expressions/typed-value.ts'
import { controlInformationName, type RecordFormat } from '../planner/record-format.ts'

/** The context of all records of a reply, nested ones too. */
export type TemplateContext = Pick<ReadPlan, 'recordFormat' | 'schema' | 'dates'>

/** A part of an object template with one placeholder. */
export interface TemplateMember {
  readonly of:
    | { readonly kind: 'key' }
    | { readonly kind: 'etag'; readonly field: string }
    | {
        readonly kind: 'field'
        readonly name: string
        readonly direct: DirectFormat | null
        readonly isNullable: boolean
      }
    /** A complex property; null if all of `fields` are null; `fields` is empty if it cannot be null. */
    | { readonly kind: 'complex'; readonly fields: readonly string[]; readonly members: readonly TemplateMember[] }
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

/** The fields that SQLite's `format` writes itself: all of a record without nulls, or those that cannot be null. */
export type DirectFields = 'all' | 'required'

export function directFormatIn({ of }: TemplateMember, fields: DirectFields): DirectFormat | null {
  if (of.kind === 'etag') return integerFormat
  return of.kind === 'field' && (fields === 'all' || !of.isNullable) ? of.direct : null
}

export function membersOf(plan: SetPlan | ExpandPlan, context: TemplateContext): readonly TemplateMember[] {
  const { recordFormat } = context
  if ('resultKind' in plan && plan.resultKind === 'references') return [referenceMember(plan, context)]
  const isFull = hasFullMetadata(plan, recordFormat)
  return [
    ...controlMembers(plan, context),
    ...fieldMembers({ resource: plan.resource, context, isFull }, plan.select, []),
    ...computedMembers(plan, context),
    ...plan.expand.flatMap((expand) => expandedMembers(plan, expand, context)),
    ...(isFull ? linkMembers(plan, context) : []),
  ]
}

/** A record without a key has no URL. */
function hasFullMetadata({ resource }: SetPlan, { metadata }: RecordFormat): boolean {
  return metadata === 'full' && resource.key.length > 0
}

/** The columns of the plan's own records that their control information needs. */
export function controlColumns(plan: SetPlan, { metadata, etags }: RecordFormat): string[] {
  const { etagField, resource } = plan
  return [
    ...(metadata === 'full' ? resource.key : []),
    ...(etags === 'written' && etagField !== null ? [etagField] : []),
  ]
}

interface FieldContext {
  readonly resource: Resource
  readonly context: TemplateContext
  readonly isFull: boolean
}

/** The members of the complex property at `path`; fields of the same complex property are grouped. */
function fieldMembers(of: FieldContext, select: readonly SelectedField[], path: readonly string[]): TemplateMember[] {
  const depth = path.length
  const insideAt = ({ field }: SelectedField) => of.resource.fields[field]?.within?.[depth]?.wire
  const groups = Map.groupBy(select, (one) => insideAt(one) ?? one)
  return [...groups].flatMap(([inside, those]) =>
    typeof inside === 'string' ? complexMember(of, those, [...path, inside]) : fieldMember(of, inside),
  )
}

function fieldMember({ resource, context, isFull }: FieldContext, { field, as }: SelectedField): TemplateMember {
  const { type, optional = false } = resource.fields[field] ?? { type: 'text' }
  const { dates, recordFormat } = context
  const isOptional = optional && recordFormat.nulls === 'omitted'
  const direct = isOptional ? null : directFormatOf({ type, optional }, { ...recordFormat, dates })
  return {
    of: { kind: 'field', name: field, direct, isNullable: optional },
    before: `${isFull ? typeAnnotation(as, type, context) : ''}${memberPrefix(as)}`,
    after: '',
    isOptional,
  }
}

function complexMember(of: FieldContext, select: readonly SelectedField[], path: readonly string[]): TemplateMember[] {
  const { resource, context, isFull } = of
  const last = path.length - 1
  const inside = Object.entries(resource.fields).filter(([, { within = [] }]) =>
    path.every((wire, depth) => within[depth]?.wire === wire),
  )
  const type = inside[0]?.[1].within?.[last]?.type
  const [first] = select
  if (first === undefined || type === undefined) return []
  const members = fieldMembers(of, select, path)
  const { recordFormat, schema } = context
  const typeMember = `${memberPrefix(controlInformationName(recordFormat, 'type'))}"#${qualifiedName(schema, type)}",`
  const [head, ...others] = members
  const typed = isFull && head !== undefined ? [{ ...head, before: typeMember + head.before }, ...others] : members
  const isOptional = inside.every(([, { optional }]) => optional === true)
  // Fields that need a scope are ignored: whether they are null must not be revealed.
  const nullable = inside.filter(([, { readScope }]) => isOptional && readScope === undefined)
  return [
    {
      of: { kind: 'complex', fields: nullable.map(([name]) => name), members: typed },
      before: memberPrefix(first.within?.[last] ?? path[last] ?? ''),
      after: '',
      isOptional: nullable.length > 0 && recordFormat.nulls === 'omitted',
    },
  ]
}

/** Groups computed members of the same nested object. */
function computedMembers({ computed, resource }: SetPlan, context: TemplateContext): TemplateMember[] {
  const placed = computed.map((one, index) => ({ ...one, index, annotation: computedType(one, resource, context) }))
  return nestMembers(placed, 0, context.recordFormat)
}

/**
 * The type annotation of a computed value. With minimal metadata, only a string that is no text has it, unless it is
 * grouped by a property, whose type `$metadata` describes (OData JSON 4.01, 4.6.3).
 */
function computedType({ as, value, within = [] }: ComputedField, resource: Resource, context: TemplateContext): string {
  const { metadata, decimals } = context.recordFormat
  const valueType = typeOf(value)
  const type = valueType === 'seconds' ? 'decimal' : valueType
  if (type === null || metadata === 'none') return ''
  const annotation = typeAnnotation(as, type, context)
  if (metadata === 'full') return annotation
  const isString = typeof type === 'object' || stringTypes.has(type) || (type === 'decimal' && decimals === 'string')
  // A result of `$apply` has no fields of its own.
  const declared = context.schema.resources.find(({ wire }) => wire === resource.wire) ?? resource
  return isString && !isDeclared(context.schema, declared, [...within, as], type) ? annotation : ''
}

function isDeclared(schema: Schema, resource: Resource, path: readonly string[], type: FieldType): boolean {
  const name = path.join('/').toLowerCase()
  const { all } = fieldsOf(resource)
  if (all.some((field) => field.type === type && pathOf(field).join('/').toLowerCase() === name)) return true
  const [first = '', ...others] = path
  const relation = relationsOf(schema, resource).find(({ wire }) => wire.toLowerCase() === first.toLowerCase())
  return relation !== undefined && others.length > 0 && isDeclared(schema, relation.to, others, type)
}

interface IndexedComputed extends ComputedField {
  readonly index: number
  readonly annotation: string
}

function nestMembers(computed: readonly IndexedComputed[], depth: number, form: RecordFormat): TemplateMember[] {
  return [...Map.groupBy(computed, ({ within = [], as }) => within[depth] ?? as)].flatMap(([name, all]) => {
    const members = all
      .filter(({ within = [] }) => within.length === depth)
      .map(({ value, index, annotation }): TemplateMember => ({
        of: { kind: 'computed', index, value },
        before: annotation + memberPrefix(name),
        after: '',
        isOptional: form.nulls === 'omitted' && depth === 0,
      }))
    const inside = all.filter(({ within = [] }) => within.length > depth)
    return [...members, ...wrapMembers(name, nestMembers(inside, depth + 1, form))]
  })
}

function wrapMembers(name: string, members: readonly TemplateMember[]): TemplateMember[] {
  return members.map((member, index) => ({
    ...member,
    before: index === 0 ? `${memberPrefix(name)}{${member.before}` : member.before,
    after: index === members.length - 1 ? `${member.after}}` : member.after,
  }))
}

function memberPrefix(name: string): string {
  return `${JSON.stringify(name)}:`
}

/** Type, ETag, id and link of a record, in this order (OData JSON 4.01, 4.5 and 4.6). */
function controlMembers(plan: SetPlan | ExpandPlan, { recordFormat, schema }: TemplateContext): TemplateMember[] {
  const { resource, etagField } = plan
  const { metadata, isMixed, etags } = recordFormat
  const isFull = hasFullMetadata(plan, recordFormat)
  // A record of one of several sets has its type and its URL.
  const hasId = isFull || (metadata === 'minimal' && isMixed === true && !('resultKind' in plan))
  const nameOf = (name: string) => memberPrefix(controlInformationName(recordFormat, name))
  const address = JSON.stringify(`${recordFormat.root}/${resource.wire}(`).slice(0, -1)
  const link = (name: string): TemplateMember => ({ ...ofKey, before: nameOf(name) + address, after: ')"' })
  const etag = (field: string): TemplateMember => ({
    of: { kind: 'etag', field },
    before: String.raw`${nameOf('etag')}"W/\"`,
    after: String.raw`\""`,
    isOptional: false,
  })
  const [first, ...others] = [
    ...(etags === 'written' && etagField !== null ? [etag(etagField)] : []),
    ...(hasId ? [link('id')] : []),
    ...(isFull ? [link(resource.writeScope === undefined ? 'readLink' : 'editLink')] : []),
  ]
  if (first === undefined) return []
  const type = hasId ? `${nameOf('type')}"#${typeNameOf(schema, resource)}",` : ''
  return [{ ...first, before: type + first.before }, ...others]
}

const ofKey = { of: { kind: 'key' }, isOptional: false } as const

/** An entity reference: the URL relative to the service (OData JSON 4.0, 14). */
function referenceMember({ resource }: SetPlan, { recordFormat }: TemplateContext): TemplateMember {
  return {
    ...ofKey,
    before: `${memberPrefix(controlInformationName(recordFormat, 'id'))}"${resource.wire}(`,
    after: ')"',
  }
}

/** The type annotation of a value whose type JSON does not show; 4.0 requires a hash before the name (OData JSON 4.01, 4.6.3). */
function typeAnnotation(as: string, type: FieldType, { recordFormat, schema }: TemplateContext): string {
  if (typeof type === 'object')
    return `${memberPrefix(as + controlInformationName(recordFormat, 'type'))}"#${qualifiedName(schema, type)}",`
  const name = edmNames[type]
  if (name === null) return ''
  const hash = recordFormat.version === '4.0' ? '#' : ''
  return `${memberPrefix(as + controlInformationName(recordFormat, 'type'))}"${hash}${name}",`
}

const edmNames: Readonly<Record<Primitive, string | null>> = {
  integer: 'Int32',
  decimal: 'Decimal',
  date: 'Date',
  timestamp: 'DateTimeOffset',
  timeOfDay: 'TimeOfDay',
  duration: 'Duration',
  text: null,
  boolean: null,
}

/** Types whose values are strings in JSON, but no texts. */
const stringTypes: ReadonlySet<Primitive> = new Set(['date', 'timestamp', 'timeOfDay', 'duration'])

function expandedMembers({ resource }: SetPlan, expand: ExpandPlan, context: TemplateContext): TemplateMember[] {
  const { recordFormat } = context
  const { as, count, resultKind, relation } = expand
  const isQuoted = recordFormat.decimals === 'string'
  const total: TemplateMember = {
    of: { kind: 'count', expand },
    before: memberPrefix(as + controlInformationName(recordFormat, 'count')) + (isQuoted ? '"' : ''),
    after: isQuoted ? '"' : '',
    isOptional: false,
  }
  if (resultKind === 'count') return [total]
  return [
    ...(recordFormat.metadata === 'full' ? relationLinks(resource, relation, as, context) : []),
    ...(count ? [total] : []),
    { of: { kind: 'records', expand }, before: memberPrefix(as), after: '', isOptional: false },
  ]
}

function linkMembers({ resource, expand }: SetPlan, context: TemplateContext): TemplateMember[] {
  const inside = new Set(expand.filter(({ resultKind }) => resultKind === 'records').map(({ relation }) => relation))
  return relationsOf(context.schema, resource)
    .filter((relation) => !inside.has(relation))
    .flatMap((relation) => relationLinks(resource, relation, relation.wire, context))
}

/** Navigation and association links (OData JSON 4.01, 8.1 and 8.2). */
function relationLinks(
  { wire }: Resource,
  relation: Relation,
  as: string,
  { recordFormat }: TemplateContext,
): TemplateMember[] {
  const start = JSON.stringify(`${recordFormat.root}/${wire}(`).slice(0, -1)
  const link = (name: string, end: string): TemplateMember => ({
    ...ofKey,
    before: memberPrefix(as + controlInformationName(recordFormat, name)) + start,
    after: `)/${relation.wire}${end}"`,
  })
  return [link('associationLink', '/$ref'), link('navigationLink', '')]
}
