// A record as one JSON text: its fields, what is computed, and what is related inside of it (ADR 0014, ADR 0017).
import { sql, type RawBuilder } from 'kysely'
import type { SetPlan } from '../planner/read-plan.ts'
import { printed, printedInAddress, printedValue } from './json-expressions.ts'
import { column, fieldOf, stored, type Table } from './columns.ts'
import {
  insideName,
  memberName,
  membersOf,
  templateName,
  type Member,
  type Printed,
} from './record-template.ts'
import type { SqlContext } from './dialect.ts'

type Sql = RawBuilder<unknown>

/** A member that is not of the record itself. */
export type RelatedMember = Extract<Member['of'], { readonly kind: 'count' | 'records' }>

/** Where the values of a record are found: in its table, but for what was worked out before. */
interface Source {
  readonly table: Table
  readonly computed: readonly Sql[]
}

/** The name that a member comes and goes with, and what the object is known by that it may be. */
interface Placed {
  readonly name: Sql
  readonly inside: string
}

export class RecordWriter {
  readonly #build: SqlContext
  readonly #printed: Printed
  readonly #related: (member: RelatedMember) => Sql

  /** `related` writes what stands inside of a record. */
  constructor(build: SqlContext, printed: Printed, related: (member: RelatedMember) => Sql) {
    this.#build = build
    this.#printed = printed
    this.#related = related
  }

  /**
   * One JSON object. The names of its members are values of the statement, so that its text does not depend on how a
   * caller spells them. Where members come and go, each begins with a comma, and the first of them is cut off.
   */
  object(table: Table, plan: SetPlan, computed: readonly Sql[], name = table.alias): Sql {
    return this.#format({ table, computed }, membersOf(plan, this.#printed), name)
  }

  #format(source: Source, all: readonly Member[], name: string): Sql {
    const { dialect, value } = this.#build
    const template = value(templateName(name))
    const members = all.map((member, index) =>
      this.#member(source, member, {
        name: value(memberName(name, index)),
        inside: insideName(name, index),
      }),
    )
    const object = sql`format(${sql.join([dialect === 'sqlite' ? template : sql`${template}::text`, ...members])})`
    return this.#printed.form.nulls === 'omitted' ? sql`'{' || substr(${object}, 2) || '}'` : object
  }

  #member(source: Source, { of, isOptional }: Member, { name, inside }: Placed): Sql {
    const { table, computed } = source
    if (of.kind === 'key') return this.#key(table)
    if (of.kind === 'count' || of.kind === 'records') return this.#related(of)
    if (of.kind === 'composite') {
      const object = this.#format(source, of.members, inside)
      const present = isOptional ? sql`${name} || ${object}` : object
      const isNull = of.fields.map((field) => sql`${stored(table, field)} is null`)
      if (isNull.length === 0) return present
      const absent = sql.lit(isOptional ? '' : 'null')
      return sql`case when ${sql.join(isNull, sql` and `)} then ${absent} else ${present} end`
    }
    const { dialect } = this.#build
    const { dates, form } = this.#printed
    const printing = { ...form, dialect, dates }
    if (of.kind === 'computed') {
      const value = printedValue(of.value, computed[of.index] ?? sql`null`, printing)
      if (!isOptional) return sql`coalesce(${value}, 'null')`
      return sql`coalesce(${name} || ${value}, '')`
    }
    const field = fieldOf(table, of.name)
    const value = printed(field, stored(table, of.name), printing)
    if (!field.optional) return value
    if (!isOptional) return sql`coalesce(${value}, 'null')`
    return sql`case when ${stored(table, of.name)} is null then '' else ${name} || ${value} end`
  }

  /** As it stands in the brackets of an address. */
  #key(table: Table): Sql {
    const { key } = table.resource
    const values = key.map((name) => {
      const field = fieldOf(table, name)
      const value = printedInAddress(field, column(table, name), this.#build.dialect)
      return key.length === 1 ? value : sql`${sql.lit(`${field.wire}=`)} || ${value}`
    })
    return sql.join(values, sql` || ',' || `)
  }
}
