// Export evidence: retrievals and their contents, acknowledgements, and the chained audit log.
import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { sql } from 'kysely'
import { compactRetrievals } from '../../src/export/compact-retrievals.ts'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, type MaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'

function all(name: string) {
  return statement<Record<string, unknown>>(
    ({ value }) => sql`select * from ${sql.table(name)} where "companyId" = ${value('companyId')}`,
  )
}

const tables = {
  retrieval: all('retrieval'),
  retrievedLine: all('retrievedLine'),
  ledgerEntry: all('ledgerEntry'),
  audit: all('audit'),
  exportLine: all('exportLine'),
  materialRevision: all('materialRevision'),
}

describe.each(databases)('export evidence on $name', (database) => {
  const server = useTestServer(database, 'evidence')
  let materialClient: MaterialClient
  beforeEach(async () => {
    materialClient = await newMaterialClient(server)
    await materialClient.approve(...(await materialClient.register(3)))
  })

  const rows = async (name: keyof typeof tables) => {
    const found = await server.store.all(tables[name], { companyId: materialClient.company.id })
    return found.toSorted((one, other) => Number(one['id']) - Number(other['id']))
  }

  test('a full retrieval is one row with count, sums and a hash over id and revision, and no row per line', async () => {
    const reply = await materialClient.exportList()
    const hash = createHash('sha256').update('1:1,2:1,3:1,').digest('base64url')
    const [retrieval, ...more] = await rows('retrieval')
    expect(more).toEqual([])
    expect(retrieval).toMatchObject({
      id: 1,
      destinationId: 1,
      actor: expect.stringMatching(/^key:/),
      query: null,
      lastLineId: 3,
      count: 3,
      quantity: '6.0000',
      amount: '63.0000',
      hash,
    })
    expect(reply.headers['x-retrieval']).toBe(`1; lines=3; sha256=${hash}`)
    expect(await rows('retrievedLine')).toEqual([])
  })

  // On PostgreSQL the line can be withdrawn between the commit of the retrieval and the read of the reply.
  if (database.name === 'SQLite')
    test('the reply has the lines of the logged retrieval, also when they are withdrawn at the same time', async () => {
      const ids = await materialClient.register(20)
      await materialClient.approve(...ids)
      const replies = await Promise.all(
        ids.map(async (id) => {
          const withdrawal = { json: { ids: [id] } }
          const [reply] = await Promise.all([
            materialClient.exportList({ $filter: `Id eq ${id}` }),
            materialClient.call('POST', '/prosjekt/Transaksjon/TrekkGodkjenning', withdrawal),
          ])
          return reply
        }),
      )
      for (const { status, text, headers, json } of replies) {
        expect(status, text).toBe(200)
        expect(headers['x-retrieval']).toContain(`lines=${json.value.length};`)
      }
    })

  test('a filtered retrieval has a row per line, and stores nothing that identifies the caller', async () => {
    await materialClient.call(
      'GET',
      `/prosjekt/TransaksjonsEksport?filter=Id gt 1&$top=1&k%65y=${materialClient.company.key}`,
    )
    const [retrieval] = await rows('retrieval')
    expect(retrieval).toMatchObject({ count: 1, lastLineId: 2 })
    expect(retrieval?.['query']).toBe('/prosjekt/TransaksjonsEksport?$filter=Id gt 1&$top=1')
    expect(await rows('retrievedLine')).toMatchObject([{ lineId: 2, revision: 1, firstRetrievalId: 1 }])
    await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(2)')
    expect(await rows('retrievedLine')).toMatchObject([{ lineId: 2, firstRetrievalId: 1 }])
    expect(await rows('retrieval')).toHaveLength(2)
  })

  test('after 400 days the retrievals of a day are one row: their count, their sums, a hash over their hashes', async () => {
    const today = Date.now() * 1000
    const day = 86_400_000_000
    const midnight = today - (today % day)
    const lookedAt = async (at: number, query = {}) => {
      server.clock.now = () => at
      await materialClient.exportList(query)
    }
    const old = midnight - 402 * day
    server.clock.now = () => old
    materialClient = await newMaterialClient(server)
    await materialClient.approve(...(await materialClient.register(3)))
    await lookedAt(old + 1001)
    await lookedAt(old + 1002, { $top: '1' })
    await lookedAt(old + 1003)
    await lookedAt(old + 1004, { $top: '2' })
    await lookedAt(old + day, { $top: '1' })
    await lookedAt(old + day + 1, { $top: '1' })
    await lookedAt(midnight - 400 * day)
    server.clock.now = () => today
    const before = await rows('retrieval')
    // A few at a time: the second run continues where the first one stopped.
    await compactRetrievals(server.store, today, 3)
    expect((await rows('retrieval')).length).toBe(before.length - 2)
    for (let run = 0; run < 4; run++) await compactRetrievals(server.store, today, 3)
    const [first, second, third, ...more] = await rows('retrieval')
    expect(more).toEqual([])
    expect(first).toMatchObject({
      id: 1,
      lastRetrievalId: 4,
      retrievalCount: 4,
      query: null,
      at: before[2]?.['at'],
      count: 9,
      quantity: '18.0000',
      amount: '189.0000',
      actor: before[0]?.['actor'],
    })
    expect(second).toMatchObject({ id: 5, lastRetrievalId: 6, retrievalCount: 2, query: 'compacted', count: 2 })
    expect(third).toEqual(before[6])
    // Which retrieval contained a line is still known, by the day.
    const history = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(1)/Historikk')
    const recorded = history.json.value.map(({ Uthenting }: { Uthenting: number }) => Uthenting)
    expect(recorded).toEqual([1, 7])
  })

  test('HEAD and $count are not logged as retrievals', async () => {
    expect((await materialClient.call('HEAD', '/prosjekt/TransaksjonsEksport')).status).toBe(200)
    await materialClient.call('GET', '/prosjekt/TransaksjonsEksport/$count')
    expect(await rows('retrieval')).toEqual([])
  })

  test('the ledger has every acknowledgement, failure, undo and alert, and which lines were acknowledged without a retrieval', async () => {
    await materialClient.exportList({ $filter: 'Id eq 1' })
    await materialClient.acknowledge({
      items: [{ id: 1, externalId: 'JE-1' }],
      ids: [2],
      failed: [{ id: 3, code: 'closed', message: 'Project closed' }],
      externalBatchId: 'V-1',
    })
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-2' }] })
    await materialClient.acknowledge({ ids: [1] })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [2], grunn: 'feil', kode: 'test' })
    const recorded = (await rows('ledgerEntry')).map((entry) => [
      entry['action'],
      entry['lineId'],
      entry['externalId'],
      entry['code'],
    ])
    expect(recorded).toEqual([
      ['acknowledged', 2, null, 'NotRetrieved'],
      ['acknowledged', 1, 'JE-1', null],
      ['failed', 3, null, 'closed'],
      ['alert', 1, 'JE-2', 'ExternalIdMismatch'],
      ['undone', 2, null, 'test'],
    ])
  })

  test('two callers that acknowledge one line raise an alert, and so does a discarded change', async () => {
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [1] })
    const other = await server.addCredential({ ...materialClient.company, key: '' })
    const headers = { 'tb-key': other.secret }
    const address = '/prosjekt/TransaksjonsEksport/Eksportert'
    await materialClient.call('POST', address, { as: null, headers, json: { ids: [1] } })
    await materialClient.call('POST', '/prosjekt/Transaksjon(2)/TrekkGodkjenning')
    await materialClient.call('PATCH', '/prosjekt/Transaksjon(2)', { json: { Antall: 9 } })
    await materialClient.acknowledge({ ids: [2] })
    const alerts = (await rows('ledgerEntry')).filter(({ action }) => action === 'alert')
    expect(alerts).toMatchObject([
      { lineId: 1, code: 'PossibleDuplicate', actor: `key:${other.id}` },
      { lineId: 2, code: 'ChangeDropped' },
    ])
    // Discarded changes can still be read.
    const revisions = await rows('materialRevision')
    expect(revisions.map(({ content }) => JSON.parse(String(content)).quantity)).toEqual([20_000, 90_000])
  })

  test('the audit log has every action once, each entry chained to the previous one', async () => {
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [1, 2] })
    await materialClient.acknowledge({ ids: [1, 2] })
    const entries = await rows('audit')
    expect(entries.map(({ action, target, data }) => [action, target, JSON.parse(String(data)).ids])).toEqual([
      ['register', 'Transaksjon', '1-3'],
      ['approve', 'Transaksjon', '1-3'],
      ['retrieve', 'retrieval', '1'],
      ['acknowledge', 'Transaksjon', '1-2'],
    ])
    let previous = ''
    for (const entry of entries) {
      const { id, at, actor, action, target, requestId, data, hash } = entry
      const recorded = JSON.stringify([previous, id, at, actor, action, target, requestId, data])
      expect(hash).toBe(createHash('sha256').update(recorded).digest('base64url'))
      previous = String(hash)
    }
  })

  test('audit entries cannot be changed', async () => {
    await materialClient.acknowledge({ ids: [1] })
    for (const name of ['ledgerEntry', 'audit', 'exportLine'] as const)
      for (const change of [sql`update ${sql.table(name)} set id = id`, sql`delete from ${sql.table(name)}`]) {
        const changing = statement(() => change)
        const attempt = server.store.inSystemTransaction((writer) => writer.run(changing, {}))
        await expect(attempt, name).rejects.toThrow('append-only')
      }
    expect(await rows('ledgerEntry')).toHaveLength(1)
  })
})
