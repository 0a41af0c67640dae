// ADR 0015: concurrent polling; cheap reads run at once, all others wait in a queue of their company.
import { Agent, get, type ClientRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { requestTimeLimits } from '../../src/store/time-limits.ts'
import { openSessionAs } from '../app/session-client.ts'
import { databases } from '../support/databases.ts'
import type { MaterialClient } from '../support/material-client.ts'
import { day, days, departments, insertPolledData, literal } from '../support/polled-data.ts'
import { addressOf, type Options, type RevenueClient } from '../support/revenue-client.ts'
import { useTestServer, type TestServer } from '../support/server.ts'

const callers = 64
const waiting = 1400
const finn = '/dev/Omsetning/Finn'
const set = '/omsetning/Omsetning'

/** The writer connection, and the reader connection that all cheap reads share. */
const connectionsAtRest = 2

describe.each(databases)('many callers on $name', (database) => {
  const server = useTestServer(database, 'polls')
  let revenueClient: RevenueClient
  let materialClient: MaterialClient
  let origin: string
  let lastStamp: string
  const agent = new Agent({ keepAlive: true, maxSockets: callers })

  beforeAll(async () => {
    const data = await insertPolledData(server, waiting)
    revenueClient = data.revenueClient
    materialClient = data.materialClient
    lastStamp = data.lastStamp
    origin = await server.http.listen(0, '127.0.0.1')
  })
  afterAll(() => {
    agent.destroy()
  })

  const send = (address: string, key: string) =>
    new Promise<{ status: number; text: string }>((resolve, reject) => {
      get(`${origin}${address}`, { agent, headers: { 'tb-key': key } }, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (part: string) => (text += part))
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, text }))
      }).on('error', reject)
    })

  /** The replies to that many concurrent callers, all equal. */
  const poll = async (path: string, query: Options, key = revenueClient.company.key) => {
    const address = addressOf(path, query)
    const replies = await Promise.all(Array.from({ length: callers }, () => send(address, key)))
    expect([...new Set(replies.map(({ status }) => status))], replies[0]?.text.slice(0, 500)).toEqual([200])
    const read = JSON.parse(replies[0]?.text ?? '')
    return Array.isArray(read) ? read : read.value
  }

  test.each<[name: string, path: string, query: () => Options, count: number]>([
    ['dates from a minimum', finn, () => ({ $filter: `Dato ge ${literal(days - 4)}` }), 400],
    ['dates from a minimum, by date', finn, () => ({ $filter: `Dato ge ${literal(days - 4)}`, $orderby: 'Dato' }), 400],
    [
      'a range of dates, by date',
      finn,
      () => ({ $filter: `Dato ge ${literal(5)} and Dato lt ${literal(7)}`, $orderby: 'Dato' }),
      200,
    ],
    [
      'a page of many dates, by date',
      finn,
      () => ({ $filter: `Dato ge ${literal(5)}`, $orderby: 'Dato', $top: '100' }),
      100,
    ],
    [
      'a page of many dates, by date and department',
      finn,
      () => ({ $filter: `Dato ge ${literal(5)}`, $orderby: 'Dato,AvdelingID', $top: '100' }),
      100,
    ],
    [
      'a page of employees with their departments',
      '/ansatt/Ansatt',
      () => ({ $filter: 'Id ge 5', $orderby: 'Id', $top: '100', $expand: 'Avdeling' }),
      100,
    ],
    [
      'a range of dates with their departments',
      set,
      () => ({ $filter: `Dato ge ${day(5)} and Dato lt ${day(7)}`, $orderby: 'Dato', $expand: 'Avdeling' }),
      200,
    ],
    [
      'dates from a minimum, with a total and another condition',
      set,
      () => ({ $filter: `Dato ge ${day(days - 4)} and Omsetning ge 0`, $count: 'true' }),
      400,
    ],
    ['changed records', finn, () => ({ $filter: `SistEndretDato gt ${lastStamp}` }), 300],
    ['keys from a minimum', finn, () => ({ $filter: `InntektsPlanId ge ${days * departments * 2 - 99}` }), 100],
    [
      'the revenue log of a cell',
      '/omsetning/OmsetningLogg',
      () => ({ $filter: `Dato eq ${day(5)} and AvdelingID eq '20' and ipType eq 'I'` }),
      1,
    ],
  ])('%s: all callers get a reply, and no worker process is started', async (_, path, query, count) => {
    expect(await poll(path, query())).toHaveLength(count)
    if (database.name === 'SQLite') expect(server.store.load().connectionsOpen).toBe(connectionsAtRest)
  })

  test('a $batch of cheap reads starts no worker process', async () => {
    const url = addressOf('Omsetning', { $filter: `Dato ge ${day(5)} and Dato lt ${day(7)}`, $orderby: 'Dato' })
    const requests = Array.from({ length: 5 }, (_, at) => ({ id: String(at), method: 'GET', url }))
    const reply = await revenueClient.call('POST', '/odata/$batch', { json: { requests } })
    expect(reply.json.responses.map(({ status }: { status: number }) => status)).toEqual(requests.map(() => 200))
    if (database.name === 'SQLite') expect(server.store.load().connectionsOpen).toBe(connectionsAtRest)
  })

  test('pages limited by a bound on the key return all records, and start no worker process', async () => {
    const headers = { Prefer: 'odata.maxpagesize=90' }
    const ids: number[] = []
    const $filter = `InntektsPlanId gt ${days * departments * 2 - 1000}`
    let address: string | undefined = addressOf(set, { $filter, $select: 'InntektsPlanId' })
    while (address !== undefined) {
      const reply = await revenueClient.call('GET', address, { headers })
      expect(reply.status).toBe(200)
      ids.push(...reply.json.value.map((one: { InntektsPlanId: number }) => one.InntektsPlanId))
      address = reply.json['@odata.nextLink']?.replace('http://localhost', '')
    }
    expect(new Set(ids).size).toBe(1000)
    expect(ids).toHaveLength(1000)
    if (database.name === 'SQLite') expect(server.store.load().connectionsOpen).toBe(connectionsAtRest)
  })

  test('the export list: all callers get a reply, and no worker process is started', async () => {
    const lines = await poll('/prosjekt/TransaksjonsEksport', { $select: 'Id,Antall' }, materialClient.company.key)
    expect(lines).toHaveLength(waiting)
    if (database.name !== 'SQLite') return
    const { connectionsOpen, connectionsIdle } = server.store.load()
    // Longer replies are streams, of which eight run at once.
    expect(connectionsOpen - connectionsAtRest).toBeLessThanOrEqual(8)
    expect(connectionsIdle).toBe(connectionsOpen - connectionsAtRest)
  })

  test.each([
    ['one department', { $filter: "AvdelingID eq '20'" }, days * 2],
    ['one department, the latest first', { $filter: "AvdelingID eq '20'", $orderby: 'Dato desc' }, days * 2],
    [
      'one department in a range of dates',
      { $filter: `AvdelingID eq '20' and Dato ge ${literal(5)} and Dato lt ${literal(15)}` },
      20,
    ],
    ['recently created records', { $filter: 'OpprettetDato ge 2100-01-01T00:00:00Z' }, 0],
  ])('%s: all callers get a reply, in turn', async (_, query, count) => {
    const found = await poll(finn, query)
    expect(found).toHaveLength(count)
    expect(await revenueClient.records(query)).toEqual(found)
  })

  test('changes among more than 10,000 superseded ones are read by a worker process', async () => {
    const rows = Array.from({ length: 10_001 }, (_, Omsetning) => ({ Dato: day(3), AvdelingID: '7', Omsetning }))
    expect((await revenueClient.setPerDate(rows)).status).toBe(200)
    const query = { $filter: `SistEndretDato gt ${lastStamp}`, $orderby: 'SistEndretDato' }
    const busy = () => server.store.load().connectionsOpen - connectionsAtRest
    const before = busy()
    expect(await revenueClient.records({ ...query, $top: '300' })).toHaveLength(300)
    expect(busy()).toBe(before)
    const found = await revenueClient.records({ ...query, $top: '400' })
    expect(found).toHaveLength(301)
    expect(found.at(-1)).toMatchObject({ AvdelingID: '7', Omsetning: 10_000 })
    if (database.name === 'SQLite') expect(busy()).toBeGreaterThan(0)
  })

  test('a health check needs no connection that reads and writes use', async () => {
    const ended = Promise.withResolvers<void>()
    const writes = Array.from({ length: 16 }, () => server.store.inSystemTransaction(() => ended.promise))
    expect((await server.call('GET', '/readyz', { as: null })).status).toBe(200)
    ended.resolve()
    await Promise.all(writes)
  })

  describe('callers of expensive reads', () => {
    /**
     * A name that no four colleagues have together: the search compares all of them, whatever the database knows of the
     * table, and takes longer than any caller waits.
     */
    const costly = addressOf('/odata/Ansatt', {
      $filter:
        "Avdeling/Ansatte/any(a:a/Avdeling/Ansatte/any(b:b/Avdeling/Ansatte/any(c:concat(concat(c/Fornavn,b/Fornavn),concat(a/Fornavn,Fornavn)) eq 'Ingen')))",
    })

    /** So long that no read reaches its timeout. */
    const timeLimits = { ...requestTimeLimits, readMs: 120_000 }
    let patient: TestServer
    let patientOrigin: string
    beforeEach(async () => {
      patient = await server.secondInstance({ timeLimits })
      patientOrigin = await patient.http.listen(0, '127.0.0.1')
    })
    afterEach(() => patient.close())

    const open = (address: string): ClientRequest =>
      get(`${patientOrigin}${address}`, { agent: false, headers: { 'tb-key': revenueClient.company.key } }).on(
        'error',
        () => undefined,
      )
    const load = () => patient.store.load()
    const inUse = () => load().connectionsOpen - load().connectionsIdle
    const inUseAtRest = database.name === 'SQLite' ? connectionsAtRest : 0
    /** How many of the four slots for expensive reads one company may use, while no other has requests. */
    const runningMax = 3

    test('that disconnect leave the queue, and their running reads are cancelled', async () => {
      const reading = Array.from({ length: runningMax }, () => open(costly))
      await expect.poll(inUse, { timeout: 30_000 }).toBe(inUseAtRest + runningMax)
      const others = Array.from({ length: 20 }, () => open(costly))
      await expect.poll(() => load().connectionsAwaited, { timeout: 30_000 }).toBe(20)
      for (const one of others) one.destroy()
      await expect.poll(() => load().connectionsAwaited, { timeout: 30_000 }).toBe(0)
      for (const one of reading) one.destroy()
      await expect.poll(inUse, { timeout: 30_000 }).toBe(inUseAtRest)
      const few = addressOf(finn, { $filter: "AvdelingID eq '20'", $top: '3' })
      expect((await patient.call('GET', few, { as: revenueClient.company })).json).toHaveLength(3)
    })

    test('that disconnect while the store is being closed do not keep it open', async () => {
      // It may record the use of the key after that.
      const { http, store } = await server.secondInstance({ timeLimits, print: () => undefined })
      const headers = { 'tb-key': revenueClient.company.key }
      const reading = get(`${await http.listen(0, '127.0.0.1')}${costly}`, { agent: false, headers })
      reading.on('error', () => undefined)
      const running = () => store.load().connectionsOpen - store.load().connectionsIdle
      await expect.poll(running, { timeout: 30_000 }).toBe(inUseAtRest + 1)
      const closed = store.close()
      reading.destroy()
      await closed
      await http.stop()
    })

    test('of one company use a part of the slots, and delay no other company, cheap read, write or health check', async () => {
      const reading = Array.from({ length: 36 }, () => open(costly))
      const waitingReads = reading.length - runningMax
      await expect.poll(() => load().connectionsAwaited, { timeout: 30_000 }).toBe(waitingReads)
      const as = server.tenantB
      const json = { Dato: day(1), AvdelingID: '20', Omsetning: 1 }
      const replies = [
        await patient.call('GET', costly, { as }),
        await patient.call('POST', '/dev/Omsetning/Lagre', { as, json }),
        await patient.call('GET', addressOf(finn, { $filter: 'InntektsPlanId ge 1' }), { as }),
        await patient.call('GET', '/readyz', { as: null }),
      ]
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      // None of the reads before them has ended.
      expect(load().connectionsAwaited).toBe(waitingReads)
      for (const one of reading) one.destroy()
      await expect.poll(inUse, { timeout: 30_000 }).toBe(inUseAtRest)
    })

    // On SQLite they need a slot if the file is large.
    test.runIf(database.name === 'PostgreSQL')(
      'of one company use the same slots as its reports in the browser app',
      async () => {
        const session = await openSessionAs(patient, revenueClient.company, 'viewer')
        const reading = Array.from({ length: runningMax }, () => open(costly))
        await expect.poll(inUse, { timeout: 30_000 }).toBe(inUseAtRest + runningMax)
        const report = session.get('/app/data/omsetning/oversikt')
        await expect.poll(() => load().connectionsAwaited, { timeout: 30_000 }).toBe(1)
        for (const one of reading) one.destroy()
        expect((await report).status).toBe(200)
      },
    )
  })
})
