// The audit log in the app: for auditors and administrators of the company.
import { describe, expect, test } from 'vitest'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { openSession, openSessionAs } from './session-client.ts'

const { nb } = auditTexts

const audit = '/app/data/revisjon'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-audit')
  const materialClient = useMaterialClient(server)

  test('a decision names the user and the lines, the latest entry first, page by page', async () => {
    const [a = 0] = await materialClient.register(1)
    const manager = await server.addUser([{ company: materialClient.company, role: 'admin' }])
    const session = await openSession(server, manager)
    await session.send('POST', '/app/data/uttak/beslutt', { action: 'approve', ids: String(a) })
    const { rows } = (await session.get(audit)).json
    expect(rows).toMatchObject([
      { action: 'approve', actor: manager.email, data: JSON.stringify({ ids: String(a) }) },
      { action: 'sign-in', actor: manager.email },
      { action: 'register', actor: expect.stringMatching(/^key:/) },
    ])
    const next = (await session.get(audit, { before: String(rows[0].id) })).json.rows
    expect(next.map(({ action }: { action: string }) => action)).toEqual(['sign-in', 'register'])
    expect((await session.get(audit, { before: '-1' })).status).toBe(400)
    const others = (await session.get(audit, { signIns: 'without' })).json.rows
    expect(others.map(({ action }: { action: string }) => action)).toEqual(['approve', 'register'])
    const invalid = await session.get(audit, { signIns: 'with' })
    expect([invalid.status, invalid.json.error.target]).toEqual([400, 'signIns'])
  })

  test('every action on a transaction and its export has a label, and the right target', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = await materialClient.register(4)
    await materialClient.post('/prosjekt/Transaksjon/Avvis', { ids: [c], grunn: 'feil' })
    await materialClient.approve(a, b, d)
    await materialClient.post('/prosjekt/Transaksjon/TrekkGodkjenning', { ids: [d] })
    const { BatchId: id } = (await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', {})).json
    await materialClient.post(`/prosjekt/TransaksjonsEksport/Batch/${id}/Frigi`, {})
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [a] })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [a], grunn: 'feil' })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', { ids: [b], grunn: 'feil' })
    const auditor = await server.addUser([{ company: materialClient.company, role: 'auditor' }])
    const { rows } = (await (await openSession(server, auditor)).get(audit)).json
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    const labels = rows.map((row: { action: string; data: string }) => [
      actionLabels[row.action],
      formatSubject(row, nb),
    ])
    expect(labels.toReversed()).toEqual([
      ['Registrerte', `Linjer ${a}–${d}`],
      ['Avviste', `Linje ${c}`],
      ['Godkjente', `Linjer ${a}–${b}, ${d}`],
      ['Trakk godkjenning', `Linje ${d}`],
      ['Hentet', 'Uthenting 1 (2 linjer)'],
      ['Reserverte', `Reservasjon ${id}: linjer ${a}–${b}`],
      ['Frigjorde', `Reservasjon ${id}`],
      ['Hentet', 'Uthenting 2 (2 linjer)'],
      ['Meldte bokført', `Linje ${a}`],
      ['Angret eksport', `Linje ${a}`],
      ['Håndterte utenfor', `Linje ${b}`],
      ['Logget inn', 'Med passord'],
    ])
  })

  test('entries are found by line, by user and by action, page by page', async () => {
    const [a = 0, b = 0, c = 0] = await materialClient.register(3)
    await materialClient.approve(a, c)
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [a] })
    const admin = await server.addUser([{ company: materialClient.company, role: 'admin' }])
    const session = await openSession(server, admin)
    const actions = async (query: Record<string, string>) => {
      const { rows, next } = (await session.get(audit, query)).json
      expect(next).toBe(null)
      return rows.map(({ action }: { action: string }) => action)
    }
    expect(await actions({ line: String(a) })).toEqual(['acknowledge', 'approve', 'register'])
    // The audited list `a,c` does not contain b, and a retrieval with an equal id is not a line.
    expect(await actions({ line: String(b) })).toEqual(['register'])
    expect(await actions({ line: String(c), action: 'approve' })).toEqual(['approve'])
    expect(await actions({ actor: admin.email.toUpperCase() })).toEqual(['sign-in'])
    expect(await actions({ line: '999' })).toEqual([])
    for (const query of [{ line: 'x' }, { action: 'whim' }, { before: '1.5' }])
      expect((await session.get(audit, query)).status).toBe(400)
  })

  test('a person with a name is listed by name and e-mail, and found by either', async () => {
    const kari = await server.addUser([{ company: materialClient.company, role: 'admin' }], 'Kari Berg')
    const session = await openSession(server, kari)
    for (const actor of ['kari berg', kari.email])
      expect((await session.get(audit, { actor })).json.rows).toMatchObject([
        { action: 'sign-in', actor: `Kari Berg <${kari.email}>` },
      ])
  })

  test('a page has the start of the next, and downloading the file requires re-authentication', async () => {
    for (let times = 0; times < 120; times++) await materialClient.register(1)
    const session = await openSessionAs(server, materialClient.company, 'auditor')
    const first = (await session.get(audit, { action: 'register' })).json
    const rest = (await session.get(audit, { action: 'register', before: String(first.next) })).json
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([100, 20, null])
    expect(first.rows.at(-1).id).toBeGreaterThan(rest.rows[0].id)
    expect((await session.get(`${audit}/fil`)).json.rows).toHaveLength(121)
    const { now } = server.clock
    server.clock.now = () => now() + 6 * 60_000_000
    expect((await session.get(`${audit}/fil`)).json.error.code).toBe('ReauthenticationRequired')
    server.clock.now = now
  })

  test("nobody reads another company's audit log, and managers do not read their own", async () => {
    const mine = await newMaterialClient(server)
    const theirs = await newMaterialClient(server)
    await theirs.register(2)
    const auditor = await server.addUser([{ company: mine.company, role: 'auditor' }])
    expect((await (await openSession(server, auditor)).get(audit)).json.rows).toMatchObject([
      { action: 'sign-in', actor: auditor.email },
    ])
    const manager = await server.addUser([{ company: theirs.company, role: 'approver' }])
    expect((await (await openSession(server, manager)).get(audit)).json.error.code).toBe('RoleMissing')
  })
})
