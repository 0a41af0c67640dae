// ADR 0034: after a restore the export journal is replayed in the order of the ledger.
import { describe, expect, test } from 'vitest'
import { replayJournal } from '../src/export/replay-journal.ts'
import type { JournalAction, JournalActionKind } from '../src/journal/record.ts'
import { databases } from './support/databases.ts'
import { useMaterialClient } from './support/material-client.ts'
import { useTestServer } from './support/server.ts'

describe.each(databases)('a replay on $name', (database) => {
  const server = useTestServer(database, 'replay')
  const client = useMaterialClient(server)

  test('follows the ledger, whichever servers have journaled an entry, and in whichever order their files are read', async () => {
    await client.approve(...(await client.register(3)))
    const companyId = client.company.id
    const action = (ledger: number, kind: JournalActionKind, lineId: number): JournalAction => {
      const entry = { ledger, lineId, revision: 1, generation: 1, source: null, externalId: null }
      return { kind, companyId, through: ledger, at: 1, destinationId: 1, requestId: 'r', entries: [entry] }
    }
    const [first, second, undo, third] = [
      action(1, 'acknowledge', 1),
      action(2, 'acknowledge', 2),
      action(3, 'undo', 1),
      action(4, 'acknowledge', 3),
    ]
    const files = [first, second, undo, first, second, undo, third]
    const records = async function* () {
      yield* files
    }
    const watermarks = [{ companyId, through: 4, ceiling: 0 }]
    const options = { store: server.store, watermarks, records, clock: () => server.clock.now() }
    expect(await replayJournal(options)).toBe(4)
    // A second undo would have made the first line ready again with another key, and a second acknowledgement exported it.
    expect((await client.exportList()).json.value).toMatchObject([{ Id: 1, Eksportnokkel: 'T1.r1.g2' }])
    expect((await client.transactions()).map(({ Status }: { Status: string }) => Status)).toEqual([
      'Godkjent',
      'Eksportert',
      'Eksportert',
    ])
  })
})
