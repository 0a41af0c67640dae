import { expect, test } from 'vitest'
import { employee } from '../../../model/directory.ts'
import { TableRowBinder } from './table-row-binder.ts'

/** What a cell of a field comes to: its value, or the code of the refusal. */
function read(name: keyof typeof employee.fields, cell: string, isEmptying = false): unknown {
  const rows = new TableRowBinder({
    resource: employee,
    columns: [{ index: 0, field: employee.fields[name], isKey: name === 'id' }],
    zone: 'Europe/Oslo',
    rowsMax: 1,
    clearsOnEmptyCell: isEmptying,
  })
  rows.add([cell])
  const [row] = rows.rows
  return row?.details[0]?.code ?? row?.values[name]
}

test.each<[keyof typeof employee.fields, string, unknown]>([
  ['id', '7', 7],
  ['id', ' 1 234 ', 1234],
  ['id', '7.0', 7],
  ['id', '7,5', 'InvalidType'],
  ['firstName', ' Kåre ', 'Kåre'],
  ['firstName', "'=1+1", '=1+1'],
  ['firstName', '0150', '0150'],
  ['firstName', 'a\u0000b', 'InvalidCharacter'],
  ['firstName', 'x'.repeat(101), 'ValueTooLong'],
  ['positionPercent', '37,5', 375_000],
  ['positionPercent', '37.5', 375_000],
  ['positionPercent', '37,5 %', 375_000],
  ['positionPercent', '1 234,5', 12_345_000],
  ['positionPercent', '1\u00A0234,5', 12_345_000],
  ['positionPercent', '1.234,5', 12_345_000],
  ['positionPercent', '1,234.5', 12_345_000],
  ['positionPercent', '-3,25', -32_500],
  ['positionPercent', 'halv', 'InvalidNumber'],
  ['bornOn', '1.5.1990', '1990-05-01'],
  ['bornOn', '01.05.1990', '1990-05-01'],
  ['bornOn', '01/05/1990', '1990-05-01'],
  ['bornOn', '01.05.1990 00:00:00', '1990-05-01'],
  ['bornOn', '1990-05-01', '1990-05-01'],
  ['bornOn', '1.5.90', 'InvalidDate'],
  ['bornOn', '31.02.1990', 'InvalidDate'],
  ['bornOn', '33000', 'InvalidDate'],
  ['isActive', 'Ja', true],
  ['isActive', 'x', true],
  ['isActive', 'SANN', true],
  ['isActive', '1', true],
  ['isActive', 'nei', false],
  ['isActive', 'usann', false],
  ['isActive', '0', false],
  ['isActive', 'kanskje', 'InvalidType'],
])('%s from %j is %j', (name, cell, value) => {
  expect(read(name, cell)).toEqual(value)
})

test('an empty cell says nothing, or empties its field; a key it never empties', () => {
  expect(read('firstName', ' ')).toBeUndefined()
  expect(read('firstName', ' ', true)).toBeNull()
  expect(read('id', ' ', true)).toBeUndefined()
})
