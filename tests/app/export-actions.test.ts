// Export administration: undo, lines handled elsewhere, claims, failed lines; administrators only.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient, usage } from '../support/material-client.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { findCookie, openSession, resumeSession, type SessionClient, openSessionAs } from './session-client.ts'

const at = '/app/data/eksport'
const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-export-acts')
  const clock = useClock(server)
  const materialClient = useMaterialClient(server)
  let admin: SessionClient
  beforeEach(async () => {
    await materialClient.approve(...(await materialClient.register(4)))
    admin = await openSessionAs(server, materialClient.company, 'admin')
  })

  const act = (name: string, fields: object) =>
    admin.send('POST', `${at}/${name}`, { destination: '1', reason: 'feil mottaker', ...fields })
  const lines = async (list: string) => (await admin.get(`${at}/linjer`, { destination: '1', list })).json.rows
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id)

  test('an undo is previewed with amounts and external ids, then lists the lines again under new keys', async () => {
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-1' }, { id: 2 }] })
    const preview = await act('prov', { action: 'undone', ids: '1-3' })
    expect(preview.json.lines).toEqual([
      expect.objectContaining({ id: 1, code: 'undone', amount: 210_000, externalId: 'JE-1' }),
      expect.objectContaining({ id: 2, code: 'undone', externalId: null, isCorrected: false }),
      expect.objectContaining({ id: 3, code: 'not_allowed', state: 'ready' }),
    ])
    expect(idsOf(await lines('finished'))).toEqual([2, 1])
    const { json } = await act('angre', { ids: '1-3,9', code: 'target_restored' })
    expect(json.done).toEqual([1, 2])
    expect(json.others).toMatchObject([
      { id: 3, code: 'not_allowed', state: 'ready' },
      { id: 9, code: 'not_found' },
    ])
    expect((await materialClient.exportList()).json.value[0]).toMatchObject({ Id: 1, Eksportnokkel: 'T1.r1.g2' })
    expect((await admin.get(at)).json.ledgerSummaries[0]).toMatchObject({ action: 'undone', count: 2 })
    // Of two users who undo one line, one succeeds and the other gets an error.
    expect((await act('angre', { ids: '1' })).json).toMatchObject({
      done: [],
      others: [{ id: 1, code: 'not_allowed', state: 'ready' }],
    })
  })

  test('a line handled elsewhere leaves the list, with its reason, and can be restored', async () => {
    expect((await act('lukk', { ids: '1,2' })).json).toEqual({ done: [1, 2], others: [] })
    expect(await materialClient.listedIds()).toEqual([3, 4])
    expect(await lines('finished')).toMatchObject([
      { id: 2, state: 'closed' },
      { id: 1, state: 'closed' },
    ])
    expect((await act('angre', { ids: '1' })).json.done).toEqual([1])
    expect(await materialClient.listedIds()).toEqual([1, 3, 4])
  })

  test('a missing reason, or an unknown line, destination or code, is rejected, and nothing changes', async () => {
    await materialClient.acknowledge({ ids: [1] })
    const before = await materialClient.snapshot()
    for (const [fields, code] of [
      [{ ids: '1', reason: ' ' }, 'MissingField'],
      [{ ids: '1', reason: '' }, 'MissingField'],
      [{ ids: '1', reason: 'x'.repeat(4001) }, 'ValueTooLong'],
      [{ ids: 'x' }, 'InvalidValue'],
      [{}, 'MissingField'],
      [{ ids: '1', code: 'whim' }, 'InvalidValue'],
      [{ ids: '1', destination: '7' }, 'NotFound'],
      [{ ids: '1', destination: 'x' }, 'InvalidValue'],
    ] as const)
      for (const name of ['angre', 'lukk']) expect((await act(name, fields)).json.error.code).toBe(code)
    expect((await act('prov', { ids: '1', action: 'whim' })).json.error.code).toBe('InvalidValue')
    for (const query of [{ list: 'x' }, { before: '-1' }, { destination: 'x' }])
      expect((await admin.get(`${at}/linjer`, query)).status).toBe(400)
    expect(await materialClient.snapshot()).toEqual(before)
  })

  test('a claim shows its holder, lines and expiry, and is broken with a reason; a closed one says so', async () => {
    const claim = async () =>
      (await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', { max: 2 })).json.BatchId
    const id = await claim()
    expect((await admin.get(at)).json.claims).toMatchObject([
      { id, destinationId: 1, holder: expect.stringMatching(/^key:/), count: 2 },
    ])
    expect((await lines('waiting')).filter((line: { holder: string | null }) => line.holder)).toHaveLength(2)
    const without = await act('bryt', { claim: String(id), reason: '' })
    expect(without.json.error.code).toBe('MissingField')
    const broken = await act('bryt', { claim: String(id), reason: 'jobben henger' })
    expect(broken.json).toEqual({ state: 'broken' })
    expect((await admin.get(at)).json.claims).toEqual([])
    const { entries } = (await admin.get(`${at}/linje`, { destination: '1', id: '1' })).json
    expect(entries).toMatchObject([{ action: 'released', reason: 'jobben henger' }])
    const next = await claim()
    clock.now += 16 * minute
    const late = await act('bryt', { claim: String(next) })
    expect(late.json.error.code).toBe('ClaimClosed')
    expect((await act('bryt', { claim: '99' })).json.error.code).toBe('NotFound')
  })

  test('failed lines are listed with their reason, parked after five failures, and retried or sent back', async () => {
    const fail = (...ids: number[]) =>
      materialClient.acknowledge({ failed: ids.map((id) => ({ id, code: 'x', message: 'ukjent prosjekt' })) })
    for (let times = 0; times < 5; times += 1) await fail(1)
    await fail(2)
    expect(await lines('failed')).toMatchObject([
      { id: 2, failures: 1, parkedAt: null, failure: 'ukjent prosjekt' },
      { id: 1, failures: 5, parkedAt: expect.any(Number) },
    ])
    const failedStage = async () =>
      (await admin.get(at)).json.stages.find(({ stage }: { stage: string }) => stage === 'failed')
    expect(await failedStage()).toMatchObject({ count: 2, parked: 1 })
    expect((await admin.get(`${at}/feilet`)).json).toEqual({ count: 2, parked: 1 })
    const preview = await act('prov', { action: 'retried', ids: '1,3' })
    expect(preview.json.lines).toMatchObject([
      { id: 1, code: 'retried' },
      { id: 3, code: 'not_allowed' },
    ])
    expect((await act('prov-igjen', { ids: '1' })).json).toEqual({ done: [1], others: [] })
    expect(idsOf(await lines('failed'))).toEqual([2])
    expect((await act('til-godkjenning', { ids: '2' })).json).toEqual({ done: [2], others: [] })
    expect(await materialClient.listedIds()).toEqual([1, 3, 4])
    expect(await materialClient.transactions({ $filter: 'Id eq 2' })).toMatchObject([{ Status: 'Registrert' }])
    expect(await failedStage()).toBeUndefined()
  })

  test('waiting and failed lines are searched and sorted, page by page; those of all time are not', async () => {
    const { json } = await materialClient.registerBatch(
      Array.from({ length: 101 }, (_, index) => ({
        ...usage,
        ProsjektId: index === 100 ? 'Låve' : 'Naust',
        Varenavn: index === 100 ? 'Ørret' : `Lim ${index}`,
        Salgspris: 1000 - index,
        Merknad: index < 2 ? 'Rød BØTTE' : null,
      })),
    )
    const ids = idsOf(json.resultater)
    await materialClient.approve(...ids)
    const found = async (query: object) =>
      idsOf((await admin.get(`${at}/linjer`, { destination: '1', list: 'waiting', ...query })).json.rows)
    expect(await found({ search: 'bøtte' })).toEqual([ids[1], ids[0]])
    expect(await found({ search: 'LÅVE' })).toEqual([ids[100]])
    expect(await found({ search: String(ids[7]) })).toContain(ids[7])
    expect(await found({ search: 'bøtte', sort: '-amount' })).toEqual([ids[0], ids[1]])
    expect((await found({ sort: '-item' }))[0]).toBe(ids[100])
    const pages = [await found({ sort: '-amount' }), await found({ sort: '-amount', skip: '100' })]
    // The four lines of every test have the least amount; equal ones are the latest first.
    expect(pages.flat()).toEqual([...ids, 4, 3, 2, 1])
    await materialClient.acknowledge({ failed: [{ id: ids[0], code: 'x', message: 'ukjent' }] })
    expect(await found({ list: 'failed', search: 'lim 0', sort: 'date' })).toEqual([ids[0]])
    for (const query of [{ list: 'finished', search: 'lim' }, { list: 'finished', sort: 'date' }, { sort: 'name' }]) {
      const reply = await admin.get(`${at}/linjer`, query)
      expect([reply.status, reply.json.error.target]).toEqual([400, 'search' in query ? 'search' : 'sort'])
    }
  })

  test('pages of up to 2,000 lines, each after the last line of the page before, list each line once', async () => {
    const { json } = await materialClient.registerBatch(Array.from({ length: 2_100 }, () => usage))
    const ids = idsOf(json.resultater)
    await materialClient.approve(...ids)
    const page = async (query: Record<string, string>) => idsOf((await admin.get(`${at}/linjer`, query)).json.rows)
    expect(await page({ top: '3' })).toEqual(ids.toReversed().slice(0, 3))
    const first = await page({ top: '99999' })
    expect(first).toEqual(ids.toReversed().slice(0, 2_000))
    // It leaves the list between the pages.
    await materialClient.acknowledge({ ids: [ids[2_050]] })
    expect(await page({ top: '2000', before: String(first.at(-1)) })).toEqual([
      ...ids.slice(0, 100).toReversed(),
      4,
      3,
      2,
      1,
    ])
  })

  test('a line that two callers acknowledged is shown as an alert', async () => {
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'A' }] })
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'B' }] })
    expect((await admin.get(at)).json.alerts).toMatchObject([
      { destinationId: 1, lineId: 1, code: 'ExternalIdMismatch', externalId: 'B' },
    ])
  })

  test('an undo requires re-authentication; switching companies does not renew it', async () => {
    const other = (await newMaterialClient(server)).company
    const person = await server.addUser([
      { company: materialClient.company, role: 'admin' },
      { company: other, role: 'admin' },
    ])
    admin = await openSession(server, person, materialClient.company.name)
    await materialClient.acknowledge({ ids: [1] })
    clock.now += 5 * minute
    expectError(await act('angre', { ids: '1' }), 403, 'ReauthenticationRequired')
    expect((await lines('finished'))[0]).toMatchObject({ id: 1, state: 'exported' })
    expect((await act('prov', { action: 'undone', ids: '1' })).status).toBe(200)
    const moved = await admin.send('POST', '/app/okt/bytt', { company: materialClient.company.name })
    admin = await resumeSession(server, findCookie(moved))
    expect((await act('angre', { ids: '1' })).json.error.code).toBe('ReauthenticationRequired')
    admin = await openSession(server, person, materialClient.company.name)
    expect((await act('angre', { ids: '1' })).json.done).toEqual([1])
  })

  test('managers see all of it and change none of it; another company sees nothing', async () => {
    await materialClient.acknowledge({ ids: [1] })
    const approver = await openSessionAs(server, materialClient.company, 'approver')
    expect((await approver.get(`${at}/linjer`, { list: 'finished' })).json.rows).toHaveLength(1)
    for (const name of ['prov', 'angre', 'lukk', 'bryt', 'prov-igjen', 'til-godkjenning'])
      expect((await approver.send('POST', `${at}/${name}`, {})).json.error.code).toBe('RoleMissing')
    const outsider = (await newMaterialClient(server)).company
    admin = await openSessionAs(server, outsider, 'admin')
    expect(await lines('finished')).toEqual([])
    expect((await act('angre', { ids: '1' })).json).toMatchObject({ done: [] })
    expect(await materialClient.listedIds()).toEqual([2, 3, 4])
  })
})
