import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { getSetting } from '../../store/accounts/settings.ts'
import { openStore } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import { isSetupToken, issueSetupToken, consumeSetupToken } from './first-run-token.ts'

const minute = 60_000_000

let folder: string
let store: Store
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dagsverk-setup-'))
  store = await openStore({ url: `sqlite:${join(folder, 'd.db')}`, canCreate: true })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

function issue(now: number) {
  return store.inSystemTransaction((writer) => issueSetupToken(writer, randomBytes, now))
}

test('a token is valid for an hour', async () => {
  const token = await issue(0)
  expect(token).toMatch(/^[\w-]{43}$/)
  expect(await isSetupToken(store, token, 60 * minute - 1)).toBe(true)
  expect(await isSetupToken(store, token, 60 * minute)).toBe(false)
  expect(await isSetupToken(store, 'another', 0)).toBe(false)
  expect(await isSetupToken(store, '', 0)).toBe(false)
})

test('a new token invalidates the previous one', async () => {
  const first = await issue(0)
  const second = await issue(1)
  expect(await isSetupToken(store, first, 2)).toBe(false)
  expect(await isSetupToken(store, second, 2)).toBe(true)
})

test('after use no token is valid', async () => {
  const token = await issue(0)
  const take = (given: string) => store.inSystemTransaction((writer) => consumeSetupToken(writer, given, 1))
  expect(await take('another')).toBe(false)
  expect(await take(token)).toBe(true)
  expect(await take(token)).toBe(false)
  expect(await isSetupToken(store, token, 1)).toBe(false)
  expect(await isSetupToken(store, '', 1)).toBe(false)
})

test('the database stores only a hash of the token', async () => {
  const token = await issue(0)
  expect(await getSetting(store, 'setupLink')).not.toContain(token)
})
