// SQL of a record as one JSON object: fields, computed values and related records (ADR 0012, ADR 0020).
import { sql } from 'kysely'
import type { SetPlan } from '../planner/read-plan.ts'
import { fieldJson, keyLiteralSql, valueJson } from './json-expressions.ts'
import { columnRef, fieldOf, nullableColumn, type Table } from './columns.ts'
import { membersOf, type TemplateMember, type TemplateContext } from './record-template.ts'
import {
  directTemplateName,
  hasDirectTemplate,
  memberParameterName,
  nestedAlias,
  templateParameterName,
} from './template-parameters.ts'
import type { Sql, SqlContext } from './dialect.ts'

/** A member with related records or their count. */
export type RelatedMember = Extract<TemplateMember['of'], { readonly kind: 'count' | 'records' }>

/** The sources of a record's values: its table, and already computed values. */
interface Source {
  readonly table: Table
  readonly computed: readonly Sql[]
}

/** The parameter with an optional member's name, and the name of a nested object's template. */
interface PlacedMember {
  readonly name: Sql
  readonly inside: string
}

/** An object of the JSON of its members. */
interface GeneralObject {
  readonly all: readonly TemplateMember[]
  readonly members: readonly Sql[]
  readonly general: Sql
  readonly name: string
}

export class RecordJsonBuilder {
  readonly #context: SqlContext
  readonly #templates: TemplateContext
  readonly #related: (member: RelatedMember) => Sql

  /** `related` builds the SQL of nested records. */
  constructor(context: SqlContext, templateContext: TemplateContext, related: (member: RelatedMember) => Sql) {
    this.#context = context
    this.#templates = templateContext
    this.#related = related
  }

  /**
   * One JSON object. Member names are parameters, so that the SQL text does not depend on the client's spelling. If nulls
   * are omitted, each member begins with a comma, and the first comma is removed.
   */
  object(table: Table, plan: SetPlan, computed: readonly Sql[], name = table.alias): Sql {
    return this.#format({ table, computed }, membersOf(plan, this.#templates), name)
  }

  #format(source: Source, all: readonly TemplateMember[], name: string): Sql {
    const { dialect, value } = this.#context
    const template = value(templateParameterName(name))
    const members = all.map((member, index) =>
      this.#member(source, member, { name: value(memberParameterName(name, index)), inside: nestedAlias(name, index) }),
    )
    const general = sql`format(${sql.join([dialect === 'sqlite' ? template : sql`${template}::text`, ...members])})`
    const isDirect = dialect === 'sqlite' && hasDirectTemplate(all)
    const object = isDirect ? this.#formatDirectly(source, { all, members, general, name }) : general
    return this.#templates.recordFormat.nulls === 'omitted' ? sql`'{' || substr(${object}, 2) || '}'` : object
  }

  /** One `format` for all where none of the values that it writes itself is null. */
  #formatDirectly({ table }: Source, { all, members, general, name }: GeneralObject): Sql {
    const present: Sql[] = []
    const values = all.map(({ of }, index) => {
      if (of.kind !== 'field' || of.direct === null) return members[index] ?? sql`null`
      const { optional, blankWhenNull } = fieldOf(table, of.name)
      const column = columnRef(table, of.name)
      if (optional) present.push(blankWhenNull ? sql`${column} <> ''` : sql`${column} is not null`)
      return of.direct.value(column)
    })
    const object = sql`format(${sql.join([this.#context.value(directTemplateName(name)), ...values])})`
    return present.length === 0 ? object : sql`iif(${sql.join(present, sql` and `)}, ${object}, ${general})`
  }

  #member(source: Source, { of, isOptional }: TemplateMember, { name, inside }: PlacedMember): Sql {
    const { table, computed } = source
    if (of.kind === 'key') return this.#key(table)
    if (of.kind === 'etag') return columnRef(table, of.field)
    if (of.kind === 'count' || of.kind === 'records') return this.#related(of)
    if (of.kind === 'complex') {
      const object = this.#format(source, of.members, inside)
      const present = isOptional ? sql`${name} || ${object}` : object
      const isNull = of.fields.map((field) => sql`${nullableColumn(table, field)} is null`)
      if (isNull.length === 0) return present
      const absent = sql.lit(isOptional ? '' : 'null')
      return sql`case when ${sql.join(isNull, sql` and `)} then ${absent} else ${present} end`
    }
    const { dialect } = this.#context
    const { dates, recordFormat } = this.#templates
    const printing = { ...recordFormat, dialect, dates }
    if (of.kind === 'computed') {
      const value = valueJson(of.value, computed[of.index] ?? sql`null`, printing)
      if (!isOptional) return sql`coalesce(${value}, 'null')`
      return sql`coalesce(${name} || ${value}, '')`
    }
    const field = fieldOf(table, of.name)
    const value = fieldJson(field, nullableColumn(table, of.name), printing)
    // SQLite's `json_quote` writes null itself.
    if (!field.optional || (field.type === 'text' && !isOptional && dialect === 'sqlite')) return value
    if (!isOptional) return sql`coalesce(${value}, 'null')`
    return sql`case when ${nullableColumn(table, of.name)} is null then '' else ${name} || ${value} end`
  }

  /** The key as in the parentheses of a URL. */
  #key(table: Table): Sql {
    const { key } = table.resource
    const values = key.map((name) => {
      const field = fieldOf(table, name)
      const value = keyLiteralSql(field, columnRef(table, name), this.#context.dialect)
      return key.length === 1 ? value : sql`${sql.lit(`${field.wire}=`)} || ${value}`
    })
    return sql.join(values, sql` || ',' || `)
  }
}
