import { expect, test } from 'vitest'
import { parseScopes, passwordScopes, scopes } from './scopes.ts'

test('scopes are separated by blanks or commas, and `*` means all of an area', () => {
  expect(parseScopes('revenue:* directory:read,directory:read')).toEqual({
    scopes: ['revenue:read', 'revenue:write', 'directory:read'],
    unknown: [],
  })
})

test('unknown scopes are returned separately', () => {
  expect(parseScopes('revenue:red revenue:read money:* *')).toEqual({
    scopes: ['revenue:read'],
    unknown: ['revenue:red', 'money:*', '*'],
  })
})

test('the password has no scope for personal fields, approval or undo', () => {
  expect(scopes.filter((scope) => !passwordScopes.includes(scope))).toEqual([
    'directory:personal',
    'directory:write',
    'material:approve',
    'export:undo',
  ])
})
