// Revenue in the app: sums, key figures, missing days, and editing of cells.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError } from '../support/replies.ts'
import { useClock, useTestServer, type TestCompany } from '../support/server.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { openSession, type SessionClient } from './session-client.ts'

const cells = '/app/data/omsetning/celler'
const cell = '/app/data/omsetning/celle'
const sums = '/app/data/omsetning/summer'
const overview = '/app/data/omsetning/oversikt'

type Sum = Readonly<Record<string, unknown>>

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-revenue')
  // A Monday morning in Oslo.
  const clock = useClock(server, Date.UTC(2026, 10, 16, 7) * 1000)

  const open = async (departments?: readonly string[]) => {
    const revenueClient = await newRevenueClient(server)
    const company: TestCompany = revenueClient.company
    const person = await server.addUser([
      { company, role: 'approver', ...(departments === undefined ? {} : { departments }) },
    ])
    return { revenueClient, company, person, session: await openSession(server, person) }
  }

  const write = (revenueClient: RevenueClient, rows: readonly (readonly [string, string, number])[]) =>
    revenueClient.saveList(rows.map(([Dato, AvdelingID, Omsetning]) => ({ Dato, AvdelingID, Omsetning })))

  const setCell = (session: SessionClient, amount: string, before: string | null, department = '20') =>
    session.send('POST', cells, [{ date: '2026-11-12', department, amount, before }])

  test('sums by day, week and month are exact, per department', async () => {
    const { revenueClient, session } = await open()
    await write(revenueClient, [
      ['2026-10-31', '20', 0.1],
      ['2026-11-01', '20', 0.2],
      ['2026-11-01', '20', 99_999_999_999.9999],
      ['2026-11-02', '007', -5],
      ['2026-11-03', '007', 1],
    ])
    const getSums = async (per: string) =>
      (await session.get(sums, { from: '2026-10-31', to: '2026-11-30', per })).json.sums.map(
        ({ date, departmentId, amount, records }: Sum) => [date, departmentId, amount, records],
      )
    expect(await getSums('day')).toEqual([
      ['2026-10-31', '20', 1_000, 1],
      ['2026-11-01', '20', 1_000_000_000_001_999, 2],
      ['2026-11-02', '007', -50_000, 1],
      ['2026-11-03', '007', 10_000, 1],
    ])
    expect(await getSums('week')).toEqual([
      ['2026-10-26', '20', 1_000_000_000_002_999, 3],
      ['2026-11-02', '007', -40_000, 2],
    ])
    expect(await getSums('month')).toEqual([
      ['2026-10-01', '20', 1_000, 1],
      ['2026-11-01', '20', 1_000_000_000_001_999, 2],
      ['2026-11-01', '007', -40_000, 2],
    ])
  })

  test('key figures end yesterday, compared with the same weekdays, or dates, of the previous year', async () => {
    const { revenueClient, session } = await open()
    await write(revenueClient, [
      ['2026-11-16', '20', 1_000_000],
      ['2026-11-15', '20', 100],
      ['2026-11-09', '20', 10],
      ['2026-11-08', '20', 1],
      ['2025-11-16', '20', 80],
      ['2025-11-15', '20', 7],
      ['2025-01-01', '20', 3],
      ['2026-10-01', '20', 4],
      ['2025-10-31', '20', 2],
    ])
    const { figures } = (await session.get(overview)).json
    const figuresByName = figures.map(({ name, amount, before }: { name: string; amount: number; before: Sum }) => [
      name,
      amount,
      before['amount'],
    ])
    expect(figuresByName).toEqual([
      ['yesterday', 1_000_000, 800_000],
      ['week', 1_100_000, 870_000],
      ['month', 1_110_000, 70_000],
      ['lastMonth', 40_000, 20_000],
      ['year', 1_150_000, 120_000],
    ])
  })

  test('in January the last month is December, compared with the previous December', async () => {
    clock.now = Date.UTC(2027, 0, 5, 7) * 1000
    const { revenueClient, session } = await open()
    await write(revenueClient, [
      ['2026-12-01', '20', 5],
      ['2025-12-01', '20', 4],
    ])
    const { figures } = (await session.get(overview)).json
    expect(figures.find(({ name }: { name: string }) => name === 'lastMonth')).toMatchObject({
      from: '2026-12-01',
      to: '2026-12-31',
      amount: 50_000,
      before: { amount: 40_000 },
    })
  })

  test('a day is missing where the department usually has revenue, and on no other weekday', async () => {
    const { revenueClient, session } = await open()
    const days = Array.from({ length: 35 }, (_, index) =>
      new Date(Date.UTC(2026, 10, 15 - index)).toISOString().slice(0, 10),
    )
    const isSunday = (day: string) => new Date(day).getUTCDay() === 0
    const open20 = days.filter((day) => !isSunday(day) && day !== '2026-11-04')
    await write(
      revenueClient,
      open20.map((day) => [day, '20', 1] as const),
    )
    const { missing, unknown } = (await session.get(overview)).json
    expect(missing).toEqual([{ departmentId: '20', dates: ['2026-11-04'] }])
    expect(unknown).toMatchObject([{ departmentId: '20', records: 29, amount: 290_000 }])
  })

  test('a code in the directory is not reported as unknown, and a cell with two records is reported', async () => {
    const { revenueClient, company, session } = await open()
    await fillDirectory(server, company, { departments: [{ id: '20', name: 'Jernvare' }] })
    await write(revenueClient, [
      ['2026-11-12', '20', 1],
      ['2026-11-12', '20', 2],
    ])
    const { unknown, crowded } = (await session.get(overview)).json
    expect(unknown).toEqual([])
    expect(crowded).toMatchObject([{ date: '2026-11-12', departmentId: '20', records: 2 }])
  })

  test('a cell is set as through the API, and the revenue log names the user', async () => {
    const { revenueClient, person, session } = await open()
    await write(revenueClient, [['2026-11-12', '20', 1]])
    expect((await setCell(session, '12500.5', '1')).status).toBe(200)
    expect(await revenueClient.records()).toMatchObject([{ Omsetning: 12500.5, AvdelingID: '20' }])
    const { records, log } = (await session.get(cell, { date: '2026-11-12', department: '20' })).json
    expect(records).toMatchObject([{ cellRank: 0, amount: 125_005_000 }])
    expect(log).toMatchObject([
      { action: 'sett', before: 10_000, after: 125_005_000, actor: person.email },
      { after: 10_000 },
    ])
  })

  test('a cell has its latest 200 log entries, also of records that moved away or were deleted', async () => {
    const { revenueClient, session } = await open()
    const row = { Dato: '2026-11-12', AvdelingID: '20' }
    await revenueClient.saveList([1, 2, 3].map((Omsetning) => ({ ...row, Omsetning })))
    const [first, second] = await revenueClient.idsWhere('true')
    await revenueClient.saveList([{ InntekstplanId: second, AvdelingID: '21' }])
    await revenueClient.setPerDate(Array.from({ length: 230 }, (_, Omsetning) => ({ ...row, Omsetning })))
    await revenueClient.saveList([{ InntekstplanId: second, AvdelingID: '20' }])
    await revenueClient.delete(first ?? 0)
    const { json } = await revenueClient.revenueLog()
    const ids = json.value
      .filter(({ AvdelingID }: typeof row) => AvdelingID === '20')
      .map(({ Id }: { Id: number }) => Id)
    const { log } = (await session.get(cell, { date: '2026-11-12', department: '20' })).json
    expect(ids.length).toBeGreaterThan(230)
    expect(log.map(({ id }: { id: number }) => id)).toEqual(ids.toReversed().slice(0, 200))
  })

  test('an edit of an outdated amount is rejected with who was first, and nothing is stored', async () => {
    const { revenueClient, person, session } = await open()
    await setCell(session, '10', null)
    const reply = await setCell(session, '20', '9')
    expect([reply.status, reply.json.error.code]).toEqual([412, 'ConcurrentModification'])
    expect(reply.json.error.message).toContain(person.email)
    expect((await setCell(session, '20', null)).status).toBe(412)
    expect(await revenueClient.records()).toMatchObject([{ Omsetning: 10 }])
  })

  test('a pasted block is stored whole or not at all', async () => {
    const { revenueClient, session } = await open()
    await setCell(session, '10', null)
    const block = [
      { date: '2026-11-13', department: '20', amount: '1', before: null },
      { date: '2026-11-12', department: '20', amount: '2', before: null },
    ]
    expect((await session.send('POST', cells, block)).status).toBe(412)
    expect(await revenueClient.records()).toHaveLength(1)
  })

  test('an approver of some departments changes those alone', async () => {
    const { revenueClient, session } = await open(['20'])
    expect((await setCell(session, '1', null, '30')).json.error.code).toBe('RoleMissing')
    expect((await setCell(session, '1', null, '20')).status).toBe(200)
    expect(await revenueClient.records()).toHaveLength(1)
  })

  test.each([
    [{ date: '2026-02-30' }, 'InvalidDate', '[0].date'],
    [{ department: '' }, 'MissingField', 'department'],
    [{ amount: 'mye' }, 'InvalidNumber', '[0].amount'],
    [{ amount: '100000000000' }, 'NumberOutOfRange', '[0].amount'],
    [{ amount: 5 }, 'InvalidType', 'amount'],
  ])('%j is rejected with %s at %s', async (change, code, target) => {
    const { revenueClient, session } = await open()
    const good = { date: '2026-11-12', department: '20', amount: '1', before: null }
    const { status, json } = await session.send('POST', cells, [{ ...good, ...change }])
    expect([status, json.error.code, json.error.target]).toEqual([400, code, target])
    expect(await revenueClient.records()).toEqual([])
  })

  test("nobody sees or changes another company's cells", async () => {
    const mine = await open()
    const theirs = await open()
    await write(theirs.revenueClient, [['2026-11-12', '20', 77]])
    const span = { from: '2026-11-01', to: '2026-11-30' }
    expect((await mine.session.get(sums, span)).json.sums).toEqual([])
    const seen = await mine.session.get(cell, { date: '2026-11-12', department: '20' })
    expect(seen.json).toEqual({ records: [], hasMore: false, log: [] })
    expect((await mine.session.get('/app/les/Omsetning')).json.value).toEqual([])
    expect((await setCell(mine.session, '1', null)).status).toBe(200)
    expect(await theirs.revenueClient.records()).toMatchObject([{ Omsetning: 77 }])
  })

  test('sets are read with the query language and with the scopes of the role', async () => {
    const { company, session } = await open()
    await fillDirectory(server, company, {
      departments: [{ id: '20', name: 'Jernvare' }],
      employees: [{ id: 1, firstName: 'Kari', departmentId: '20' }],
    })
    const query = { $select: 'Fornavn', $expand: 'Avdeling($select=Navn)', $count: 'true' }
    const { json } = await session.get('/app/les/Ansatt', query)
    expect(json).toMatchObject({ '@odata.count': 1, value: [{ Fornavn: 'Kari', Avdeling: { Navn: 'Jernvare' } }] })
    const personal = await session.get('/app/les/Ansatt', { $select: 'Adresse' })
    expect(personal.json.error.code).toBe('ScopeMissing')
    expect((await session.get('/app/les/Ingenting')).status).toBe(404)
    expect((await session.get('/app/les/Ansatt', { $fliter: 'x' })).json.error.code).toBe('UnknownQueryOption')
  })

  test('a record without a date has to be put in order, and is gone when it has a date or is deleted', async () => {
    const { revenueClient, session } = await open()
    const inserted = await revenueClient.insert({ AvdelingID: '20', Omsetning: 5 })
    await revenueClient.insert({ Omsetning: 7 })
    const undated = async () => (await session.get('/app/data/omsetning/rydde')).json.undated
    const found = [
      { date: '', departmentId: '', records: 1, amount: 70_000 },
      { date: '', departmentId: '20', records: 1, amount: 50_000 },
    ]
    expect(await undated()).toEqual(found)
    expect((await session.get(overview)).json.undated).toEqual(found)

    const { records, log } = (await session.get(cell)).json
    expect(log).toMatchObject([{ after: 70_000, actor: expect.stringMatching(/^key:/) }])
    const [{ id: other, changedAt }] = records
    const named = { id: String(other), before: String(changedAt) }
    expect((await session.send('POST', '/app/data/omsetning/slett', named)).status).toBe(200)
    const { InntektsPlanId } = inserted.json
    await revenueClient.update({ InntektsPlanId, Dato: '2026-11-12' })
    expect(await undated()).toEqual([])
  })

  test('of the records of a department without a date the first 200 are shown, and the latest 200 log entries', async () => {
    const { revenueClient, session } = await open()
    const ids = async () => (await session.get(cell, { department: '20' })).json
    await revenueClient.saveList(Array.from({ length: 201 }, (_, Omsetning) => ({ AvdelingID: '20', Omsetning })))
    const keys = (await revenueClient.idsWhere('true')).toSorted((one, other) => one - other)
    const [first = 0, second] = keys
    // Only this one has an entry before its last.
    await revenueClient.update({ InntektsPlanId: second, Omsetning: 7 })
    const { records, hasMore, log } = await ids()
    expect(records.map(({ id }: { id: number }) => id)).toEqual(keys.slice(0, 200))
    expect(hasMore).toBe(true)
    expect(log.map(({ revenueId }: { revenueId: number }) => revenueId)).toEqual([
      second,
      ...keys.slice(2).toReversed(),
    ])
    await revenueClient.delete(first)
    const rest = await ids()
    expect(rest.records.map(({ id }: { id: number }) => id)).toEqual(keys.slice(1))
    expect(rest.hasMore).toBe(false)
    expect(rest.log[0]).toMatchObject({ revenueId: first, action: 'slett' })
  })

  test('the work lists name who last sent an unknown code', async () => {
    const { revenueClient, session } = await open()
    await fillDirectory(server, revenueClient.company, { departments: [{ id: '20' }, { id: '10' }] })
    await write(revenueClient, [
      ['2026-11-10', 'UKJENT', 5],
      ['2026-11-12', 'UKJENT', 7],
    ])
    const { json } = await session.get('/app/data/omsetning/rydde')
    expect(json.unknown).toMatchObject([
      {
        departmentId: 'UKJENT',
        records: 2,
        amount: 120_000,
        first: '2026-11-10',
        last: '2026-11-12',
        actor: expect.stringMatching(/^key:/),
      },
    ])
  })

  test('a duplicate record is deleted as it was displayed, and the next of its cell leads', async () => {
    const { revenueClient, session } = await open()
    await write(revenueClient, [
      ['2026-11-10', '20', 5],
      ['2026-11-10', '20', 7],
    ])
    const seen = async () => (await session.get(cell, { date: '2026-11-10', department: '20' })).json.records
    const [first, second] = await seen()
    const remove = (one: { id: number; changedAt: number }) =>
      session.send('POST', '/app/data/omsetning/slett', { id: String(one.id), before: String(one.changedAt) })
    expectError(await remove({ ...first, changedAt: first.changedAt - 1 }), 412, 'ConcurrentModification')
    expect(await seen()).toHaveLength(2)
    expect((await remove(first)).status).toBe(200)
    expect(await seen()).toMatchObject([{ id: second.id, cellRank: 0, amount: 70_000 }])
    expect((await remove(first)).json.error.code).toBe('NotFound')
  })

  test('the records of a code are moved to a department, on these dates alone', async () => {
    const { revenueClient, session } = await open()
    await fillDirectory(server, revenueClient.company, { departments: [{ id: '20' }, { id: '10' }] })
    await write(revenueClient, [
      ['2026-11-10', 'X', 5],
      ['2026-11-11', 'X', 6],
      ['2026-11-12', 'X', 7],
      ['2026-11-11', '20', 1],
    ])
    const move = (fields: object) =>
      session.send('POST', '/app/data/omsetning/flytt', {
        from: 'X',
        to: '20',
        first: '2026-11-10',
        last: '2026-11-11',
        ...fields,
      })
    for (const [fields, code] of [
      [{ to: 'Y' }, 'InvalidValue'],
      [{ to: '' }, 'MissingField'],
      [{ first: 'i går' }, 'InvalidDate'],
    ] as const)
      expect((await move(fields)).json.error.code).toBe(code)
    expect((await move({})).json).toEqual({ moved: 2 })
    const { json } = await session.get(sums, { from: '2026-11-10', to: '2026-11-12', per: 'day' })
    expect(json.sums.map(({ date, departmentId, amount }: Sum) => [date, departmentId, amount])).toEqual([
      ['2026-11-10', '20', 50_000],
      ['2026-11-11', '20', 70_000],
      ['2026-11-12', 'X', 70_000],
    ])
  })

  test('an approver of some departments cleans up those alone', async () => {
    const { revenueClient, session } = await open(['20'])
    await fillDirectory(server, revenueClient.company, { departments: [{ id: '20' }, { id: '10' }] })
    await write(revenueClient, [['2026-11-10', '10', 5]])
    const [record] = (await session.get(cell, { date: '2026-11-10', department: '10' })).json.records
    const days = { first: '2026-11-10', last: '2026-11-10' }
    for (const [path, fields] of [
      ['slett', { id: String(record.id), before: String(record.changedAt) }],
      ['flytt', { from: '10', to: '20', ...days }],
      ['flytt', { from: '20', to: '10', ...days }],
    ] as const) {
      const reply = await session.send('POST', `/app/data/omsetning/${path}`, fields)
      expect(reply.json.error.code).toBe('RoleMissing')
    }
    const { json } = await session.get(cell, { date: '2026-11-10', department: '10' })
    expect(json.records).toEqual([record])
  })
})
