// ADR 0039: an approver of some departments reads the material of these alone, by every read of the app.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { fillDirectory } from '../support/directory.ts'
import { openSession, openSessionAs, ownPage, type SessionClient } from './session-client.ts'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'approver-departments')

  /** Three approved lines: of department 20, of 10, and of none; the session of an approver of 20. */
  const open = async () => {
    const materialClient = await newMaterialClient(server)
    const { company } = materialClient
    await fillDirectory(server, company, { projects: [{ id: 'P1', name: 'Nybygg' }] })
    const line = { Dato: '2026-11-02', Varenavn: 'Kabel', Antall: 2, Salgspris: 10.5 }
    const reply = await materialClient.post(
      '/prosjekt/Transaksjon/Batch',
      ['20', '10', null].map((AvdelingId) => ({ ...line, AvdelingId, ProsjektId: 'P1' })),
    )
    const ids: number[] = reply.json.resultater.map(({ id }: { id: number }) => id)
    await materialClient.approve(...ids)
    const person = await server.addUser([{ company, role: 'approver', departments: ['20'] }])
    return { materialClient, ids, session: await openSession(server, person) }
  }

  test('explore: transactions are those of their departments, whatever the query asks for', async () => {
    const { session, ids } = await open()
    const read = async (query: Readonly<Record<string, string>>) =>
      (await session.get('/app/les/Transaksjon', query)).json
    const own = [expect.objectContaining({ Id: ids[0] })]
    expect((await read({})).value).toEqual(own)
    expect(await read({ $count: 'true', $top: '0' })).toMatchObject({ '@odata.count': 1 })
    expect((await read({ $filter: "AvdelingId eq '10' or true" })).value).toEqual(own)
    expect((await read({ $filter: `Id eq ${ids[1]}` })).value).toEqual([])
    expect((await read({ $apply: 'aggregate($count as Antall)' })).value).toEqual([
      expect.objectContaining({ Antall: 1 }),
    ])
    const grouped = await read({
      $apply: 'groupby((AvdelingId),aggregate(Belop with sum as Sum))',
      $filter: 'Sum gt 0',
    })
    expect(grouped.value).toEqual([expect.objectContaining({ AvdelingId: '20', Sum: 21 })])
    expectError(await session.get('/app/les/TransaksjonsEksport'), 403, 'RoleMissing')
  })

  test('explore: no relation leads to the lines of other departments, and none is offered', async () => {
    const { session } = await open()
    const attempts = [
      ['Prosjekt', { $expand: 'Transaksjoner' }],
      ['Prosjekt', { $filter: 'Transaksjoner/any(t:t/Belop gt 0)' }],
      ['Prosjekt', { $orderby: 'Transaksjoner/$count' }],
      ['Prosjekt', { $apply: 'join(Transaksjoner as T)' }],
      ['Prosjekt', { $apply: 'aggregate(Transaksjoner/Belop with sum as Sum)' }],
      ['Transaksjon', { $expand: 'Prosjekt($expand=Transaksjoner)' }],
      ['Transaksjon', { $filter: 'Prosjekt/Transaksjoner/any(t:t/Belop gt 0)' }],
    ] as const
    for (const [set, query] of attempts) {
      const { status, json } = await session.get(`/app/les/${set}`, query)
      expect([set, query, status, json.error?.code]).toEqual([set, query, 403, 'ScopeMissing'])
    }
    const { sets } = (await session.get('/app/data/sett')).json
    const offered = sets.flatMap(({ relations }: { relations: string[] }) => relations)
    expect(offered).not.toContain('Transaksjoner')
    const expanded = await session.get('/app/les/Prosjekt', { $expand: '*' })
    expect([expanded.status, JSON.stringify(expanded.json).includes('Kabel')]).toEqual([200, false])
  })

  test('export: only lines of their departments are listed and shown, and no retrieval or reconciliation', async () => {
    const { materialClient, session, ids } = await open()
    const get = async (path: string, query: Readonly<Record<string, string>>) =>
      await session.get(`/app/data/eksport${path}`, query)
    const listed = async (list: string) =>
      (await get('/linjer', { list })).json.rows.map(({ id }: { id: number }) => id)
    expect(await listed('waiting')).toEqual([ids[0]])
    await materialClient.exportList()
    await materialClient.acknowledge({ ids })
    expect([await listed('waiting'), await listed('finished')]).toEqual([[], [ids[0]]])
    const statuses = await Promise.all(
      ids.map(async (id) => (await get('/linje', { destination: '1', id: String(id) })).status),
    )
    expect(statuses).toEqual([200, 404, 404])
    const retrieval = await get('/uthenting', { id: '1' })
    const reconciled = await server.call('POST', '/app/data/eksport/avstem', {
      as: null,
      body: '1',
      headers: {
        cookie: session.cookie,
        'x-csrf-token': session.csrf,
        'content-type': 'application/octet-stream',
        ...ownPage,
      },
    })
    expect([retrieval.json.error.code, reconciled.json.error.code]).toEqual(['RoleMissing', 'RoleMissing'])
  })

  test('export: totals, overdue lines, failures and alerts are those of their departments', async () => {
    const { now } = server.clock
    server.clock.now = () => now() - 4 * 24 * 3600 * 1_000_000
    const { materialClient, ids } = await open()
    server.clock.now = now
    const { company } = materialClient
    const person = await server.addUser([{ company, role: 'approver', departments: ['20'] }])
    const [some, all] = [await openSession(server, person), await openSessionAs(server, company, 'approver')]
    const totals = async (client: SessionClient) => {
      const { stages, overdue, alerts } = (await client.get('/app/data/eksport')).json
      const failed = (await client.get('/app/data/eksport/feilet')).json
      const rows: { stage: string; count: number; amount: number }[] = [...stages, ...overdue, failed]
      return [...rows.map(({ stage, count, amount }) => [stage, count, amount]), alerts.length]
    }
    await materialClient.acknowledge({ failed: ids.map((id) => ({ id, code: 'x', message: 'ukjent prosjekt' })) })
    const failures = (count: number, amount: number) => [
      ['failed', count, amount],
      [undefined, count, amount],
      [undefined, count, undefined],
      0,
    ]
    expect([await totals(some), await totals(all)]).toEqual([failures(1, 210_000), failures(3, 630_000)])
    for (const voucher of ['A', 'B'])
      await materialClient.acknowledge({ items: ids.map((id) => ({ id, externalId: `${voucher}-${id}` })) })
    const exported = (count: number, amount: number) => [['exported', count, amount], [undefined, 0, undefined], count]
    expect([await totals(some), await totals(all)]).toEqual([exported(1, 210_000), exported(3, 630_000)])
  })

  test('the key of the API reference reads no material, as a key is not bound to departments', async () => {
    const { session } = await open()
    const { key } = (await session.send('POST', '/app/data/dokumentasjon/nokkel')).json
    const statusAt = async (path: string) =>
      (await server.call('GET', path, { as: null, headers: { 'tb-key': key } })).status
    expect(await statusAt('/dev/Omsetning/Finn')).toBe(200)
    for (const path of ['/prosjekt/Transaksjon', '/prosjekt/Prosjekt?$expand=Transaksjoner'])
      expect([path, await statusAt(path)]).toEqual([path, 403])
  })
})
