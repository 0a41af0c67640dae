// ADR 0034: after a restore the export journal is replayed in the order of the ledger.
import { describe, expect, test } from 'vitest'
import { replayJournal } from '../src/export/replay-journal.ts'
import type { JournalAction, JournalActionKind, JournalEntry } from '../src/journal/record.ts'
import { assignCredential, insertDestination } from '../src/store/export/destinations.ts'
import { databases } from './support/databases.ts'
import { materialClientFor, usage, useMaterialClient } from './support/material-client.ts'
import { useTestServer } from './support/server.ts'

describe.each(databases)('a replay on $name', (database) => {
  const server = useTestServer(database, 'replay')
  const client = useMaterialClient(server)

  const action = (
    ledger: number,
    kind: JournalActionKind,
    lineId: number,
    { destinationId = 1, ...key }: Partial<JournalEntry> & { destinationId?: number } = {},
  ): JournalAction => {
    const entry = { ledger, lineId, revision: 1, generation: 1, source: null, externalId: null, ...key }
    const companyId = client.company.id
    return { kind, companyId, through: ledger, at: 1, destinationId, requestId: 'r', entries: [entry] }
  }

  /** Replays a journal of these actions; ids up to 100 were assigned. */
  const replay = (actions: readonly JournalAction[]): Promise<number> => {
    const records = async function* () {
      yield* actions
    }
    const through = Math.max(...actions.map((one) => one.through))
    const watermarks = [{ companyId: client.company.id, through, ceiling: 100 }]
    return replayJournal({ store: server.store, watermarks, records, clock: () => server.clock.now() })
  }

  /** A client with a key of a second destination. */
  const addPayroll = async () => {
    const { id: companyId } = client.company
    const key = await server.addCredential({ ...client.company, key: '' })
    await server.store.inSystemTransaction(async (writer) => {
      await insertDestination(writer, { companyId, name: 'lønn', now: 1 })
      await assignCredential(writer, { companyId, id: key.id, destinationId: 2 })
    })
    return materialClientFor(server, { ...client.company, key: key.secret })
  }

  test('follows the ledger, whichever servers have journaled an entry, and in whichever order their files are read', async () => {
    await client.approve(...(await client.register(3)))
    const [first, second, undo, third] = [
      action(1, 'acknowledge', 1),
      action(2, 'acknowledge', 2),
      action(3, 'undo', 1),
      action(4, 'acknowledge', 3),
    ]
    expect(await replay([first, second, undo, first, second, undo, third])).toBe(4)
    // A second undo would have made the first line ready again with another key, and a second acknowledgement exported it.
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 1, Eksportnokkel: 'T1.r1.g2' }])
    expect((await client.transactions()).map(({ Status }: { Status: string }) => Status)).toEqual([
      'Godkjent',
      'Eksportert',
      'Eksportert',
    ])
  })

  test('by two servers that start at once is done once', async () => {
    await client.approve(...(await client.register(1)))
    const actions = [
      action(1, 'acknowledge', 1),
      action(2, 'undo', 1),
      action(3, 'acknowledge', 1),
      action(4, 'undo', 1),
    ]
    expect((await Promise.all([replay(actions), replay(actions)])).toSorted()).toEqual([0, 4])
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 1, Eksportnokkel: 'T1.r1.g3' }])
  })

  test('offers a line whose approval was lost at the destinations that have not acknowledged it, once', async () => {
    const payroll = await addPayroll()
    await client.setDestination({ lockDate: '2024-06-30' }, 2)
    await client.register(3)
    const acknowledged = [action(1, 'acknowledge', 1), action(2, 'acknowledge', 2, { destinationId: 2 })]
    expect(await replay([...acknowledged, action(3, 'acknowledge', 2), action(4, 'undo', 2)])).toBe(4)
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 2, Eksportnokkel: 'T2.r1.g2' }])
    const offered = [{ Id: 1, Eksportnokkel: 'T1.r1', PosteringsDato: '2024-07-01', Antall: 2 }]
    expect((await payroll.exportList()).json.value).toMatchObject(offered)
    expect((await payroll.acknowledge({ ids: [1, 2] })).json.antall).toEqual({ exported: 1, already_exported: 1 })
    expect(await payroll.listedIds()).toEqual([])
    // The third one has no approval.
    expect((await client.approve(1, 2, 3)).json.antall).toMatchObject({ approved: 1 })
    expect([await client.listedIds(), await payroll.listedIds()]).toEqual([[2, 3], [3]])
  })

  test('offers a line without content at the other destinations when its source has sent the content', async () => {
    const payroll = await addPayroll()
    const key = { source: 'kasse', externalId: 'a' }
    await replay([action(1, 'acknowledge', 50, key)])
    expect([await client.listedIds(), await payroll.listedIds()]).toEqual([[], []])
    const rows = [{ ...usage, Kilde: 'kasse', EksternId: 'a' }]
    for (const code of ['unchanged', 'unchanged']) {
      const { json } = await client.registerBatch(rows)
      expect(json.resultater).toMatchObject([{ id: 50, code }])
    }
    expect(await client.listedIds()).toEqual([])
    expect((await payroll.exportList()).json.value).toMatchObject([{ Id: 50, Eksportnokkel: 'T50.r1', Antall: 2 }])
    expect((await payroll.acknowledge({ ids: [50] })).json.antall).toEqual({ exported: 1 })
    expect(await payroll.listedIds()).toEqual([])
    await client.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [50], grunn: 'feil' })
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 50, Eksportnokkel: 'T50.r1.g2', Antall: 2 }])
  })

  test('locks a line without content until its source has sent the content', async () => {
    await client.setDestination({ corrections: 'lines' })
    const [exported, undone] = ['a', 'b'].map((externalId) => ({ source: 'kasse', externalId }))
    await replay([
      action(1, 'acknowledge', 50, exported),
      action(2, 'acknowledge', 51, undone),
      action(3, 'undo', 51, undone),
    ])
    for (const id of [50, 51]) {
      const line = `/prosjekt/Transaksjon(${id})`
      for (const reply of [
        await client.call('POST', `${line}/TrekkGodkjenning`),
        await client.call('PATCH', line, { json: usage }),
        await client.call('DELETE', line),
      ])
        expect([reply.status, reply.json.error.code]).toEqual([409, 'StateConflict'])
    }
    expect(await client.listedIds()).toEqual([])
    await client.registerBatch(['a', 'b'].map((EksternId) => ({ ...usage, Kilde: 'kasse', EksternId })))
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 51, Eksportnokkel: 'T51.r1.g2', Antall: 2 }])
    expect((await client.call('POST', '/prosjekt/Transaksjon(50)/TrekkGodkjenning')).status).toBe(200)
  })

  test('offers an undone line without content when its source has sent the content, with its next key', async () => {
    const payroll = await addPayroll()
    const key = { source: 'kasse', externalId: 'a' }
    await replay([action(1, 'acknowledge', 50, key), action(2, 'undo', 50, key)])
    expect([await client.listedIds(), await payroll.listedIds()]).toEqual([[], []])
    await client.registerBatch([{ ...usage, Kilde: 'kasse', EksternId: 'a' }])
    const lines = [await client.exportList(), await payroll.exportList()].map(({ json }) => json.value)
    expect(lines).toMatchObject([
      [{ Id: 50, Eksportnokkel: 'T50.r1.g2', Antall: 2 }],
      [{ Id: 50, Eksportnokkel: 'T50.r1', Antall: 2 }],
    ])
  })
})
