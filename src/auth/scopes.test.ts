import { expect, test } from 'vitest'
import { parseScopes, passwordScopes, scopes } from './scopes.ts'

test('a list is separated by blanks or commas, and a star means all of an area', () => {
  expect(parseScopes('revenue:* directory:read,directory:read')).toEqual({
    scopes: ['revenue:read', 'revenue:write', 'directory:read'],
    unknown: [],
  })
})

test('names that are no scopes are told apart', () => {
  expect(parseScopes('revenue:red revenue:read money:* *')).toEqual({
    scopes: ['revenue:read'],
    unknown: ['revenue:red', 'money:*', '*'],
  })
})

test('the password reads no personal fields, approves nothing and undoes nothing', () => {
  expect(scopes.filter((scope) => !passwordScopes.includes(scope))).toEqual([
    'directory:personal',
    'directory:write',
    'material:approve',
    'export:undo',
  ])
})
