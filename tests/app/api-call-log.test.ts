// The API call log: the last success and the last errors of each key, searchable by request id.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSession, openSessionAs, useSession } from './session-client.ts'

const at = '/app/data/administrasjon'
const minute = 60_000_000

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-calls')
  const clock = useClock(server)
  const { company, user: kari, session: admin } = useSession(server, 'admin')

  const find = (filter = '', headers: Readonly<Record<string, string>> = {}) =>
    server.call('GET', `/dev/Omsetning/Finn${filter}`, { as: company, headers })
  const key = async () => {
    await server.apiCallLog.flush()
    const { credentials } = (await admin.get(at)).json
    return credentials.find(({ kind }: { kind: string }) => kind === 'key')
  }
  const calls = async (query: Readonly<Record<string, string>> = {}) => {
    await server.apiCallLog.flush()
    return (await admin.get(`${at}/kall`, query)).json.rows
  }

  test('a key has the time of its last success, and its errors in the language of the reader', async () => {
    expect(await key()).toMatchObject({ succeededAt: null, lastRejectedCall: null })
    await find()
    const first = clock.now
    expect(await key()).toMatchObject({ succeededAt: first, lastRejectedCall: null })
    clock.now += minute
    await find('?$filter=AvdelingsID%20eq%20%2720%27')
    expect(await key()).toMatchObject({
      succeededAt: first,
      lastRejectedCall: {
        at: clock.now,
        code: 'UnknownProperty',
        status: 400,
        text: expect.stringContaining('AvdelingsID'),
      },
    })
    const nb = await server.call('GET', at, { as: null, headers: { cookie: admin.cookie, 'accept-language': 'nb' } })
    const [rejected] = nb.json.credentials.flatMap(
      ({ lastRejectedCall }: { lastRejectedCall: unknown }) => lastRejectedCall ?? [],
    )
    expect(rejected.text).toMatch(/Mente du/)
  })

  test('a rejected list names its first invalid row', async () => {
    await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', {
      as: company,
      json: [{ Dato: '2026-05-01', AvdelingID: '20', Omsetning: 'mye' }],
    })
    expect((await key()).lastRejectedCall).toMatchObject({
      code: 'InvalidRows',
      text: expect.stringContaining('[0].Omsetning: '),
    })
  })

  test('an error is found by its request id; the log lists the latest first, page by page', async () => {
    for (const id of ['en', 'to', 'tre']) {
      clock.now += 1000
      await find('?$top=-1', { 'x-request-id': `kasse-${id}` })
    }
    expect(await calls({ id: 'kasse-to' })).toMatchObject([
      {
        requestId: 'kasse-to',
        method: 'GET',
        route: '/dev/Omsetning/Finn',
        status: 400,
        code: 'InvalidTop',
        credential: { name: 'key' },
      },
    ])
    const all = await calls()
    expect(all.map(({ requestId }: { requestId: string }) => requestId)).toEqual(['kasse-tre', 'kasse-to', 'kasse-en'])
    const older = await calls({ before: String(all[1].at) })
    expect(older.map(({ requestId }: { requestId: string }) => requestId)).toEqual(['kasse-en'])
    expect(await calls({ id: 'ingen' })).toEqual([])
    expect((await admin.get(`${at}/kall`, { before: '-1' })).status).toBe(400)
  })

  test('the log contains no secret, and no URL with one', async () => {
    await server.call('GET', `/dev/Omsetning/Finn?$top=-1&key=${company.key}`, { as: null })
    const log = JSON.stringify(await calls())
    expect(log).toContain('InvalidTop')
    expect(log).not.toContain(company.key)
    expect(log).not.toContain(company.key.slice(18, 40))
  })

  test('a program in a loop does not fill the log, and old entries are deleted', async () => {
    for (let time = 0; time < 30; time++) {
      clock.now += 1
      await find('?$top=-1')
    }
    expect(await calls()).toHaveLength(20)
    clock.now += 30 * 24 * 60 * minute
    await server.apiCallLog.deleteExpired()
    Object.assign(admin, await openSession(server, kari))
    expect(await calls()).toEqual([])
  })

  test("another company's calls are hidden, and calls of the app are not logged", async () => {
    await server.call('GET', '/dev/Omsetning/Finn?$top=-1', {
      as: server.tenantB,
      headers: { 'x-request-id': 'deres' },
    })
    await admin.get(`${at}/kall`, { before: 'x' })
    expect(await calls()).toEqual([])
    expect(await calls({ id: 'deres' })).toEqual([])
    const viewer = await openSessionAs(server, company, 'auditor')
    expect((await viewer.get(`${at}/kall`)).status).toBe(403)
  })

  test('a success is written at most once a minute', async () => {
    await find()
    await server.apiCallLog.flush()
    const first = clock.now
    clock.now += minute - 1
    await find()
    expect((await key()).succeededAt).toBe(first)
    clock.now += 1
    expect((await key()).succeededAt).toBe(clock.now - 1)
  })
})
