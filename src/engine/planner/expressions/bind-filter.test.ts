import { expect, test } from 'vitest'
import { serviceSchema } from '../../../model/service-schema.ts'
import { defineResource as resourceOf, type Resource } from '../../model/resource.ts'
import { revenue } from '../../../model/revenue.ts'
import { odata2Dialect } from '../../odata/dialect.ts'
import { parseFilter } from '../../odata/options/filter.ts'
import { filterOption } from '../../odata/options/option.ts'
import { bindFilter, createScope } from './bind-filter.ts'
import { createBinding } from '../binding.ts'
import type { Condition, PlanValue, Value } from './bound-expression.ts'

function bound(text: string, resource: Resource = revenue) {
  const interpretation = { dialect: odata2Dialect, namespace: 'Test', zone: 'Europe/Oslo', naming: 'declared' } as const
  const binding = createBinding({ ...interpretation, clock: () => 0 })
  const view = { schema: serviceSchema, resource, grantedScopes: new Set<string>() }
  const record = { view, number: 0, joins: [], isJoined: false }
  const scope = { ...createScope(binding, record, record), option: filterOption }
  return { condition: bindFilter(scope, parseFilter(text, odata2Dialect)), values: binding.values }
}

/** A condition as text, with its values inserted. */
function shown(condition: Condition, values: readonly PlanValue[]): string {
  const operand = (one: Value): string => {
    switch (one.kind) {
      case 'literal':
        return JSON.stringify(values[one.index])
      case 'field':
        return one.recordNumber === 0 ? one.field : `${one.recordNumber}.${one.field}`
      case 'null':
        return 'null'
      case 'call':
        return `${one.name}(${one.args.map(operand).join(', ')})`
      case 'condition':
        return `truth(${all(one.of)})`
      case 'count':
        return `count(${one.of.relation.wire})`
      case 'aggregate':
        return `${one.method}(${one.of.relation.wire})`
    }
    return `case(${one.branches.map((each) => `${all(each.condition)}: ${operand(each.value)}`).join(', ')})`
  }
  const all = (one: Condition): string => {
    switch (one.kind) {
      case 'constant':
        return String(one.is)
      case 'not':
        return `not ${all(one.of)}`
      case 'compare':
        return `${operand(one.left)} ${one.operator} ${operand(one.right)}`
      case 'in':
        return `${operand(one.left)} in ${operand(one.right)}`
      case 'text':
        return `${operand(one.left)} ${one.test} ${operand(one.right)}`
      case 'search':
        return `found in ${operand(one.text)}`
      case 'is':
        return `${operand(one.value)} is ${one.expected}`
      case 'any':
        return `any(${one.of.relation.wire}${one.of.filter === null ? '' : `: ${all(one.of.filter)}`})`
    }
    return `(${one.of.map(all).join(` ${one.kind} `)})`
  }
  return all(condition)
}

function resolved(text: string): string {
  const { condition, values } = bound(text)
  return shown(condition, values)
}

test.each([
  // names
  ["AvdelingID eq '1'", 'departmentId eq "1"'],
  ["AVDELINGID eq '1'", 'departmentId eq "1"'],
  ['InntektsPlanId eq 7', 'id eq 7'],
  ['InntekstplanId eq 7', 'id eq 7'],
  // the syntax shown in interface 4.1
  [
    "Dato eq datetime('2013-01-01') and ipType eq 'I' and AvdelingID eq '12'",
    '(date eq "2013-01-01" and kind eq "I" and departmentId eq "12")',
  ],
  // operands on either side
  ['5 lt InntektsPlanId', 'id gt 5'],
  ['5 ge InntektsPlanId', 'id le 5'],
  ['5 eq InntektsPlanId', 'id eq 5'],
  ['Dato eq null', 'date eq null'],
  ['null ne Dato', 'date ne null'],
  ['Dato lt null', 'false'],
  ['AvdelingID eq ipType', 'departmentId eq kind'],
  ['OpprettetDato lt SistEndretDato', 'createdAt lt changedAt'],
  // lists
  ["AvdelingID in ('1','2')", 'departmentId in ["1","2"]'],
  ["AvdelingID in ('1',null)", '(departmentId in ["1"] or departmentId eq null)'],
  ['Omsetning in (1,2.00001,1e99)', 'amount in [10000]'],
  ['Omsetning in (null)', '(false or amount eq null)'],
  ['Dato in ()', 'false'],
  ["not (AvdelingID in ('1'))", 'not departmentId in ["1"]'],
  ["not AvdelingID in ('1')", 'not departmentId in ["1"]'],
  // text tests
  ["startswith(AvdelingID,'1')", '(departmentId ne null and departmentId startswith "1")'],
  ["endswith(ipType,'I')", 'kind endswith "I"'],
  ["contains('abc',ipType)", '"abc" contains kind'],
  ["substringof('x',ipType)", 'kind contains "x"'],
  ["startswith(ipType,'x') eq true", 'kind startswith "x"'],
  ["true eq startswith(ipType,'x')", 'kind startswith "x"'],
  ["startswith(ipType,'x') eq false", 'not kind startswith "x"'],
  ["startswith(ipType,'x') ne true", 'not kind startswith "x"'],
  ["not startswith(ipType,'x') eq true", 'not kind startswith "x"'],
  ["(ipType eq 'I') eq true", 'kind eq "I"'],
  ["not ((ipType eq 'I') ne true)", 'kind eq "I"'],
  ['contains(Merknad,null)', 'false'],
  ['not contains(Merknad,null)', 'false'],
  // logic
  ["not (ipType eq 'I' and Dato eq null)", '(not kind eq "I" or not date eq null)'],
  ["not (ipType eq 'I' or not (Dato eq null))", '(not kind eq "I" and date eq null)'],
  ['true', 'true'],
  ['not true', 'false'],
  ['null', 'false'],
  ['not null', 'false'],
  // constant folding
  ['1 eq 1', 'true'],
  ['1 eq 1.0', 'true'],
  ['-0.1 lt 0', 'true'],
  ['100 gt 99.5e0', 'true'],
  ['5e-1 lt 0.49', 'false'],
  ['-2 lt -10', 'false'],
  ["'a' eq 'a'", 'true'],
  ["'a' ge 'b'", 'false'],
  ['true ne false', 'true'],
  ['null eq null', 'true'],
  ['null ne 1', 'true'],
  ['2024-01-01 lt 2024-01-02', 'true'],
])('%s', (text, expected) => {
  expect(resolved(text)).toBe(expected)
})

test.each([
  // a date counts as midnight, and a literal keeps its time of day
  ["Dato eq datetime('2013-01-01T00:00:00')", 'date eq "2013-01-01"'],
  ["Dato eq datetime('2013-01-01T10:00:00')", 'false'],
  ['Dato ne 2013-01-01T10:00', 'true'],
  ['Dato lt 2013-01-01T10:00', 'date le "2013-01-01"'],
  ['Dato le 2013-01-01T10:00', 'date le "2013-01-01"'],
  ['Dato gt 2013-01-01T10:00', 'date gt "2013-01-01"'],
  ['Dato ge 2013-01-01T10:00', 'date gt "2013-01-01"'],
  ['2013-01-01T10:00 gt Dato', 'date le "2013-01-01"'],
  ['Dato ge 2013-01-01T00:00:00.0000001', 'date gt "2013-01-01"'],
  ['Dato in (2013-01-01T10:00,2013-01-02)', 'date in ["2013-01-02"]'],
  // time zones: ADR 0005
  ['Dato eq 2024-05-01T00:00:00+02:00', 'date eq "2024-05-01"'],
  ['Dato ge 2024-05-01T23:30:00-10:00', 'date gt "2024-05-01"'],
  ['Dato eq 2024-04-30T22:00:00Z', 'date eq "2024-05-01"'],
  ['Dato eq 2024-05-01T00:00:00Z', 'date eq "2024-05-01"'],
  ['Dato lt 2024-05-01T09:00:00Z', 'date le "2024-05-01"'],
  // dates beyond the supported years
  ['Dato le 9999-12-31', 'date ne null'],
  ['Dato lt 9999-12-31T23:59:59.9999999', 'date ne null'],
  ['Dato gt 9999-12-31', 'false'],
  ['Dato ge 0001-01-01', 'date ne null'],
  ['Dato ne 0001-01-01', 'true'],
  // timestamps: UTC without an offset, to the microsecond
  ['SistEndretDato gt 1970-01-01T00:00:01', 'changedAt gt 1000000'],
  ['SistEndretDato gt 1970-01-02', 'changedAt gt 86400000000'],
  ['SistEndretDato gt 1970-01-01T02:00:00.5+02:00', 'changedAt gt 500000'],
  ['SistEndretDato ge 1970-01-01T00:00:00.0000009Z', 'changedAt gt 0'],
  ['SistEndretDato eq 1970-01-01T00:00:00.0000010Z', 'changedAt eq 1'],
  ['SistEndretDato eq 1970-01-01T00:00:00.0000019Z', 'false'],
  ['SistEndretDato lt 9999-12-31', 'true'],
  // decimals: four places, exactly
  ['Omsetning eq 1234.5', 'amount eq 12345000'],
  ['Omsetning eq 1.00000', 'amount eq 10000'],
  ['Omsetning eq 1.00001', 'false'],
  ['Omsetning gt 1.00001', 'amount gt 10000'],
  ['Omsetning ge 1.00001', 'amount gt 10000'],
  ['Omsetning lt 1.00001', 'amount le 10000'],
  ['Omsetning gt -1.00001', 'amount gt -10001'],
  ['Omsetning le -1.00001', 'amount le -10001'],
  ['Omsetning lt -0.00001', 'amount le -1'],
  ['Omsetning gt 0.00001', 'amount gt 0'],
  ['Omsetning eq -0', 'amount eq 0'],
  ['Omsetning eq -0.00', 'amount eq 0'],
  ['Omsetning eq 1e-4', 'amount eq 1'],
  ['Omsetning eq 12e2', 'amount eq 12000000'],
  ['Omsetning eq 0e99', 'amount eq 0'],
  ['Omsetning lt 1e400', 'amount ne null'],
  ['Omsetning gt 1e400', 'false'],
  ['Omsetning gt -99999999999999999999', 'amount ne null'],
  ['Omsetning eq 99999999999.9999', 'amount eq 999999999999999'],
  // INF and NaN
  ['Omsetning lt INF', 'amount ne null'],
  ['Omsetning ge -INF', 'amount ne null'],
  ['Omsetning eq NaN', 'false'],
  ['Omsetning ne NaN', 'true'],
  ['Omsetning gt -(5)', 'amount gt -50000'],
  // integers
  ['InntektsPlanId eq 1.0', 'id eq 1'],
  ['InntektsPlanId lt 1.5', 'id le 1'],
  ['InntektsPlanId eq 1.5', 'false'],
  ['InntektsPlanId lt 9007199254740993', 'true'],
  ['InntektsPlanId gt 9007199254740993', 'false'],
])('%s', (text, expected) => {
  expect(resolved(text)).toBe(expected)
})

test.each([
  ["Dato eq '2024'", 9, "Dato is a date, like datetime('2013-01-31')"],
  ["Dato eq '2024-01-01'", 9, "Dato is a date, like datetime('2013-01-31')"],
  ['Dato eq 2024', 9, "Dato is a date, like datetime('2013-01-31')"],
  ['Dato eq 2023-02-29', 9, 'this date or time does not exist'],
  ['Dato eq 2024-13-01', 9, 'this date or time does not exist'],
  ['Dato eq 2024-01-01T24:00', 9, 'this date or time does not exist'],
  ['SistEndretDato gt 2024-01-01T10:60', 19, 'this date or time does not exist'],
  ['AvdelingID eq 12', 15, "AvdelingID is a string, like '42'"],
  ["Dato eq null and AvdelingID in ('1',2)", 37, "AvdelingID is a string, like '42'"],
  ["InntektsPlanId eq '7'", 19, 'InntektsPlanId is an integer, like 42'],
  ["'1,5' lt Omsetning", 1, 'Omsetning is a number, like 1234.50'],
  ['Omsetning eq true', 14, 'Omsetning is a number, like 1234.50'],
  ['SistEndretDato eq 1', 19, 'SistEndretDato is a date and time, like 2024-05-01T10:00:00Z'],
  ['Dato eq SistEndretDato', 9, 'Dato and SistEndretDato have different types'],
  ["1 eq 'a'", 6, 'the two operands have different types'],
  ['Dato', 1, 'Dato is not a boolean expression'],
  ['Dato eq null and 5', 18, 'expected a boolean expression'],
  ["not ipType eq 'I'", 1, 'not binds more tightly than a comparison: write not (…)'],
  ['not ipType', 5, 'ipType is not a boolean expression'],
  ['startswith(Dato,null)', 12, 'Dato is not a string'],
  ['contains(ipType,5)', 17, 'expected a property or a string in single quotes'],
  ['ipType in (AvdelingID)', 12, 'expected a list of literals in parentheses'],
  ["startswith(ipType,'x') eq 1", 27, 'a boolean expression can only be compared with true or false, by eq or ne'],
])('%s is refused at column %i', (text, column, problem) => {
  expect(() => bound(text)).toThrow(
    expect.objectContaining({
      code: 'InvalidFilter',
      target: `$filter:${column}`,
      message: `$filter is invalid at column ${column}: ${problem}.`,
    }),
  )
})

test('a timestamp whose date depends on the time zone is refused, as in a record', () => {
  expect(() => bound('Dato eq 2024-04-30T22:30:00Z')).toThrow(
    expect.objectContaining({ code: 'AmbiguousDate', target: '$filter:9' }),
  )
})

test.each([
  ['Dat eq null', 1, 'Dato'],
  ["ipType eq 'I' and AvdelingIDD eq '1'", 19, 'AvdelingID'],
  ['date eq null', 1, 'Dato'],
  ['constructor eq null', 1, undefined],
])('an unknown name is refused at its column: %s', (text, column, nearest) => {
  const params = expect.objectContaining({ resource: 'Omsetning' })
  const error = { code: 'UnknownProperty', target: `$filter:${column}`, params }
  expect(() => bound(text)).toThrow(expect.objectContaining(error))
  if (nearest === undefined) return
  expect(() => bound(text)).toThrow(`Did you mean "${nearest}"?`)
})

test.each([
  ["matchespattern(ipType,'i')", 1, 'the function matchespattern'],
  ['isof(Edm.String)', 1, 'the function isof'],
  ['year(2024-01-01T00:00:00+02:00) eq 1', 6, 'a date or time function with another time zone than UTC'],
])('unsupported features of the standard are 501: %s', (text, column, feature) => {
  expect(() => bound(text)).toThrow(
    expect.objectContaining({
      code: 'NotSupported',
      status: 501,
      target: `$filter:${column}`,
      message: `${feature} is not supported.`,
    }),
  )
})

test('a boolean field is a condition', () => {
  const fields = {
    id: { wire: 'Id', type: 'integer' },
    paid: { wire: 'Betalt', type: 'boolean', optional: true },
  } as const
  const bill = resourceOf({ table: 'bill', wire: 'Regning', key: ['id'], readScope: 'bill:read', fields })
  const bills = (text: string): string => {
    const { condition, values } = bound(text, bill)
    return shown(condition, values)
  }
  expect(bills('Betalt')).toBe('paid eq true')
  expect(bills('not Betalt')).toBe('paid eq false')
  expect(bills('Betalt ne true')).toBe('paid ne true')
  expect(bills('Betalt in (true,null)')).toBe('(paid eq true or paid eq null)')
})
