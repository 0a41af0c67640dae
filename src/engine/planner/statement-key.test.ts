import { expect, test } from 'vitest'
import { finnPlanOf } from '../../../tests/support/plans.ts'
import type { CompanyId } from '../model/resource.ts'
import { statementKey } from './statement-key.ts'

function shape(search: string, companyId = 1): string {
  return statementKey({ ...finnPlanOf(search), companyId: companyId as CompanyId })
}

test.each([
  ["$filter=ipType eq 'I'", "$filter=ipType eq '; drop table'"],
  ['$filter=Dato eq 2024-01-01', "$filter=DATO eq datetime('2023-12-31')"],
  ["$filter=AvdelingID in ('1')", "$filter=AvdelingID in ('1','2','3')"],
  ["$filter=contains(Merknad,'a')", "$filter=substringof('b',Merknad) eq true"],
  ['$filter=Omsetning gt 1', '$filter=2.5 lt Omsetning'],
  ['$top=5', '$top=6'],
  ['$top=5&$skip=1', '$top=6&$skip=7'],
  ['$orderby=Dato', '$orderby=dato asc'],
])('literal values do not change the key: %s equals %s', (one, other) => {
  expect(shape(one)).toBe(shape(other, 2))
})

test('every other difference changes the key', () => {
  const shapes = [
    '',
    '$skip=1',
    '$select=Dato',
    '$select=Dato,ipType',
    '$select=ipType,Dato',
    '$orderby=Dato',
    '$orderby=Dato desc',
    '$orderby=Dato,ipType',
    '$filter=Dato eq null',
    '$filter=Dato ne null',
    "$filter=ipType eq 'I'",
    "$filter=AvdelingID eq 'I'",
    '$filter=AvdelingID eq ipType',
    "$filter=AvdelingID in ('I')",
    "$filter=contains(ipType,'I')",
    "$filter=contains('I',ipType)",
    "$filter=startswith(ipType,'I')",
    "$filter=not contains(ipType,'I')",
    "$filter=ipType eq 'I' and AvdelingID eq 'I'",
    "$filter=ipType eq 'I' or AvdelingID eq 'I'",
    "$filter=AvdelingID eq 'I' or ipType eq 'I'",
    '$filter=true',
    '$filter=false',
  ].map((search) => shape(search))
  expect(new Set(shapes).size).toBe(shapes.length)
})

test('the key consists of names from the model and keywords of the plan', () => {
  const odd = "$filter=Merknad eq '\u00e6\u0142\u{1f600}' and not (Dato lt 2024-01-01T10:00)&$select=Dato"
  const encoded = odd.replaceAll(/[^ -~]/gu, encodeURIComponent)
  expect(shape(encoded)).toBe('revenue date, id+, (and,(eq(remark,?0:text),(not,le(date,?1:date),),),)')
})
