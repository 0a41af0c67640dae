// Parsing of group-to-role mappings.
import { expect, test } from 'vitest'
import { parseGroupRole } from './group-roles.ts'

test.each([
  ['ledere=Fjord AS:approver', { group: 'ledere', company: 'Fjord AS', role: 'approver' }],
  ['/a/b:c=Fjord:admin', { group: '/a/b:c', company: 'Fjord', role: 'admin' }],
  ['8f2e-1=A=B:viewer', { group: '8f2e-1', company: 'A=B', role: 'viewer' }],
])('%s', (text, read) => {
  expect(parseGroupRole(text)).toEqual(read)
})

test.each(['', 'ledere', 'ledere=Fjord', '=Fjord:admin', 'ledere=:admin', 'ledere=Fjord:konge'])(
  '%j gives nothing, and says what would',
  (text) => {
    expect(() => parseGroupRole(text)).toThrow('GROUP=COMPANY:ROLE')
  },
)
