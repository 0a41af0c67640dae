// SQL of a plan's conditions; every literal is a parameter.
import { sql, type RawBuilder } from 'kysely'
import { finished, rawColumns } from './exact-sums.ts'
import type {
  AggregateValue,
  Comparison,
  Condition,
  Join,
  LiteralValue,
  Related,
  Sought,
  TextTest,
  Value,
} from '../planner/expressions/expression.ts'
import { aliasOf, numbered } from './columns.ts'
import { ValueWriter, valueName, type Conditions } from './values.ts'
import type { SqlContext } from './dialect.ts'
import { chain } from './value-functions.ts'

type Sql = RawBuilder<unknown>

/** Builds conditions; null counts as false, inside `not` too. */
export class ConditionWriter implements Conditions {
  readonly values: ValueWriter
  readonly #context: SqlContext

  constructor(build: SqlContext) {
    this.#context = build
    this.values = new ValueWriter(build, this)
  }

  write(condition: Condition): Sql {
    switch (condition.kind) {
      case 'constant':
        return condition.is ? sql`(1 = 1)` : sql`(1 = 0)`
      case 'not':
        return sql`(${this.write(condition.of)} is not true)`
      case 'compare':
        return this.#compare(condition.operator, condition.left, condition.right)
      case 'in':
        return this.#in(condition.left, condition.right)
      case 'text':
        return this.#textTest(condition.test, condition.left, condition.right)
      case 'found':
        return this.#search(this.values.write(condition.text), condition.sought)
      case 'is':
        return sql`(${this.values.write(condition.value)} = ${sql.lit(condition.truth ? 1 : 0)})`
      case 'any':
        return sql`(exists (select 1 ${this.#fromRelated(condition.of)}))`
    }
    const parts = condition.of.map((part) => this.write(part))
    return chain(parts, condition.kind === 'and' ? sql` and ` : sql` or `)
  }

  /** Left joins of single related records. */
  joined(joins: readonly Join[]): Sql {
    if (joins.length === 0) return sql``
    const written = joins.map((join) => {
      const { key } = join
      const leads = leadsTo(join, this.#context)
      const on = key === undefined ? leads : sql`${leads} and ${this.write(key)}`
      return sql`left join ${tableNumbered(join)} on ${on}`
    })
    return sql.join(written, sql` `)
  }

  count(related: Related): Sql {
    return sql`(select count(*) ${this.#fromRelated(related)})`
  }

  /** A sum consists of partial sums, which are combined outside of the subquery. */
  aggregate({ of, method, value, type }: AggregateValue): Sql {
    const { dialect } = this.#context
    const one = { name: 'x', method, value, type }
    const inside = sql`select ${sql.join(rawColumns(one, value === null ? null : this.values.write(value), dialect))} ${this.#fromRelated(of)}`
    return sql`(select ${finished(one, 'r', dialect)} from (${inside}) as r)`
  }

  /** `from` and `where`: the related records that pass. */
  #fromRelated(related: Related): Sql {
    const { number, from, relation, joins, filter } = related
    const leads = leadsTo({ number, from, relation }, this.#context)
    const where = filter === null ? leads : sql`${leads} and ${this.write(filter)}`
    return sql`from ${tableNumbered(related)} ${this.joined(joins)} where ${where}`
  }

  #compare(operator: Comparison, left: Value, right: Value): Sql {
    if (left.kind === 'null' || right.kind === 'null')
      return this.#compareNull(operator, left.kind === 'null' ? right : left)
    if (operator === 'ne') return this.#differs(left, right)
    if (operator === 'eq' && left.kind !== 'literal' && right.kind !== 'literal')
      return sql`(${this.values.write(left)} is not distinct from ${this.values.write(right)})`
    const [a, b] = this.#operands(left, right)
    const holds = operator === 'eq' ? sql`${a} = ${b}` : sql`${a} ${orders[operator]} ${b}`
    const present = [left, right].flatMap((value) => this.#isPresent(value))
    return sql`(${sql.join([holds, ...present], sql` and `)})`
  }

  /** A bare column, so that an index can be used, and a literal with the type of the column. */
  #operands(left: Value, right: Value): readonly [Sql, Sql] {
    const side = (value: Value, other: Value): Sql => {
      if (isOwnBlank(value)) return numbered(value.of, value.field)
      return value.kind === 'literal' && other.kind === 'field'
        ? this.values.literal(value)
        : this.values.write(value)
    }
    return [side(left, right), side(right, left)]
  }

  /** '' that represents null differs from every value, the empty string too. */
  #differs(left: Value, right: Value): Sql {
    const isBetweenValues = left.kind !== 'literal' && right.kind !== 'literal'
    if (isBetweenValues)
      return sql`(${this.values.write(left)} is distinct from ${this.values.write(right)})`
    const [a, b] = this.#operands(left, right)
    const isBlank = [left, right]
      .filter(isOwnBlank)
      .map(({ of, field }) => sql`${numbered(of, field)} = ''`)
    return sql`(${sql.join([sql`${a} is distinct from ${b}`, ...isBlank], sql` or `)})`
  }

  #in(left: Value, right: LiteralValue): Sql {
    const value = isOwnBlank(left) ? numbered(left.of, left.field) : this.values.write(left)
    const among = sql`${value} in ${this.#listValues(right)}`
    return sql`(${sql.join([among, ...this.#isPresent(left)], sql` and `)})`
  }

  /** Only `eq` and `ne` can be true against null. */
  #compareNull(operator: Comparison, other: Value): Sql {
    if (operator !== 'eq' && operator !== 'ne') return sql`(1 = 0)`
    const isEqual = operator === 'eq'
    if (other.kind === 'null' || other.kind === 'literal')
      return (other.kind === 'null') === isEqual ? sql`(1 = 1)` : sql`(1 = 0)`
    if (isOwnBlank(other)) {
      const column = numbered(other.of, other.field)
      return isEqual ? sql`(${column} = '')` : sql`(${column} <> '')`
    }
    const value = this.values.write(other)
    return isEqual ? sql`(${value} is null)` : sql`(${value} is not null)`
  }

  /** '' that represents null is neither equal to nor below any value. */
  #isPresent(value: Value): Sql[] {
    return isOwnBlank(value) ? [sql`${numbered(value.of, value.field)} <> ''`] : []
  }

  #textTest(test: TextTest, left: Value, right: Value): Sql {
    const write = (value: Value, other: Value) =>
      value.kind === 'literal' && other.kind === 'field'
        ? this.values.literal(value)
        : this.values.write(value)
    const [text, part] = [write(left, right), write(right, left)]
    return sql`(${textTests[this.#context.dialect][test](text, part)})`
  }

  /** Case folding happens once, for any number of search terms. */
  #search(text: Sql, sought: Sought): Sql {
    const { dialect } = this.#context
    const test = (one: Sought): Sql => {
      if (one.kind === 'term')
        return sql`(${textTests[dialect].contains(foldedText, this.values.write(one.term))})`
      const [first = sql`null`, ...others] = one.of.map(test)
      if (one.kind === 'not') return sql`(not ${first})`
      return chain([first, ...others], one.kind === 'and' ? sql` and ` : sql` or `)
    }
    const fence = dialect === 'sqlite' ? sql`limit 1` : sql`offset 0`
    return sql`(select ${test(sought)} from (select ${text} as x ${fence}) as r)`
  }

  #listValues({ index, type }: LiteralValue): Sql {
    const list = this.#context.value(valueName(index))
    if (this.#context.dialect === 'sqlite') return sql`(select value from json_each(${list}))`
    const element = sql`json_array_elements_text(${list}::json) as element`
    return type === 'text' || type === 'date'
      ? sql`(select element from ${element})`
      : sql`(select element::bigint from ${element})`
  }
}

const foldedText = sql.ref('r.x')

/** Joins stay within the company; a relation without fields leads to all records of the company. */
export function leadsTo({ number, from, relation }: Join, { value }: SqlContext): Sql {
  const pairs = Object.entries(relation.on)
  if (pairs.length === 0) return sql`${numbered(number, 'companyId')} = ${value('companyId')}`
  return sql.join(
    [['companyId', 'companyId'] as const, ...pairs].map(
      ([mine, theirs]) => sql`${numbered(number, theirs)} = ${numbered(from, mine)}`,
    ),
    sql` and `,
  )
}

function tableNumbered({ number, relation }: Join): Sql {
  return sql`${sql.table(relation.to.table)} as ${sql.table(aliasOf(number))}`
}

/** A field whose column stores '' for null; an index contains the column itself. */
function isOwnBlank(value: Value): value is Value & { readonly kind: 'field' } {
  return value.kind === 'field' && value.blank === 'own'
}

const orders = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` }

type TextTestSql = (text: Sql, part: Sql) => Sql

/** Case-sensitive comparison by code point, the same in both databases. */
const textTests: Record<'sqlite' | 'postgres', Record<TextTest, TextTestSql>> = {
  sqlite: {
    startswith: (text, part) => sql`substr(${text}, 1, length(${part})) = ${part}`,
    endswith: (text, part) => sql`${part} = '' or substr(${text}, -length(${part})) = ${part}`,
    contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  },
  postgres: {
    startswith: (text, part) => sql`starts_with(${text}, ${part})`,
    endswith: (text, part) => sql`right(${text}, length(${part})) = ${part}`,
    contains: (text, part) => sql`strpos(${text}, ${part}) > 0`,
  },
}
