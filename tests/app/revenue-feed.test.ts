// The feed of revenue changes: newest first, filtered by sender, department, action and time.
import { beforeEach, describe, expect, test } from 'vitest'
import type { FeedRow } from '../../src/store/revenue/revenue-feed.ts'
import { databases } from '../support/databases.ts'
import { expectStatus } from '../support/replies.ts'
import { useClock, useTestServer, type TestUser } from '../support/server.ts'
import { useRevenueClient, newRevenueClient } from '../support/revenue-client.ts'
import { ownPage, openSession } from './session-client.ts'

const at = '/app/data/omsetning/mottatt'
const hour = 60 * 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-revenue-feed')
  const clock = useClock(server, Date.parse('2026-11-16T08:00:00+01:00') * 1000)
  const revenueClient = useRevenueClient(server)
  let person: TestUser
  beforeEach(async () => {
    person = await server.addUser([{ company: revenueClient.company, role: 'admin' }])
  })

  type Query = Readonly<Record<string, string>>

  /** Signs in again each time: the clock of some tests runs past the end of a session. */
  const ask = async (query: Query = {}) => (await openSession(server, person)).get(at, query)

  const feed = async (query: Query = {}): Promise<FeedRow[]> => (await expectStatus(ask(query))).json.rows

  const amounts = async (query: Query = {}) =>
    (await feed(query)).map(({ action, before, after }) => [action, before, after])

  const row = (Omsetning: number, more: object = {}) => ({ Dato: '2026-11-12', AvdelingID: '20', Omsetning, ...more })

  test('every change has its sender, its cell, the amounts before and after, and the remark of the record', async () => {
    await revenueClient.insert(row(1, { Merknad: 'Kasse 2' }))
    await revenueClient.setPerDate([row(2)])
    const added = await revenueClient.accumulate([row(0.5, { Referanse: 'Z-7' })])
    await revenueClient.delete(1)
    expect(await feed()).toMatchObject([
      { action: 'delete', before: 25_000, after: null, remark: null },
      { action: 'add', amount: 5_000, before: 20_000, after: 25_000, reference: 'Z-7' },
      { action: 'set', before: 10_000, after: 20_000 },
      {
        action: 'insert',
        before: null,
        after: 10_000,
        date: '2026-11-12',
        departmentId: '20',
        kind: 'I',
        actor: expect.stringMatching(/^key:/),
        file: null,
      },
    ])
    await revenueClient.insert(row(3, { Dato: '2026-11-13', Merknad: 'Kasse 3' }))
    const [latest, , addition] = await feed()
    expect(latest).toMatchObject({ remark: 'Kasse 3' })
    expect(addition?.requestId).toBe(added.headers['x-request-id'])
  })

  test('changes by an imported file have its name, and are found by it', async () => {
    await revenueClient.insert(row(1))
    const session = await openSession(server, person)
    const query = { fields: 'Dato,AvdelingID,Omsetning', dry: 'false', file: 'uke 46.csv' }
    const reply = await server.call(
      'POST',
      `/app/data/import/omsetning/rader?${new URLSearchParams(query).toString()}`,
      {
        as: null,
        body: 'Dato;AvdelingID;Omsetning\n2026-11-13;20;5\n2026-11-12;20;6\n',
        headers: {
          cookie: session.cookie,
          'x-csrf-token': session.csrf,
          'content-type': 'application/octet-stream',
          ...ownPage,
        },
      },
    )
    expect(reply.status, reply.text).toBe(200)
    const imported = await feed({ action: 'import' })
    expect(imported).toHaveLength((await feed()).length - 1)
    expect(imported[0]).toMatchObject({ file: 'uke 46.csv', actor: person.email })
    expect(await amounts({ action: 'insert' })).toEqual([['insert', null, 10_000]])
  })

  test('sender, department, action and dates can be filtered alone and together', async () => {
    const [other] = [await server.addCredential(revenueClient.company, { owner: 'tests' })]
    const insertRevenue = async (amount: number, department: string, key?: string) => {
      clock.now += 12 * hour
      const body = row(amount, { AvdelingID: department })
      const headers = key === undefined ? {} : { 'tb-key': key }
      if (key === undefined) await revenueClient.setPerDate([body])
      else
        await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
          as: null,
          json: [body],
          headers,
        })
    }
    await insertRevenue(1, '20')
    await insertRevenue(2, '30', other.secret)
    await insertRevenue(3, '20', other.secret)
    await insertRevenue(4, '20')
    const after = async (query: Query) => (await amounts(query)).map(([, , amount]) => amount)
    const source = `key:${other.id}`
    expect(await after({ source })).toEqual([30_000, 20_000])
    expect(await after({ department: '20' })).toEqual([40_000, 30_000, 10_000])
    expect(await after({ action: 'insert' })).toEqual([20_000, 10_000])
    expect(await after({ source, department: '20', action: 'set' })).toEqual([30_000])
    expect(await after({ from: '2026-11-17', to: '2026-11-17' })).toEqual([30_000, 20_000])
    expect(await after({ from: '2026-11-18' })).toEqual([40_000])
    expect(await after({ to: '2026-11-16' })).toEqual([10_000])
    expect(await after({ source: 'key:ukjent' })).toEqual([])
    const { sources } = (await ask()).json
    expect(sources).toHaveLength(2)
    const actor = `key:key (${other.id})`
    expect(sources).toContainEqual({ source, actor, lastAt: expect.any(Number) })
    const lastOf = sources.find((one: { source: string }) => one.source === source).lastAt
    expect(Math.floor(lastOf / hour)).toBe(Math.floor((clock.now - 12 * hour) / hour))
  })

  test('pages have no gap, however many changes the filter skips', async () => {
    const many = (count: number, AvdelingID: string) =>
      revenueClient.saveList(Array.from({ length: count }, (_, at) => row(at, { AvdelingID })))
    await many(60, 'sjelden')
    await many(12_000, '20')
    await many(3, 'sjelden')
    const found: FeedRow[] = []
    let before = ''
    for (let pages = 0; pages < 9; pages += 1) {
      const { json } = await ask({ department: 'sjelden', ...(before && { before }) })
      found.push(...json.rows)
      if (json.before === null) break
      before = String(json.before)
    }
    const ids = found.map(({ id }) => id)
    expect(ids).toEqual([12_063, 12_062, 12_061, ...Array.from({ length: 60 }, (_, at) => 60 - at)])
  })

  test('the changes of a sender are found at once, however many of others came since', async () => {
    const other = await server.addCredential(revenueClient.company, { owner: 'tests' })
    const source = `key:${other.id}`
    const rare = Array.from({ length: 60 }, (_, at) => row(at, { AvdelingID: 'sjelden' }))
    const headers = { 'tb-key': other.secret }
    await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { as: null, json: rare, headers })
    await revenueClient.saveList(Array.from({ length: 50_000 }, (_, at) => row(at)))
    const page = async (query: Query) => {
      const { rows, before } = (await ask({ source, ...query })).json
      return [rows.map(({ id }: FeedRow) => id), before]
    }
    const ids = Array.from({ length: 60 }, (_, at) => 60 - at)
    expect(await page({})).toEqual([ids.slice(0, 50), 11])
    expect(await page({ before: '11' })).toEqual([ids.slice(50), null])
    expect(await page({ before: '61', top: '60' })).toEqual([ids, 1])
    expect(await page({ before: '31', top: '3' })).toEqual([[30, 29, 28], 28])
    const { sources } = (await ask()).json
    expect(sources).toHaveLength(2)
    expect(sources).toContainEqual({ source, actor: `key:key (${other.id})`, lastAt: clock.now + 59 })
    const own = sources.find((one: { source: string }) => one.source !== source).source
    expect(await page({ source: own, before: '8001', top: '2' })).toEqual([[8000, 7999], 7999])
    expect(await page({ source: own, before: '63', top: '3' })).toEqual([[62, 61], null])
  })

  test('a page has as many entries as `top` says, at most 5000, and 50 without it', async () => {
    await revenueClient.saveList(Array.from({ length: 5_200 }, (_, at) => row(at, { AvdelingID: '20' })))
    const sizes = async (query: Query) => {
      const { rows, before } = (await ask(query)).json
      return [rows.length, before]
    }
    expect(await sizes({})).toEqual([50, 5_151])
    expect(await sizes({ top: '120' })).toEqual([120, 5_081])
    expect(await sizes({ top: '9999' })).toEqual([5_000, 201])
    expect(await sizes({ top: '5000', before: '201' })).toEqual([200, null])
  })

  test("nobody gets another company's changes, and without the right to read revenue none at all", async () => {
    await (await newRevenueClient(server)).insert(row(1))
    const { rows, sources, before } = (await ask()).json
    expect([rows, sources, before]).toEqual([[], [], null])
    person = await server.addUser([{ company: revenueClient.company, role: 'registrant' }])
    expect((await ask()).status).toBe(403)
  })

  test.each([
    [{ action: 'tull' }, 'action'],
    [{ before: '-1' }, 'before'],
    [{ from: 'i går' }, 'from'],
    [{ top: 'alle' }, 'top'],
    [{ to: '2026-02-30' }, 'to'],
  ])('%j is rejected at its position', async (query, target) => {
    const reply = await ask(query)
    expect([reply.status, reply.json.error.target]).toEqual([400, target])
  })
})
