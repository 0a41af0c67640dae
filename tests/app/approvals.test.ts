// Approvals in the app: groups, pages, anomalies and decisions, on both databases.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { fillDirectory } from '../support/directory.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSession, openSessionAs } from './session-client.ts'

const overview = '/app/data/uttak/oversikt'
const lines = '/app/data/uttak/linjer'
const decide = '/app/data/uttak/beslutt'
const edit = '/app/data/uttak/rett'
const selectable = '/app/data/uttak/ider'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-approvals')
  useClock(server, Date.UTC(2026, 10, 16, 7) * 1000)

  const open = async (rows: readonly object[], departments?: readonly string[]) => {
    const materialClient: MaterialClient = await newMaterialClient(server)
    const { company } = materialClient
    await fillDirectory(server, company, {
      departments: [
        { id: '10', name: 'Byggevarer' },
        { id: '20', name: 'Jernvare' },
      ],
      projects: [
        { id: 'P1', name: 'Nybygg' },
        { id: 'P2', name: 'Kjøkken' },
      ],
      employees: [{ id: 1, firstName: 'Kari', lastName: 'Ås' }],
    })
    const reply = await materialClient.post(
      '/prosjekt/Transaksjon/Batch',
      rows.map((row) => ({ ...usage, ProsjektId: 'P1', AvdelingId: '10', ...row })),
    )
    expect(reply.status).toBe(200)
    const job = { company, role: 'approver', ...(departments === undefined ? {} : { departments }) }
    const person = await server.addUser([{ ...job, role: 'approver' }])
    const ids = reply.json.resultater.map(({ id }: { id: number }) => id)
    return { materialClient, company, person, ids, session: await openSession(server, person) }
  }

  const priced = (amount: number, more: object = {}) => ({ Antall: 1, Salgspris: amount, ...more })

  test.each([
    '1-100001',
    '1-60000,50001-100001',
    // The distinct ids are few; expanding all ranges would block the server.
    Array(3).fill('1-50000').join(','),
  ])('too many ids are rejected before ranges are expanded: %s', async (ids) => {
    const { session } = await open([priced(1)])
    const reply = await session.send('POST', decide, { action: 'approve', ids })
    expect([reply.status, reply.json.error.target]).toEqual([400, 'ids'])
  })

  test('a page that begins after a line leaves none out when lines before it are decided meanwhile', async () => {
    const { session, ids, materialClient } = await open(Array.from({ length: 5 }, (_, index) => priced(index)))
    const page = async (query: object) => (await session.get(lines, { group: 'none', top: '2', ...query })).json.rows
    const first = await page({})
    expect(first).toMatchObject([{ id: ids[0] }, { id: ids[1] }])
    await materialClient.approve(ids[0])
    const after = { at: first[1].date, after: String(first[1].id) }
    expect(await page(after)).toMatchObject([{ id: ids[2] }, { id: ids[3] }])
  })

  test('groups have count and sum, and pages list the lines in order', async () => {
    const { session, ids } = await open([
      priced(10.5, { ProsjektId: 'P2', AnsattId: 1, VareId: 'a' }),
      priced(1, { VareId: 'b' }),
      priced(2, { ProsjektId: null, VareId: 'c' }),
      priced(3, { VareId: 'd' }),
    ])
    const { groups, counts } = (await session.get(overview, { group: 'project' })).json
    const days = { from: usage.Dato, to: usage.Dato }
    expect(groups).toEqual([
      { key: '', name: null, count: 1, amount: 20_000, anomalyCount: 1, ...days },
      { key: 'P1', name: 'Nybygg', count: 2, amount: 40_000, anomalyCount: 0, ...days },
      { key: 'P2', name: 'Kjøkken', count: 1, amount: 105_000, anomalyCount: 0, ...days },
    ])
    expect(counts).toEqual([{ state: 'Registrert', count: 4 }])
    const page = { group: 'project', skip: '1', top: '3' }
    const { rows } = (await session.get(lines, page)).json
    expect(rows.map(({ id }: { id: number }) => id)).toEqual([ids[1], ids[3], ids[0]])
    expect(rows[2]).toMatchObject({ projectName: 'Kjøkken', firstName: 'Kari', amount: 105_000 })
    const byEmployee = (await session.get(overview, { group: 'employee' })).json.groups
    expect(byEmployee.map(({ name }: { name: string }) => name)).toEqual([null, 'Kari Ås'])
  })

  test.each([
    [{ department: '20' }, 1],
    [{ project: 'P2' }, 1],
    [{ employee: '1' }, 1],
    [{ source: 'lager' }, 1],
    [{ from: '2026-11-02', to: '2026-11-02' }, 1],
    [{ state: 'approved' }, 0],
    [{}, 6],
  ])('the filter %j finds %i', async (filter, count) => {
    const { session } = await open([
      { AvdelingId: '20' },
      { ProsjektId: 'P2' },
      { AnsattId: 1 },
      { Kilde: 'lager' },
      { Dato: '2026-11-02' },
      {},
    ])
    const { groups } = (await session.get(overview, filter)).json
    expect(groups.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(count)
    expect((await session.get(lines, filter)).json.rows).toHaveLength(count)
    const counts = (await session.get('/app/data/uttak/antall', filter)).json
    expect(counts).toMatchObject({ count, oldest: groups[0]?.from ?? null })
    expect((await session.get('/app/data/uttak/ider', filter)).json.ids).toHaveLength(count)
  })

  test.each([
    ['KABEL', [0]],
    ['nybyg', [0, 1, 2]],
    ['kari å', [1]],
    ['Ær på Ås', [2]],
    ['Nybygg P1', [0, 1, 2]],
    ['P1 Nybygg', [0, 1, 2]],
    ['1_%', []],
  ])('a search for %j looks in item, project, employee and remark, in any letter case', async (search, found) => {
    const { session, ids } = await open([
      { VareId: 'a', Varenavn: 'Rød kabel' },
      { VareId: 'b', AnsattId: 1 },
      { VareId: 'c', Merknad: 'Ær på ås' },
      { VareId: 'd', ProsjektId: 'P2', Salgspris: null },
    ])
    const expected = found.map((index) => ids[index])
    const listed = (await session.get(lines, { search })).json.rows
    expect(listed.map(({ id }: { id: number }) => id)).toEqual(expected)
    expect((await session.get(selectable, { search })).json.ids).toEqual(expected)
    expect((await session.get('/app/data/uttak/antall', { search })).json.count).toBe(expected.length)
    expect((await session.get(overview, { search })).json.anomalies).toEqual([])
  })

  test('texts are sorted as in Norwegian, also across windows: æ, ø and å are last, and aa is å', async () => {
    const sorted = ['Aldri', 'lim', 'Zink', 'Ærfugl', 'ørret', 'Ål', 'aare', 'Åsmund']
    const { session } = await open(sorted.toReversed().map((Varenavn) => priced(1, { Varenavn, VareId: null })))
    const names = async (window: object) =>
      (await session.get(lines, { sort: 'item', ...window })).json.rows.map(
        ({ itemName }: { itemName: string }) => itemName,
      )
    expect(await names({})).toEqual(sorted)
    expect(await names({ sort: '-item' })).toEqual(sorted.toReversed())
    const windows = await Promise.all([0, 3, 6].map((skip) => names({ skip: String(skip), top: '3' })))
    expect(windows.flat()).toEqual(sorted)
  })

  test.each([
    [{ search: 'kabel', state: 'exported' }, 'search'],
    [{ sort: 'amount', state: 'exported' }, 'sort'],
    [{ sort: 'name' }, 'sort'],
    [{ sort: '--date' }, 'sort'],
  ])('%j is refused, as it is unknown or would read every line that was ever exported', async (query, target) => {
    const { session } = await open([{}])
    const { status, json } = await session.get(lines, query)
    expect([status, json.error.code, json.error.target]).toEqual([400, 'InvalidValue', target])
  })

  test('lines to select have their amounts, and anomalies are left out on request', async () => {
    const { session, ids } = await open([
      priced(10.55, { VareId: 'a' }),
      priced(1, { VareId: 'b', ProsjektId: null }),
      { VareId: 'c', Salgspris: null },
      priced(-2.25, { VareId: 'd' }),
      priced(4, { VareId: 'e', ProsjektId: 'P2' }),
    ])
    const select = async (query?: Readonly<Record<string, string>>) => {
      const { readAt, ownCount, ...lines } = (await session.get(selectable, query)).json
      expect([readAt > 0, ownCount]).toEqual([true, 0])
      return lines
    }
    const without = { anomalies: 'without' }
    expect(await select()).toEqual({ ids, amounts: [105_500, 10_000, null, -22_500, 40_000] })
    expect(await select(without)).toEqual({ ids: [ids[0], ids[3], ids[4]], amounts: [105_500, -22_500, 40_000] })
    const inProject = await select({ ...without, group: 'project', project: 'P1' })
    expect(inProject).toEqual({ ids: [ids[0], ids[3]], amounts: [105_500, -22_500] })
    // Lines that are decided on are no anomalies.
    await session.send('POST', decide, { action: 'approve', ids: String(ids[1]) })
    const approved = await select({ ...without, state: 'approved' })
    expect(approved).toEqual({ ids: [ids[1]], amounts: [10_000] })
    const { status, json } = await session.get(selectable, { anomalies: 'only' })
    expect([status, json.error.target]).toEqual([400, 'anomalies'])
  })

  test('under four-eyes approval, what the user registered or changed last is named, and not among the lines to select', async () => {
    const four = await newMaterialClient(server, { settings: { requiresFourEyes: true } })
    const { company } = four
    const [ids, session] = [await four.register(3), await openSessionAs(server, company, 'approver')]
    const other = await openSessionAs(server, company, 'approver')
    const entered = { date: usage.Dato, itemName: 'Gips', quantity: '2', salesPrice: '1.5' }
    const { id: own } = (await session.send('POST', '/app/data/uttak/mine', entered)).json
    await session.send('POST', edit, { ids: `${ids[0]},${ids[1]}`, quantity: '5' })
    await other.send('POST', edit, { ids: String(ids[1]), quantity: '6' })
    await other.send('POST', edit, { ids: String(own), quantity: '7' })
    const ownIds = (rows: readonly { id: number; isOwn: boolean }[]) =>
      rows.filter(({ isOwn }) => isOwn).map(({ id }) => id)
    const see = async (user: typeof session) => {
      const { firstLines } = (await user.get(overview, { top: '10' })).json
      const { rows } = (await user.get(lines, { top: '10' })).json
      const details = await Promise.all(
        [...ids, own].map(async (id) => (await user.get(`/app/data/uttak/linje/${id}`)).json.row),
      )
      const chosen = (await user.get(selectable)).json
      return { lists: [firstLines, rows, details].map(ownIds), selected: chosen.ids, ownCount: chosen.ownCount }
    }
    const [seen, seenByOther] = [await see(session), await see(other)]
    for (const listed of seen.lists) expect(new Set(listed)).toEqual(new Set([ids[0], own]))
    expect([seen.selected, seen.ownCount]).toEqual([[ids[1], ids[2]], 2])
    expect([seenByOther.selected, seenByOther.ownCount]).toEqual([[ids[0], ids[2]], 2])
    const decided = await session.send('POST', decide, { action: 'approve', ids: seen.selected.join() })
    expect(decided.json).toEqual({ done: [ids[1], ids[2]], others: [] })
    expect((await session.get(selectable, { state: 'approved' })).json).toMatchObject({
      ids: [ids[1], ids[2]],
      ownCount: 0,
    })
  })

  test('anomalies are flagged: no project, no price, duplicates, ten times the usual, in the future', async () => {
    const { session, ids } = await open([
      priced(1, { VareId: 'a', ProsjektId: null }),
      { VareId: 'b', Salgspris: null },
      priced(1, { VareId: 'c', AnsattId: 1 }),
      priced(1, { VareId: 'c', AnsattId: 1 }),
      priced(1, { VareId: 'd', Antall: 2 }),
      priced(1, { VareId: 'd', Antall: 3 }),
      priced(1, { VareId: 'd', Antall: -4 }),
      priced(1, { VareId: 'd', Antall: 300 }),
      priced(1, { VareId: 'e', Dato: '2026-11-17' }),
      priced(1, { VareId: 'f' }),
    ])
    const { anomalies } = (await session.get(overview)).json
    const counts = anomalies.map(({ id, anomalyFlags }: { id: number; anomalyFlags: number }) => [id, anomalyFlags])
    expect(new Map(counts)).toEqual(
      new Map([
        [ids[0], 1],
        [ids[1], 2],
        [ids[2], 4],
        [ids[3], 4],
        [ids[7], 8],
        [ids[8], 16],
      ]),
    )
  })

  test('a waiting line shows the usual quantities of its item, and the lines that it may repeat', async () => {
    const quantities = [8, -12, 20, 15, 9999, 640].map((Antall) => ({ VareId: 'a', Antall }))
    const { session, materialClient, ids } = await open([...quantities, { VareId: 'b' }, { VareId: 'b' }])
    const compared = async (id: number) => {
      const { usual, duplicates } = (await session.get(`/app/data/uttak/linje/${id}`)).json
      return { usual, duplicates }
    }
    await materialClient.approve(ids[0])
    await materialClient.post('/prosjekt/Transaksjon/Avvis', { ids: [ids[4]], grunn: 'feil' })
    // The quartiles of 8, 12, 15 and 20: rejected lines are not compared.
    expect(await compared(ids[5])).toEqual({ usual: { low: 120_000, high: 150_000 }, duplicates: [] })
    // Two lines are not enough to say what is usual.
    expect(await compared(ids[6])).toEqual({ usual: null, duplicates: [ids[7]] })
    await materialClient.approve(ids[7])
    expect(await compared(ids[6])).toEqual({ usual: null, duplicates: [ids[7]] })
    for (const decided of [ids[0], ids[4], ids[7]])
      expect(await compared(decided)).toEqual({ usual: null, duplicates: [] })
    // However many lines come after the one that is repeated.
    const later = Array.from({ length: 5_001 }, () => ({ ...usage, VareId: 'c' }))
    expect((await materialClient.registerBatch(later)).status).toBe(200)
    expect(await compared(ids[6])).toEqual({ usual: null, duplicates: [ids[7]] })
  })

  test('an unknown project or department is an anomaly if the directory has any', async () => {
    const rows = [
      priced(1, { VareId: 'a', ProsjektId: 'Nybygg' }),
      priced(1, { VareId: 'b', AvdelingId: '99' }),
      priced(1, { VareId: 'c', ProsjektId: 'P9', AvdelingId: '99' }),
      priced(1, { VareId: 'd', AvdelingId: null }),
    ]
    const { session, ids } = await open(rows)
    const { anomalies } = (await session.get(overview)).json
    expect(anomalies.map(({ id, anomalyFlags }: { id: number; anomalyFlags: number }) => [id, anomalyFlags])).toEqual([
      [ids[0], 32],
      [ids[1], 64],
      [ids[2], 96],
    ])
    const materialClient = await newMaterialClient(server)
    await materialClient.post(
      '/prosjekt/Transaksjon/Batch',
      rows.map((row) => ({ ...usage, ProsjektId: 'P1', ...row })),
    )
    const person = await server.addUser([{ company: materialClient.company, role: 'approver' }])
    const without = (await (await openSession(server, person)).get(overview)).json
    expect([without.groups[0].count, without.anomalyCount]).toEqual([4, 0])
  })

  test('of more than a thousand anomalies the oldest are listed, and all are counted in every grouping', async () => {
    const later = { ProsjektId: 'P2', AvdelingId: '20', Dato: '2026-11-10', AnsattId: 1 }
    const { session } = await open([
      ...Array.from({ length: 990 }, (_, index) => ({ VareId: `a${index}`, Salgspris: null })),
      ...Array.from({ length: 30 }, (_, index) => ({ ...later, VareId: `b${index}`, Salgspris: null })),
      ...Array.from({ length: 5 }, (_, index) => priced(1, { ...later, VareId: `c${index}` })),
    ])
    for (const [group, counts] of [
      ['none', { '': 1020 }],
      ['project', { P1: 990, P2: 30 }],
      ['employee', { '': 990, '1': 30 }],
      ['department', { '10': 990, '20': 30 }],
      ['day', { [usage.Dato]: 990, [later.Dato]: 30 }],
    ] as const) {
      const { anomalies, anomalyCount, groups } = (await session.get(overview, { group })).json
      expect([anomalies.length, anomalyCount]).toEqual([1000, 1020])
      expect(anomalies.at(-1)).toMatchObject({ date: later.Dato, itemId: 'b9' })
      expect(
        Object.fromEntries(groups.map((one: { key: string; anomalyCount: number }) => [one.key, one.anomalyCount])),
      ).toEqual(counts)
    }
    const usual = (await session.get(selectable, { anomalies: 'without' })).json
    expect(usual).toMatchObject({ ids: { length: 5 }, amounts: Array(5).fill(10_000) })
    const one = (await session.get(overview, { group: 'project', project: 'P2' })).json
    expect([one.anomalies.length, one.anomalyCount, one.groups[0].anomalyCount]).toEqual([30, 30, 30])
  })

  test('a line stays an anomaly when others are approved, and a duplicate of an approved line is one', async () => {
    const { session, ids } = await open([
      priced(1, { VareId: 'd', Antall: 2 }),
      priced(1, { VareId: 'd', Antall: 3 }),
      priced(1, { VareId: 'd', Antall: 4 }),
      priced(1, { VareId: 'd', Antall: 300 }),
      priced(1, { VareId: 'e', AnsattId: 1 }),
      priced(1, { VareId: 'e', AnsattId: 1 }),
      priced(1, { VareId: 'f', AnsattId: 1 }),
      priced(1, { VareId: 'f', AnsattId: 1 }),
    ])
    const usual = [ids[0], ids[1], ids[2], ids[4]].join(',')
    await session.send('POST', decide, { action: 'approve', ids: usual })
    await session.send('POST', decide, { action: 'reject', ids: String(ids[6]), reason: 'to ganger' })
    const { anomalies } = (await session.get(overview)).json
    expect(anomalies.map(({ id, anomalyFlags }: { id: number; anomalyFlags: number }) => [id, anomalyFlags])).toEqual([
      [ids[3], 8],
      [ids[5], 4],
    ])
  })

  test('approves what it can, and names who decided the others first', async () => {
    const { session, company, ids, materialClient } = await open([{ VareId: 'a' }, { VareId: 'b' }, { VareId: 'c' }])
    const other = await server.addUser([{ company, role: 'approver' }])
    const first = await openSession(server, other)
    await first.send('POST', decide, { action: 'approve', ids: String(ids[1]) })
    const { json } = await session.send('POST', decide, { action: 'approve', ids: `${ids[0]}-${ids[2]},999` })
    expect(json.done).toEqual([ids[0], ids[2]])
    expect(json.others).toMatchObject([
      { id: ids[1], code: 'already_approved', state: 'Godkjent', by: other.email },
      { id: 999, code: 'not_found' },
    ])
    expect((await materialClient.transactions()).map(({ Status }) => Status)).toEqual([
      'Godkjent',
      'Godkjent',
      'Godkjent',
    ])
  })

  test('a line that was changed after it was read is not decided, and the others are', async () => {
    const { session, ids, materialClient } = await open([{ VareId: 'a' }, { VareId: 'b' }])
    const [id, other] = ids
    const lineReadAt = async () => (await session.get(`/app/data/uttak/linje/${id}`)).json.readAt
    const before = await lineReadAt()
    expect((await session.get(overview)).json.readAt).toBe(before)
    await materialClient.call('PATCH', `/prosjekt/Transaksjon(${id})`, { json: { Antall: 700 } })
    const approve = async (readAt: number, which: unknown = id) =>
      (await session.send('POST', decide, { action: 'approve', ids: String(which), readAt: String(readAt) })).json
    const both = await approve(before, `${id},${other}`)
    expect(both).toMatchObject({ done: [other], others: [{ id, code: 'changed' }] })
    expect((await materialClient.transactions()).map(({ Status }) => Status)).toEqual(['Registrert', 'Godkjent'])
    // A decision of somebody else is named as such.
    const decided = await approve(before, other)
    expect(decided).toMatchObject({ others: [{ id: other, code: 'already_approved' }] })
    expect((await approve(await lineReadAt())).done).toEqual([id])
    const invalid = await session.send('POST', decide, { action: 'approve', ids: String(id), readAt: 'now' })
    expect([invalid.status, invalid.json.error.target]).toEqual([400, 'readAt'])
  })

  test('an approval can be withdrawn, and a rejection requires a reason that the registrant sees', async () => {
    const { session, ids, materialClient } = await open([{}])
    const id = String(ids[0])
    await session.send('POST', decide, { action: 'approve', ids: id })
    expect((await session.send('POST', decide, { action: 'withdraw', ids: id })).json.done).toEqual(ids)
    const without = await session.send('POST', decide, { action: 'reject', ids: id })
    expect([without.status, without.json.error.target]).toEqual([400, 'reason'])
    await session.send('POST', decide, { action: 'reject', ids: id, reason: 'Feil prosjekt' })
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Avvist', AvvistGrunn: 'Feil prosjekt' }])
  })

  test('a line shows who registered and decided, its earlier versions, and the other lines of its project', async () => {
    const { session, materialClient, person, ids } = await open([{ VareId: 'a' }, { VareId: 'b' }])
    await materialClient.call('PATCH', `/prosjekt/Transaksjon(${ids[0]})`, { json: { Antall: 7 } })
    await session.send('POST', decide, { action: 'approve', ids: String(ids[1]) })
    const { json } = await session.get(`/app/data/uttak/linje/${ids[0]}`)
    expect(json.row).toMatchObject({ id: ids[0], quantity: 70_000, projectName: 'Nybygg' })
    expect(json.revisions).toMatchObject([{ revision: 1, content: { itemId: 'a' } }])
    const decided = (await session.get(`/app/data/uttak/linje/${ids[1]}`)).json.row
    expect(decided).toMatchObject({ state: 'Godkjent', approvedBy: person.email })
    expect((await session.get('/app/data/uttak/linje/999')).status).toBe(404)
  })

  test('a line shows who approved it and which receiver exported it', async () => {
    const { session, materialClient, person, ids } = await open([{ VareId: 'a' }])
    const [id] = ids
    await session.send('POST', decide, { action: 'approve', ids: String(id) })
    expect((await session.get(`/app/data/uttak/linje/${id}`)).json.received).toEqual([])
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [id] })
    const { row, received } = (await session.get(`/app/data/uttak/linje/${id}`)).json
    expect(row).toMatchObject({ state: 'Eksportert', decidedBy: person.email })
    expect(received).toMatchObject([
      { action: 'acknowledged', actor: expect.stringMatching(/^key:.+ \(\w+\)$/), destinationId: 1 },
    ])
  })

  const line = '/app/data/uttak/linje'

  test('an approver corrects project, department, quantity and price of a line, and its history says so', async () => {
    const { session, ids, company, person } = await open([
      priced(2, { ProsjektId: null, VareId: 'a', Antall: 10, Merknad: 'bak huset' }),
    ])
    const registrant = await server.addUser([{ company, role: 'registrant' }])
    const own = await openSession(server, registrant)
    const entered = { date: usage.Dato, itemName: 'Gips', quantity: '640', salesPrice: '1.5' }
    const { id } = (await own.send('POST', '/app/data/uttak/mine', entered)).json
    const correct = async (body: object, which = id) => session.send('POST', edit, { ids: String(which), ...body })
    const { readAt } = (await session.get(`${line}/${id}`)).json
    const reply = await correct({
      projectId: 'P2',
      departmentId: '20',
      quantity: '64',
      salesPrice: '15.25',
      readAt: String(readAt),
    })
    expect(reply.json).toEqual({ done: [id], others: [] })
    const { row, revisions } = (await session.get(`${line}/${id}`)).json
    expect(row).toMatchObject({
      projectId: 'P2',
      departmentId: '20',
      quantity: 640_000,
      salesPrice: 152_500,
      amount: 9_760_000,
      itemName: 'Gips',
      registeredBy: registrant.email,
      state: 'Registrert',
    })
    expect(revisions).toMatchObject([{ replacedBy: person.email, content: { projectId: null, quantity: 6_400_000 } }])
    // It stays the registrant's own line.
    const { rows } = (await own.get('/app/data/uttak/mine')).json
    expect(rows).toMatchObject([{ id, quantity: 640_000 }])
    // The other fields stay, and an empty text clears one.
    expect((await correct({ projectId: 'P1' }, ids[0])).json.done).toEqual([ids[0]])
    expect((await correct({ salesPrice: '' }, ids[0])).json.done).toEqual([ids[0]])
    expect((await session.get(`${line}/${ids[0]}`)).json.row).toMatchObject({
      projectId: 'P1',
      quantity: 100_000,
      salesPrice: null,
      amount: null,
      remark: 'bak huset',
    })
  })

  test('a rejected line awaits approval again when an approver changes a field of it, and only then', async () => {
    const { session, ids, materialClient } = await open([{}])
    const id = String(ids[0])
    await session.send('POST', decide, { action: 'reject', ids: id, reason: 'Feil antall' })
    expectError(await session.send('POST', edit, { ids: id, quantty: '3' }), 400, 'NothingToChange')
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Avvist', AvvistGrunn: 'Feil antall' }])
    await session.send('POST', edit, { ids: id, quantity: '3' })
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Registrert', Antall: 3, AvvistGrunn: null }])
  })

  test.each([
    [{ projectId: 'Nybygg' }, 422, 'ReferenceNotFound'],
    [{ departmentId: '99' }, 422, 'ReferenceNotFound'],
    [{ quantity: 'tre' }, 400, 'InvalidNumber'],
    [{ quantity: '' }, 400, 'MissingField'],
    [{ salesPrice: '1e30' }, 400, 'NumberOutOfRange'],
    [{ projectId: 'x'.repeat(51) }, 400, 'ValueTooLong'],
    [{ quantity: '3', readAt: 'now' }, 400, 'InvalidNumber'],
  ])('a correction to %j is rejected: %i %s, and nothing changes', async (body, status, code) => {
    const { session, ids, materialClient } = await open([{}])
    const before = await materialClient.snapshot()
    expectError(await session.send('POST', edit, { ids: String(ids[0]), ...body }), status, code)
    expect(await materialClient.snapshot()).toEqual(before)
  })

  test('several lines are corrected at once, each with its revision, and each other one is named with the reason', async () => {
    const { session, ids, company, materialClient, person } = await open(
      [{ AvdelingId: '10' }, ...Array.from({ length: 6 }, () => ({ AvdelingId: '20', Antall: 2 }))],
      ['20'],
    )
    const [hidden, approved, changed, rejected, waiting, same, last] = ids
    await session.send('POST', decide, { action: 'approve', ids: String(approved) })
    await session.send('POST', decide, { action: 'reject', ids: String(rejected), reason: 'Feil' })
    await session.send('POST', edit, { ids: String(same), quantity: '3' })
    const { readAt } = (await session.get(`${line}/${waiting}`)).json
    await materialClient.call('PATCH', `/prosjekt/Transaksjon(${changed})`, { json: { Merknad: 'ny' } })
    const { json } = await session.send('POST', edit, {
      ids: `${hidden}-${last},999`,
      quantity: '3',
      departmentId: '20',
      readAt: String(readAt),
    })
    const unnamed = { state: null, by: null, at: null }
    expect(json).toEqual({
      done: [rejected, waiting, same, last],
      others: [
        { id: hidden, code: 'not_found', ...unnamed },
        { id: approved, code: 'not_allowed', state: 'Godkjent', by: person.email, at: expect.any(Number) },
        { id: changed, code: 'changed', ...unnamed },
        { id: 999, code: 'not_found', ...unnamed },
      ],
    })
    const quantities = (await materialClient.transactions()).map(({ Antall }) => Antall)
    expect(quantities).toEqual([usage.Antall, 2, 2, 3, 3, 3, 3])
    const revisions = async (id: number) => (await session.get(`${line}/${id}`)).json.revisions.length
    // A line that had the values already gets no revision.
    expect([await revisions(waiting), await revisions(same)]).toEqual([1, 1])
    const auditor = await openSessionAs(server, company, 'auditor')
    const { rows } = (await auditor.get('/app/data/revisjon')).json
    const entry = rows.find(({ action }: { action: string }) => action === 'edit')
    expect(JSON.parse(entry.data)).toEqual({ ids: `${rejected}-${waiting},${last}` })
  })

  test('lines whose amount would be too large are not corrected, and the others are', async () => {
    const { session, ids } = await open([priced(1, { Antall: 1_000_000_000 }), priced(1, { Antall: 2 })])
    const { json } = await session.send('POST', edit, { ids: ids.join(','), salesPrice: '9000000000' })
    expect(json.done).toEqual([ids[1]])
    expect(json.others).toMatchObject([{ id: ids[0], code: 'NumberOutOfRange' }])
  })

  test('who may not approve does not correct lines', async () => {
    const { ids, company, materialClient } = await open([{}])
    const viewer = await openSessionAs(server, company, 'viewer')
    const before = await materialClient.snapshot()
    expectError(await viewer.send('POST', edit, { ids: String(ids[0]), quantity: '3' }), 403, 'RoleMissing')
    expect(await materialClient.snapshot()).toEqual(before)
  })

  test('an approver of some departments neither sees nor decides the lines of others', async () => {
    const { session, ids, materialClient } = await open(
      [{ AvdelingId: '20' }, { AvdelingId: '10' }, { AvdelingId: null }],
      ['20'],
    )
    expect((await session.get(lines)).json.rows).toHaveLength(1)
    expect((await session.get(overview)).json.counts).toEqual([{ state: 'Registrert', count: 1 }])
    expect((await session.get(`/app/data/uttak/linje/${ids[1]}`)).status).toBe(404)
    const { json } = await session.send('POST', decide, { action: 'approve', ids: `${ids[0]}-${ids[2]}` })
    expect(json.done).toEqual([ids[0]])
    expect(json.others.map(({ code }: { code: string }) => code)).toEqual(['not_found', 'not_found'])
    expect((await materialClient.transactions()).map(({ Status }) => Status)).toEqual([
      'Godkjent',
      'Registrert',
      'Registrert',
    ])
  })

  test("another company's lines are 404", async () => {
    const mine = await open([{}])
    const theirs = await open([{}, {}])
    const reply = await mine.session.send('POST', decide, { action: 'approve', ids: String(theirs.ids[1]) })
    expect(reply.json).toMatchObject({ done: [], others: [{ code: 'not_found' }] })
    expect((await theirs.materialClient.transactions()).map(({ Status }) => Status)).toEqual([
      'Registrert',
      'Registrert',
    ])
  })

  test.each(['', '1-', 'a', '1,,2', '1-200000', '-1'])('ids «%s» are rejected', async (ids) => {
    const { session, materialClient } = await open([{}])
    expect((await session.send('POST', decide, { action: 'approve', ids })).status).toBe(400)
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Registrert' }])
  })
})
