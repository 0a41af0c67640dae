// ADR 0012: a long reply is streamed in chunks, and is one snapshot of the database.
import { get, type IncomingMessage } from 'node:http'
import { beforeAll, describe, expect, test } from 'vitest'
import { requestTimeLimits } from '../../src/store/time-limits.ts'
import { databases } from '../support/databases.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer } from '../support/server.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { members, readXml } from '../support/xml.ts'

const rowsCount = 6500
const finn = '/dev/Omsetning/Finn'

/** How many of the eight stream slots one company may use. */
const slotsOfCompany = 6

interface Found {
  readonly InntektsPlanId: number
  readonly AvdelingID: string
  readonly Omsetning: number
}

describe.each(databases)('streamed replies on $name', (database) => {
  const server = useTestServer(database, 'streams')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
    const rows = Array.from({ length: rowsCount }, (_, index) => ({
      Dato: `2024-${String(1 + (index % 12)).padStart(2, '0')}-01`,
      AvdelingID: `${index % 997}`,
      Omsetning: 1000,
      Merknad: index % 10 === 0 ? `bølge ${index} 😀` : null,
    }))
    expect((await revenueClient.saveList(rows)).status).toBe(200)
  })

  const all = Array.from({ length: rowsCount }, (_, index) => index + 1)
  const keys = (records: readonly Found[]) => records.map(({ InntektsPlanId }) => InntektsPlanId)

  test('4.1 Finn without $top returns every record, in the order of the keys', async () => {
    expect(keys(await revenueClient.records())).toEqual(all)
  })

  test('4.1 returns each record once, in the requested order', async () => {
    const found: Found[] = await revenueClient.records({ $orderby: 'AvdelingID desc,InntektsPlanId desc' })
    const expected = found.toSorted((one, other) =>
      one.AvdelingID === other.AvdelingID
        ? other.InntektsPlanId - one.InntektsPlanId
        : one.AvdelingID < other.AvdelingID
          ? 1
          : -1,
    )
    expect(found).toEqual(expected)
    expect(keys(found).sort((one, other) => one - other)).toEqual(all)
  })

  test('4.1 leaves out what $skip or $filter excludes', async () => {
    expect(keys(await revenueClient.records({ $skip: '1000' }))).toEqual(all.slice(1000))
    expect(keys(await revenueClient.records({ $filter: 'InntektsPlanId gt 100' }))).toEqual(all.slice(100))
    expect(keys(await revenueClient.records({ $top: '5500', $skip: '7' }))).toEqual(all.slice(7, 5507))
    expect((await revenueClient.find({ $count: 'true' })).headers['x-total-count']).toBe(String(rowsCount))
  })

  test('4.1 returns the same in XML and in the envelope of the newer interface', async () => {
    const json: Found[] = await revenueClient.records()
    const root = readXml((await revenueClient.find({}, { accept: 'application/xml' })).text)
    expect(root.children.map((one) => Number(members(one)['InntektsPlanId']))).toEqual(all)
    const set = await revenueClient.call('GET', '/omsetning/Omsetning?$count=true')
    expect(set.json['@odata.count']).toBe(rowsCount)
    expect(recordsIn(set).map((one: Found) => ({ ...one, Dato: '' }))).toEqual(
      json.map((one) => ({ ...one, Dato: '' })),
    )
  })

  test('4.1 a page of long records is a stream once their length is known, with the same records, also as pages with a next link', async () => {
    const long = 2000
    const json = Array.from({ length: long }, (_, Omsetning) => ({
      Dato: '2024-01-01',
      AvdelingID: `${Omsetning}`,
      Omsetning,
      Merknad: 'x'.repeat(4000),
    }))
    const as = server.tenantB
    expect((await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { as, json })).status).toBe(200)
    const page = (headers = {}) => server.call('GET', `${finn}?$top=${long}`, { as, headers })
    const [whole, streamed, xml] = [await page(), await page(), await page({ accept: 'application/xml' })]
    expect([whole, streamed, xml].map((one) => one.headers['content-length'] === undefined)).toEqual([
      false,
      true,
      true,
    ])
    expect(streamed.text).toBe(whole.text)
    expect(readXml(xml.text).children).toHaveLength(long)
    const set = '/omsetning/Omsetning'
    const first = await server.call('GET', set, { as, headers: { prefer: 'maxpagesize=1500' } })
    expect(recordsIn(first)).toHaveLength(1500)
    const next = new URL(first.json['@odata.nextLink'])
    expect(recordsIn(await server.call('GET', next.pathname + next.search, { as }))).toHaveLength(500)
  })

  test('4.1 is one snapshot while another client writes', async () => {
    // Amounts move between records and pairs of records are inserted, so that every snapshot has
    // the same sum.
    const progress = { isReading: true, writes: 0 }
    const writing = (async () => {
      for (let step = 0; progress.isReading; step += 1) {
        const [from, to] = [1 + (step % 50), rowsCount - (step % 50)]
        const reply = await revenueClient.saveList([
          { InntekstplanId: from, Omsetning: 1000 - (step % 7) },
          { InntekstplanId: to, Omsetning: 1000 + (step % 7) },
          { AvdelingID: 'ny', Omsetning: 5 },
          { AvdelingID: 'ny', Omsetning: -5 },
        ])
        expect(reply.status).toBe(200)
        progress.writes += 1
      }
    })()
    let before = 0
    for (const accept of ['application/json', 'application/xml', 'application/json', 'application/xml']) {
      const reply = await revenueClient.find({}, { accept })
      const records: Found[] =
        accept === 'application/json'
          ? reply.json
          : readXml(reply.text).children.map((one) => {
              const { InntektsPlanId, Omsetning, AvdelingID } = members(one)
              return {
                InntektsPlanId: Number(InntektsPlanId),
                Omsetning: Number(Omsetning),
                AvdelingID: AvdelingID ?? '',
              }
            })
      expect(records.reduce((sum, { Omsetning }) => sum + Omsetning, 0)).toBe(rowsCount * 1000)
      expect((records.length - rowsCount) % 2).toBe(0)
      expect(records.length).toBeGreaterThanOrEqual(before)
      expect(keys(records)).toEqual(keys(records).toSorted((one, other) => one - other))
      before = records.length
    }
    progress.isReading = false
    await writing
    expect(progress.writes).toBeGreaterThan(0)
  })

  test('ADR 0012 a reader that disconnects in the middle releases its stream', async () => {
    const address = await server.http.listen(0, '127.0.0.1')
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        get(`${address}${finn}`, { headers: { 'tb-key': revenueClient.company.key }, agent: false }, resolve).on(
          'error',
          reject,
        )
      })
    // More of them than may be open at once: each must release its stream.
    for (let reader = 0; reader < 12; reader += 1) {
      const reply = await open()
      expect(reply.statusCode).toBe(200)
      reply.destroy()
      await new Promise((resolve) => reply.once('close', resolve))
    }
    await expect.poll(async () => (await revenueClient.find()).status).toBe(200)
    expect((await revenueClient.insert({ Omsetning: 1 })).status).toBe(200)
  })

  test('ADR 0012 more readers than there are streams wait in a queue', async () => {
    const replies = await Promise.all(Array.from({ length: 18 }, () => revenueClient.find()))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
    expect(server.store.load()).toMatchObject({ streamsOpen: 0, connectionsAwaited: 0 })
  })

  test('ADR 0015 a read that waits longer than the query timeout for a stream slot is 503, and one of another company finds a free slot', async () => {
    // 20 MB: more than the sockets of both sides buffer, so that a reader that reads nothing keeps
    // its stream open.
    const large = await newRevenueClient(server)
    const rows = Array.from({ length: 5000 }, () => ({ Omsetning: 1, Merknad: 'x'.repeat(4000) }))
    expect((await large.saveList(rows)).status).toBe(200)
    const short = await server.secondInstance({ timeLimits: { ...requestTimeLimits, readMs: 2000 } })
    const address = await short.http.listen(0, '127.0.0.1')
    const stalled = await Promise.all(
      Array.from(
        { length: slotsOfCompany },
        () =>
          new Promise<IncomingMessage>((resolve, reject) => {
            get(`${address}${finn}`, { headers: { 'tb-key': large.company.key }, agent: false }, resolve).on(
              'error',
              reject,
            )
          }),
      ),
    )
    expect(short.store.load().streamsOpen).toBe(slotsOfCompany)
    const [refused, other] = await Promise.all([
      short.call('GET', finn, { as: large.company }),
      short.call('GET', finn, { as: revenueClient.company }),
    ])
    expect(other.status).toBe(200)
    expect([refused.status, refused.json.error.code]).toEqual([503, 'Overloaded'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect((await short.call('GET', '/livez')).status).toBe(200)
    for (const reply of stalled) reply.destroy()
    await expect.poll(() => short.store.load().streamsOpen).toBe(0)
    expect((await short.call('GET', finn, { as: large.company })).status).toBe(200)
  })
})
