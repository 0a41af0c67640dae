// The audit log in the app: for auditors and administrators of the company.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { auditText } from '../../web/i18n/audit.ts'
import { databases } from '../support/databases.ts'
import { newDepot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { subjectText } from '../../web/features/audit/audit-subject.ts'
import { visit } from './session-client.ts'

const { nb } = auditText

const audit = '/app/data/revisjon'

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-audit')
  })
  afterAll(() => house.close())

  test('a decision names the user and the lines, the latest entry first, page by page', async () => {
    const depot = await newDepot(house)
    const [a = 0] = await depot.register(1)
    const manager = await house.person([{ company: depot.company, role: 'admin' }])
    const visitor = await visit(house, manager)
    await visitor.act('POST', '/app/data/uttak/beslutt', { act: 'approve', ids: String(a) })
    const { rows } = (await visitor.get(audit)).json
    expect(rows).toMatchObject([
      { action: 'approve', actor: manager.email, data: JSON.stringify({ ids: String(a) }) },
      { action: 'sign-in', actor: manager.email },
      { action: 'register', actor: expect.stringMatching(/^key:/) },
    ])
    const next = (await visitor.get(audit, { before: String(rows[0].id) })).json.rows
    expect(next.map(({ action }: { action: string }) => action)).toEqual(['sign-in', 'register'])
    expect((await visitor.get(audit, { before: '-1' })).status).toBe(400)
  })

  test('every action on a transaction and its export has a label, and the right target', async () => {
    const depot = await newDepot(house)
    const [a = 0, b = 0, c = 0, d = 0] = await depot.register(4)
    await depot.post('/prosjekt/Transaksjon/Avvis', { ids: [c], grunn: 'feil' })
    await depot.approve(a, b, d)
    await depot.post('/prosjekt/Transaksjon/TrekkGodkjenning', { ids: [d] })
    const { BatchId: id } = (await depot.post('/prosjekt/TransaksjonsEksport/Batch', {})).json
    await depot.post(`/prosjekt/TransaksjonsEksport/Batch/${id}/Frigi`, {})
    await depot.list()
    await depot.mark({ ids: [a] })
    await depot.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [a], grunn: 'feil' })
    await depot.post('/prosjekt/TransaksjonsEksport/Lukk', { ids: [b], grunn: 'feil' })
    const auditor = await house.person([{ company: depot.company, role: 'auditor' }])
    const { rows } = (await (await visit(house, auditor)).get(audit)).json
    const words: Readonly<Record<string, string>> = nb.audit.actions
    const told = rows.map((row: { action: string; data: string }) => [
      words[row.action],
      subjectText(row, nb),
    ])
    expect(told.toReversed()).toEqual([
      ['Registrerte', `Transaksjon ${a}-${d}`],
      ['Avviste', `Transaksjon ${c}`],
      ['Godkjente', `Transaksjon ${a}-${b},${d}`],
      ['Trakk godkjenning', `Transaksjon ${d}`],
      ['Hentet', 'Uthenting 1 (2 linjer)'],
      ['Holdt av', `Reservasjon ${id}: linje ${a}-${b}`],
      ['Slapp', `Reservasjon ${id}`],
      ['Hentet', 'Uthenting 2 (2 linjer)'],
      ['Meldte inntatt', `Linje ${a}`],
      ['Angret eksport', `Linje ${a}`],
      ['Håndterte utenfor', `Linje ${b}`],
      ['Logget inn', 'Med passord'],
    ])
  })

  test('entries are found by line, by user and by action, page by page', async () => {
    const depot = await newDepot(house)
    const [a = 0, b = 0, c = 0] = await depot.register(3)
    await depot.approve(a, c)
    await depot.list()
    await depot.mark({ ids: [a] })
    const admin = await house.person([{ company: depot.company, role: 'admin' }])
    const visitor = await visit(house, admin)
    const actions = async (query: Record<string, string>) => {
      const { rows, next } = (await visitor.get(audit, query)).json
      expect(next).toBe(null)
      return rows.map(({ action }: { action: string }) => action)
    }
    expect(await actions({ line: String(a) })).toEqual(['mark', 'approve', 'register'])
    // The audited list `a,c` does not contain b, and a retrieval with an equal id is not a line.
    expect(await actions({ line: String(b) })).toEqual(['register'])
    expect(await actions({ line: String(c), action: 'approve' })).toEqual(['approve'])
    expect(await actions({ actor: admin.email.toUpperCase() })).toEqual(['sign-in'])
    expect(await actions({ line: '999' })).toEqual([])
    for (const query of [{ line: 'x' }, { action: 'whim' }, { before: '1.5' }])
      expect((await visitor.get(audit, query)).status).toBe(400)
  })

  test('a page has the start of the next, and downloading the file requires re-authentication', async () => {
    const depot = await newDepot(house)
    for (let times = 0; times < 120; times++) await depot.register(1)
    const auditor = await house.person([{ company: depot.company, role: 'auditor' }])
    const visitor = await visit(house, auditor)
    const first = (await visitor.get(audit, { action: 'register' })).json
    const rest = (await visitor.get(audit, { action: 'register', before: String(first.next) })).json
    expect([first.rows.length, rest.rows.length, rest.next]).toEqual([100, 20, null])
    expect(first.rows.at(-1).id).toBeGreaterThan(rest.rows[0].id)
    expect((await visitor.get(`${audit}/fil`)).json.rows).toHaveLength(121)
    const { now } = house.clock
    house.clock.now = () => now() + 6 * 60_000_000
    expect((await visitor.get(`${audit}/fil`)).json.error.code).toBe('PasswordNeeded')
    house.clock.now = now
  })

  test("nobody reads another company's audit log, and managers do not read their own", async () => {
    const mine = await newDepot(house)
    const theirs = await newDepot(house)
    await theirs.register(2)
    const auditor = await house.person([{ company: mine.company, role: 'auditor' }])
    expect((await (await visit(house, auditor)).get(audit)).json.rows).toMatchObject([
      { action: 'sign-in', actor: auditor.email },
    ])
    const manager = await house.person([{ company: theirs.company, role: 'approver' }])
    expect((await (await visit(house, manager)).get(audit)).json.error.code).toBe('RoleMissing')
  })
})
