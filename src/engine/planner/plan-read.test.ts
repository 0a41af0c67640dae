import { expect, test } from 'vitest'
import { revenueNames } from '../../../tests/support/revenue-record.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { CompanyId } from '../model/resource.ts'
import { revenue } from '../../model/revenue.ts'
import { odata2Dialect } from '../odata/dialect.ts'
import { routeParameters, parseQuery } from '../odata/options/query.ts'
import { planRead, setOptions } from './plan-read.ts'
import type { ReadPlan } from './read-plan.ts'

const parameters = routeParameters(setOptions, 'ignored')
const companyId = 7 as CompanyId

function planned(search: string): ReadPlan {
  return planRead(revenue, parseQuery(search, parameters), {
    companyId,
    zone: 'Europe/Oslo',
    clock: () => 0,
    schema: serviceSchema,
    grantedScopes: new Set(),
    naming: 'declared',
    dialect: odata2Dialect,
    dates: 'midnight',
  })
}

function names(search: string): string[] {
  return planned(search).select.map(({ as }) => as)
}

function order(search: string): string {
  return planned(search)
    .orderBy.map(({ value, descending }) => {
      const field = value.kind === 'field' ? value.field : value.kind
      return descending ? `-${field}` : field
    })
    .join(' ')
}

test('4.1 without options the plan reads the fields of 2.1 of all records, ordered by key', () => {
  const { resource, filter, skip, top, count, dates, values } = planned('')
  expect({ resource, filter, skip, top, count, dates, values }).toEqual({
    resource: revenue,
    filter: null,
    skip: 0,
    top: null,
    count: false,
    dates: 'midnight',
    values: [],
  })
  expect(planned('').companyId).toBe(companyId)
  expect(names('')).toEqual(revenueNames)
  expect(order('')).toBe('id')
})

test.each([
  ['Dato,Omsetning', ['Dato', 'Omsetning']],
  ['omsetning,DATO', ['Omsetning', 'Dato']],
  ['InntekstplanId', ['InntektsPlanId']],
  ['Dato,dato,DATO', ['Dato']],
  ['*', revenueNames],
  ['*,SistEndretDato,Dato', [...revenueNames, 'SistEndretDato']],
])('$select=%s returns each field once, by its declared name', (text, expected) => {
  expect(names(`$select=${text}`)).toEqual(expected)
})

test.each([
  // A prefix of the clustered key is continued with the rest of it before the key.
  ['Dato', 'date departmentId kind id'],
  ['Dato desc', '-date -departmentId -kind -id'],
  ['Dato desc,AvdelingID desc', '-date -departmentId -kind -id'],
  ['Dato,AvdelingID desc', 'date -departmentId id'],
  ['avdelingid asc,Dato desc', 'departmentId -date id'],
  ['Dato,Dato desc', 'date departmentId kind id'],
  ['InntektsPlanId desc', '-id'],
  ['Dato,InntektsPlanId desc,Omsetning', 'date -id'],
])('$orderby=%s ends with the key', (text, expected) => {
  expect(order(`$orderby=${text}`)).toBe(expected)
})

test.each([
  ['0', 0],
  ['007', 7],
  ['+5+', 5],
  ['9007199254740991', 9007199254740991],
])('$top=%s and $skip are non-negative integers', (text, expected) => {
  expect(planned(`$top=${text}&$skip=${text}`)).toMatchObject({ top: expected, skip: expected })
})

test.each([
  ['$select=Dat', 'UnknownProperty', '$select:1'],
  ['$select=Dato,amount', 'UnknownProperty', '$select:6'],
  ['$select=', 'InvalidSelect', '$select:1'],
  ['$orderby=Dato,Belop', 'UnknownProperty', '$orderby:6'],
  ['$orderby=Dato opp', 'InvalidOrderBy', '$orderby:6'],
  ['$orderby=', 'InvalidOrderBy', '$orderby:1'],
  ['$orderby=matchespattern(Merknad,ipType)', 'NotSupported', '$orderby:1'],
  ['$filter=', 'InvalidFilter', '$filter:1'],
  ['$filter=Dat eq null', 'UnknownProperty', '$filter:1'],
  ['$count=ja', 'InvalidQueryOption', '$count'],
  ['$search=(a', 'InvalidSearch', '$search:1'],
  ['$compute=Omsetning mul 2 as Dato', 'InvalidCompute', '$compute:20'],
  ['$compute=Omsetning', 'InvalidCompute', '$compute:10'],
  ['$apply=groupby((Avdeling/Navn))', 'ScopeMissing', '$apply:10'],
  ['$apply=top(1)/groupby((Datoen))', 'UnknownProperty', '$apply:17'],
  ['$apply=groupby(Dato)', 'InvalidApply', '$apply:9'],
  ['$expand=avdeling', 'ScopeMissing', '$expand:1'],
])('%s is refused as %s', (search, code, target) => {
  expect(() => planned(search)).toThrow(expect.objectContaining({ code, target }))
})
