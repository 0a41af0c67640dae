// SQL of a record as one JSON object: fields, computed values and related records (ADR 0012, ADR 0020).
import { sql } from 'kysely'
import type { SetPlan } from '../planner/read-plan.ts'
import { fieldJson, keyLiteralSql, valueJson } from './json-expressions.ts'
import { columnRef, fieldOf, nullableColumn, type Table } from './columns.ts'
import {
  directFormatIn,
  membersOf,
  type DirectFields,
  type TemplateMember,
  type TemplateContext,
} from './record-template.ts'
import { directTemplateName, memberParameterName, nestedAlias, templateParameterName } from './template-parameters.ts'
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

/** An object, and the JSON of its members, which may be null. */
interface ObjectValues {
  readonly table: Table
  readonly all: readonly TemplateMember[]
  readonly members: readonly Sql[]
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
    const members = all.map((member, index) =>
      this.#member(source, member, { name: value(memberParameterName(name, index)), inside: nestedAlias(name, index) }),
    )
    const object =
      dialect === 'sqlite'
        ? this.#formatDirectly({ table: source.table, all, members, name })
        : sql`format(${sql.join([sql`${value(templateParameterName(name))}::text`, ...members])})`
    return this.#templates.recordFormat.nulls === 'omitted' ? sql`'{' || substr(${object}, 2) || '}'` : object
  }

  /** An object that contains others is written once: with two expressions the text would double with each level. */
  #formatDirectly(object: ObjectValues): Sql {
    const { table, all } = object
    const isLong = all.some(({ of: { kind } }) => kind === 'complex' || kind === 'records' || kind === 'count')
    const nullable = all.flatMap(({ of }) =>
      of.kind === 'field' && of.direct !== null && of.isNullable ? [of.name] : [],
    )
    const required = this.#formatFields(object, 'required')
    if (isLong || nullable.length === 0) return required
    const present = nullable.map((name) => {
      const isBlank = fieldOf(table, name).blankWhenNull
      return isBlank ? sql`${columnRef(table, name)} <> ''` : sql`${columnRef(table, name)} is not null`
    })
    return sql`iif(${sql.join(present, sql` and `)}, ${this.#formatFields(object, 'all')}, ${required})`
  }

  #formatFields({ table, all, members, name }: ObjectValues, fields: DirectFields): Sql {
    const values = all.flatMap((member, index) => {
      const direct = directFormatIn(member, fields)
      if (direct === null || member.of.kind !== 'field') return members[index] ?? []
      return direct.values(columnRef(table, member.of.name))
    })
    return sql`format(${sql.join([this.#context.value(directTemplateName(name, fields)), ...values])})`
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
