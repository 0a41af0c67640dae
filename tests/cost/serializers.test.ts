// Serializers, without a clock: the members of a record are prepared once for each kind of request.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { addressOf, newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { useTestServer } from '../support/server.ts'
import { observeCalls } from '../support/statement-recorder.ts'

const date = '2031-05-01'

/** Requests of a kind differ in their values only. */
const requests: readonly ((client: RevenueClient, at: number) => Promise<{ readonly status: number }>)[] = [
  (client, at) => client.setPerDate([{ Dato: date, AvdelingID: `${at}`, Omsetning: at }]),
  (client, at) => client.accumulate({ Dato: date, AvdelingID: `${at}`, Omsetning: 1 }),
  (client, at) => client.find({ $filter: `Dato eq datetime('${date}') and AvdelingID eq '${at}'` }),
  (client, at) => client.call('GET', addressOf('/odata/Omsetning', { $filter: `AvdelingID eq '${at}'`, $top: '5' })),
]

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'cost-serializers')

  test.each([...requests.keys()])(
    'replies after the first two to request %i prepare no member of a record',
    async (kind) => {
      const client = await newRevenueClient(server)
      const sendEach = async (from: number, to: number) => {
        for (let at = from; at < to; at++) expect((await requests[kind]?.(client, at))?.status).toBe(200)
      }
      // The first plan of a shape is not yet a cached one.
      await sendEach(0, 2)
      expect(await countNames(() => sendEach(2, 20))).toBe(0)
    },
  )

  test('a serializer or template writes the names of its members as JSON', async () => {
    const client = await newRevenueClient(server)
    // No request had this selection.
    const address = addressOf('/odata/Omsetning', { $select: 'InntektsPlanId,Merknad', $top: '3' })
    expect(await countNames(() => client.call('GET', address))).toBeGreaterThan(0)
  })
})

/** How often the name of a field of revenue alone is written as JSON. */
async function countNames(work: () => Promise<unknown>): Promise<number> {
  let names = 0
  const restore = observeCalls(JSON, 'stringify', (_, [value]) => {
    if (value === 'InntektsPlanId') names += 1
  })
  try {
    await work()
  } finally {
    restore()
  }
  return names
}
