// Export details in the app: lines, retrievals, overdue lines, and the comparison with the receiver's list.
import { beforeEach, describe, expect, test } from 'vitest'
import { dateInZone, startOfDate } from '../../src/lib/calendar-date.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient, usage } from '../support/material-client.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { type SessionClient, openSessionAs, ownPage } from './session-client.ts'

const at = '/app/data/eksport'
const day = 24 * 60 * 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-export-stories')
  const clock = useClock(server)
  const materialClient = useMaterialClient(server)
  let admin: SessionClient
  beforeEach(async () => {
    await materialClient.approve(...(await materialClient.register(4)))
    admin = await openSessionAs(server, materialClient.company, 'admin')
  })

  const line = async (id: number, destination = 1) =>
    (await admin.get(`${at}/linje`, { id: String(id), destination: String(destination) })).json
  const getRetrieval = async (id: number, before = '') =>
    (await admin.get(`${at}/uthenting`, { id: String(id), ...(before && { before }) })).json

  const reconcile = (body: string, query: Readonly<Record<string, string>> = {}, who = admin) =>
    server.call('POST', `${at}/avstem?${new URLSearchParams(query).toString()}`, {
      as: null,
      body,
      headers: { cookie: who.cookie, 'x-csrf-token': who.csrf, 'content-type': 'application/octet-stream', ...ownPage },
    })

  test('a line is shown from its registration to its export, with users and times', async () => {
    await materialClient.exportList({ $filter: 'Id eq 2' })
    await materialClient.exportList()
    await materialClient.acknowledge({ items: [{ id: 2, externalId: 'JE-2' }] })
    const { lines, origin, retrievals, entries } = await line(2)
    expect(lines).toMatchObject([
      {
        id: 2,
        state: 'exported',
        lineKind: 'Original',
        exportKey: 'T2.r1',
        externalId: 'JE-2',
        amount: 210_000,
        acknowledgedBy: expect.stringMatching(/^key:/),
      },
    ])
    expect(origin).toMatchObject({ id: 2, state: 'Eksportert', createdAt: expect.any(Number) })
    expect(retrievals).toMatchObject([{ count: 1 }, { count: 4 }])
    expect(entries).toMatchObject([{ action: 'acknowledged', externalId: 'JE-2' }])
    expect((await line(9)).error.code).toBe('NotFound')
    expect((await line(2, 2)).error.code).toBe('NotFound')
  })

  test('a line has the names of its project and its department, where the directory has them', async () => {
    await materialClient.post('/ansatt/avdeling', { Id: 'D1', Navn: 'Lager' })
    await materialClient.post('/prosjekt/prosjekt', { Id: 'P1', Navn: 'Nybygg' })
    const rows = [{ ProsjektId: 'P1', AvdelingId: 'D1' }, { ProsjektId: 'P9', AvdelingId: 'D9' }, {}]
    const { json } = await materialClient.post(
      '/prosjekt/Transaksjon/Batch',
      rows.map((row) => ({ ...usage, ...row })),
    )
    const ids: number[] = json.resultater.map(({ id }: { id: number }) => id)
    await materialClient.approve(...ids)
    const lines = await Promise.all(ids.map(async (id) => (await line(id)).lines[0]))
    expect(lines).toMatchObject([
      { projectId: 'P1', projectName: 'Nybygg', departmentId: 'D1', departmentName: 'Lager' },
      { projectId: 'P9', projectName: null, departmentId: 'D9', departmentName: null },
      { projectId: null, projectName: null, departmentId: null, departmentName: null },
    ])
  })

  test('a correction and its original are shown together, from either of them', async () => {
    await materialClient.setDestination({ corrections: 'lines' })
    await materialClient.acknowledge({ ids: [1] })
    await materialClient.call('PATCH', '/prosjekt/Transaksjon(1)', { json: { Antall: 3 } })
    await materialClient.approve(1)
    const { lines } = await line(1)
    expect(lines).toMatchObject([
      { id: 1, lineKind: 'Original', state: 'exported', quantity: 20_000 },
      { lineKind: 'Reversering', reversesId: 1, state: 'ready', quantity: -20_000 },
      { lineKind: 'Erstatning', replacesId: 1, state: 'ready', quantity: 30_000 },
    ])
    expect((await line(lines[2].id)).lines).toEqual(lines)
  })

  test('a retrieval has its lines and their state; a filtered one has those that it retrieved first', async () => {
    await materialClient.exportList({ $filter: 'Id eq 3' })
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [3] })
    const first = await getRetrieval(1)
    expect(first.retrieval).toMatchObject({ count: 1, query: expect.any(String), claimId: null })
    expect(first.lines).toMatchObject([{ id: 3, state: 'exported' }])
    const second = await getRetrieval(2)
    expect(second.retrieval).toMatchObject({ count: 4, query: null, hash: expect.any(String) })
    expect(second.lines.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual([
      [4, 'ready'],
      [3, 'exported'],
      [2, 'ready'],
      [1, 'ready'],
    ])
    expect((await getRetrieval(2, '3')).lines.map(({ id }: { id: number }) => id)).toEqual([2, 1])
    expect((await getRetrieval(9)).error.code).toBe('NotFound')
  })

  test('a claim has all of its lines, also after it is closed', async () => {
    const claim = await expectStatus(materialClient.post('/prosjekt/TransaksjonsEksport/Batch', { max: 2 }))
    await materialClient.acknowledge({ ids: [1] })
    const { retrieval, lines } = await getRetrieval(1)
    expect(retrieval).toMatchObject({ claimId: claim.json.BatchId, claimState: 'open' })
    expect(lines).toMatchObject([
      { id: 2, state: 'ready' },
      { id: 1, state: 'exported' },
    ])
  })

  test('a line ready for three days is overdue, by the calendar of the company', async () => {
    const overdue = async () => (await admin.get(at)).json.overdue
    expect(await overdue()).toEqual([])
    const zone = 'Europe/Oslo'
    const midnight = startOfDate(zone, dateInZone(zone, clock.now + 3 * day))
    clock.now = midnight - 1000
    admin = await openSessionAs(server, materialClient.company, 'admin')
    expect(await overdue()).toEqual([])
    clock.now = midnight
    const [first] = await overdue()
    expect(first).toMatchObject({ destinationId: 1, count: 4, amount: 840_000 })
    await materialClient.acknowledge({ ids: [1, 2, 3, 4] })
    expect(await overdue()).toEqual([])
  })

  test("the receiver's list is compared by ids, external ids or keys: in both, only ours, only theirs", async () => {
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-1' }, { id: 2 }] })
    const before = await materialClient.snapshot()
    const csv = await reconcile('Id;externalId\n1;JE-1\n3;JE-3\n99;\n')
    expect(csv.json).toMatchObject({
      listed: 3,
      both: 1,
      onlyOurs: [{ lineId: 2, state: 'exported' }],
      onlyOursCount: 1,
      onlyTheirs: [
        { id: 3, state: 'ready', externalId: 'JE-3' },
        { id: 99, state: null },
      ],
      onlyTheirsCount: 2,
    })
    const json = await reconcile('["JE-1"]', { by: 'external' })
    expect(json.json).toMatchObject({ both: 1, onlyOursCount: 1, onlyTheirsCount: 0 })
    const keys = await reconcile('Eksportnokkel\nT2.r1\n')
    expect(keys.json).toMatchObject({ both: 1, onlyOurs: [{ lineId: 1 }] })
    const later = await reconcile('[1]', { from: '2199-12-30' })
    expect(later.json).toMatchObject({ both: 1, onlyOursCount: 0 })
    expect(await materialClient.snapshot()).toEqual(before)
  })

  test('lines that the receiver has are acknowledged with its id; those that cannot be are reported', async () => {
    const mark = (list: unknown, destination = '1') => admin.send('POST', `${at}/meld?destination=${destination}`, list)
    const { json } = await mark([{ id: '1', externalId: 'JE-1' }, { id: '2', externalId: null }, { id: '99' }])
    expect(json).toEqual({ done: [1, 2], others: [{ id: 99, code: 'not_found', state: null }] })
    expect(await materialClient.listedIds()).toEqual([3, 4])
    expect((await line(1)).entries).toMatchObject([
      { action: 'acknowledged', externalId: 'JE-1', actor: expect.stringContaining('@') },
    ])
    expect((await mark([{ id: '1' }])).json).toMatchObject({
      done: [],
      others: [{ id: 1, code: 'already_exported', state: 'exported' }],
    })
    const before = await materialClient.snapshot()
    expect((await mark([{ id: 'x' }])).json.error.code).toBe('InvalidValue')
    expect((await mark([{}])).json.error.code).toBe('MissingField')
    expect((await mark([{ id: '3' }], '7')).json.error.code).toBe('NotFound')
    expect(await materialClient.snapshot()).toEqual(before)
  })

  test('a list with more lines than the maximum is rejected', async () => {
    expectError(await reconcile(`[${Array(100_001).fill('1').join()}]`), 400, 'TooManyItems')
  })

  test("an invalid list is rejected at its position, and another company's lines are 404", async () => {
    for (const [body, query, code] of [
      ['', {}, 'UnreadableFile'],
      ['{"a":1}', {}, 'UnreadableFile'],
      ['[1,', {}, 'UnreadableFile'],
      ['Id\nx\n', {}, 'UnreadableFile'],
      ['[1]', { destination: '7' }, 'NotFound'],
      ['[1]', { by: 'name' }, 'InvalidValue'],
      ['[1]', { from: 'i går' }, 'InvalidDate'],
    ] as const)
      expect([body, (await reconcile(body, query)).json.error?.code]).toEqual([body, code])
    await materialClient.exportList()
    const other = await newMaterialClient(server)
    const outsider = await openSessionAs(server, other.company, 'admin')
    const found = await outsider.get(`${at}/linje`, { id: '1', destination: '1' })
    expect(found.json.error.code).toBe('NotFound')
    expect((await outsider.get(`${at}/uthenting`, { id: '1' })).json.error.code).toBe('NotFound')
    const theirs = await reconcile('[1]', {}, outsider)
    expect(theirs.json).toMatchObject({ both: 0, onlyTheirs: [{ id: 1, state: null }] })
  })
})
