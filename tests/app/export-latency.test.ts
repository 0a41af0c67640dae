// Export latency: the time from approval to retrieval and acknowledgement, by day and week.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { expectStatus } from '../support/replies.ts'
import { useClock, useTestServer, type TestUser } from '../support/server.ts'
import { openSession } from './session-client.ts'

const at = '/app/data/eksport/ventetid'
const hour = 60 * 60_000_000

interface Latency {
  readonly count: number
  readonly median: number | null
  readonly longest: number | null
}

interface Period {
  readonly start: string
  readonly count: number
  readonly retrieved: Latency
  readonly exported: Latency
  readonly notRetrieved: number
  readonly waiting: number
  readonly longestWaiting: number
}

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-export-latency')
  // A Monday noon in Oslo.
  const clock = useClock(server, Date.parse('2026-11-02T12:00:00+01:00') * 1000)
  const materialClient = useMaterialClient(server)
  let viewer: TestUser
  beforeEach(async () => {
    viewer = await server.addUser([{ company: materialClient.company, role: 'viewer' }])
  })

  const after = (hours: number) => (clock.now += hours * hour)

  const approve = async (count: number) => {
    const ids = await materialClient.register(count)
    await materialClient.approve(...ids)
    return ids
  }

  /** Signs in again each time: a session ends before the waiting time does. */
  const answerTo = async (query: Readonly<Record<string, string>>) =>
    (await openSession(server, viewer)).get(at, { from: '2026-11-02', to: '2026-11-08', ...query })

  const ask = async (query: Readonly<Record<string, string>> = {}) => (await expectStatus(answerTo(query))).json

  /** The clock advances by microseconds within a transaction. */
  const hours = (latency: number | null) => (latency === null ? null : Math.round(latency / hour))

  const inHours = (latency: Latency) => [latency.count, hours(latency.median), hours(latency.longest)]

  test('each day has the median and the maximum waiting time of its lines, and what is still waiting', async () => {
    const [first = 0, second = 0, third = 0] = await approve(3)
    after(1)
    await materialClient.exportList({ $filter: `Id le ${second}` })
    after(2)
    await materialClient.acknowledge({ ids: [first] })
    after(3)
    await materialClient.exportList()
    after(4)
    await materialClient.acknowledge({ ids: [third] })
    after(20)
    await approve(2)
    after(5)
    const { periods, all, since } = await ask()
    expect(since).toBe('2026-11-02')
    expect(
      periods.map(({ start, count, retrieved, exported, notRetrieved, waiting, longestWaiting }: Period) => [
        start,
        count,
        inHours(retrieved),
        inHours(exported),
        [notRetrieved, waiting, hours(longestWaiting)],
      ]),
    ).toEqual([
      ['2026-11-02', 3, [3, 1, 6], [2, 3, 10], [0, 1, 35]],
      ['2026-11-03', 2, [0, null, null], [0, null, null], [2, 2, 5]],
    ])
    expect([all.count, inHours(all.retrieved), inHours(all.exported)]).toEqual([5, [3, 1, 6], [2, 3, 10]])
  })

  test("weeks begin on Monday in the company's time zone, and contain their days", async () => {
    clock.now = Date.parse('2026-11-01T23:30:00+01:00') * 1000
    await approve(1)
    after(1)
    await approve(2)
    after(100)
    await approve(3)
    const counts = async (query: Readonly<Record<string, string>>) =>
      (await ask(query)).periods.map(({ start, count }: Period) => [start, count])
    expect(await counts({ per: 'week', from: '2026-11-01' })).toEqual([
      ['2026-10-26', 1],
      ['2026-11-02', 5],
    ])
    expect(await counts({})).toEqual([
      ['2026-11-02', 2],
      ['2026-11-06', 3],
    ])
    expect(await counts({ from: '2026-11-03' })).toEqual([['2026-11-06', 3]])
  })

  test('an undone line waits again, and a line handled elsewhere is not counted', async () => {
    const [first = 0, second = 0, third = 0] = await approve(3)
    after(1)
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [first] })
    after(2)
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [first], grunn: 'prøve' })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', { ids: [second], grunn: 'prøve' })
    await materialClient.post(`/prosjekt/Transaksjon(${third})/TrekkGodkjenning`)
    after(3)
    const { periods } = await ask()
    expect(periods).toMatchObject([
      { count: 1, retrieved: { count: 0 }, exported: { count: 0 }, notRetrieved: 1, waiting: 1 },
    ])
    expect(hours(periods[0].longestWaiting)).toBe(3)
  })

  test('another destination and another company are not included', async () => {
    await approve(1)
    expect((await ask({ destination: '2' })).periods).toEqual([])
    const elsewhere = await newMaterialClient(server)
    viewer = await server.addUser([{ company: elsewhere.company, role: 'viewer' }])
    expect((await ask()).periods).toEqual([])
  })

  test.each([
    [{ per: 'month' }, 'per'],
    [{ destination: 'x' }, 'destination'],
    [{ from: '2026-13-01' }, 'from'],
    [{ to: '' }, 'to'],
  ])('%j is rejected at its position', async (query, target) => {
    const reply = await answerTo(query)
    expect([reply.status, reply.json.error.target]).toEqual([400, target])
  })
})
