import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { editDistance, findIntendedName, closestMatch } from './closest-match.ts'

const fields = ['InntektsPlanId', 'Dato', 'ipType', 'AvdelingID', 'Omsetning', 'SistEndretDato']

test.each([
  ['Dat', 'Dato'],
  ['dtao', 'Dato'],
  ['datoo', 'Dato'],
  ['avdeling', 'AvdelingID'],
  ['AvdelingsID', 'AvdelingID'],
  ['SistEndret', 'SistEndretDato'],
  ['omsetnign', 'Omsetning'],
  ['type', 'ipType'],
  ['da', undefined],
  ['x', undefined],
  ['', undefined],
  ['Firma', undefined],
])('%j is probably %j', (name, expected) => {
  expect(closestMatch(name, fields)).toBe(expected)
})

test('a name of one letter is not turned into another', () => {
  expect(closestMatch('a', ['b', 'c'])).toBeUndefined()
})

test('among equally near names the first is taken', () => {
  expect(closestMatch('tap', ['top', 'tip'])).toBe('top')
})

test.each([
  ['', '', 0],
  ['a', '', 1],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j it is %i distance', (one, other, distance) => {
  expect(editDistance(one, other, 9)).toBe(distance)
})

test('the distance is symmetric, and beyond the limit it is the limit plus one', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(name, name, fc.nat(4), (one, other, distanceMax) => {
      const distance = editDistance(one, other, 99)
      expect(editDistance(other, one, 99)).toBe(distance)
      expect(editDistance(one, other, distanceMax)).toBe(Math.min(distance, distanceMax + 1))
    }),
  )
})

test('a very long name is not measured', () => {
  expect(closestMatch('x'.repeat(1_000_000), fields)).toBeUndefined()
})

test.each([
  ['Omsetn', 'Omsetning'],
  ['OmsetningEksMva', 'Omsetning'],
  ['omsetting', 'Omsetning'],
  ['Avdeling', 'AvdelingID'],
  ['Data', 'Dato'],
  ['Dag', 'Dato'],
  ['DatoFra', 'Dato'],
  ['type', 'ipType'],
  ['InntektPlanId', 'InntektsPlanId'],
  ['Oms', undefined],
  ['Avd', undefined],
  ['AvdelingNavn', undefined],
  ['Belop', undefined],
  ['Firma', undefined],
  ['d', undefined],
  ['', undefined],
  ['x'.repeat(1_000_000), undefined],
])('%.20s is a misspelling of %j', (name, expected) => {
  expect(findIntendedName(name, fields)).toBe(expected)
})

test('of several names the closest is suggested, and short names are not all alike', () => {
  expect(findIntendedName('Omsetningen', ['Omsetning', 'Omsetninger'])).toBe('Omsetninger')
  for (const name of ['t', '_', 'ts', 'v']) expect(findIntendedName(name, ['top', 'key'])).toBeUndefined()
})
