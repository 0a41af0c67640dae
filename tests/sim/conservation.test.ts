// ADR 0004: concurrently added amounts sum up exactly, to the last of four decimals.
// DAGSVERK_TEST_AMOUNTS=100000 sets the number of amounts per database.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient } from './client.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { useServerCluster, type ServerCluster } from './server-cluster.ts'

const amounts = Number(process.env['DAGSVERK_TEST_AMOUNTS'] ?? 3000)
const callers = 32
const departments = 5

describe.each(databases)('amounts added by 32 concurrent callers on $name', (database) => {
  const servers = database.name === 'PostgreSQL' ? 2 : 1
  const cluster = useServerCluster(database, 'conservation')

  test(
    'sum up exactly, and an addition beyond the maximum is rejected and not applied',
    async () => {
      const { stored, expected } = await addMany(cluster, { servers, amounts })
      expect(stored).toEqual(expected)
    },
    60_000 + amounts * 10,
  )

  test('the test detects a server that reads the total before it has the lock', async () => {
    const options = { servers, amounts: 600, injectedBug: 'stale-reads' }
    const { stored, expected } = await addMany(cluster, options)
    expect(stored).not.toEqual(expected)
  })
})

interface Options {
  readonly servers: number
  readonly amounts: number
  readonly injectedBug?: string
}

/** The totals of the departments in ten-thousandths: as stored, and as expected. */
async function addMany(cluster: ServerCluster, { servers, amounts, injectedBug }: Options) {
  const random = seededRandom()
  const running = await Promise.all(Array.from({ length: servers }, () => cluster.start(injectedBug)))
  const date = injectedBug === undefined ? '2024-05-01' : '2024-05-02'
  const expected = Array.from({ length: departments }, () => 0n)
  const clients = Array.from({ length: callers }, (_, caller) =>
    openSimClient(cluster.key, () => running[caller % servers]?.address ?? ''),
  )
  let left = amounts
  await Promise.all(
    clients.map(async (client) => {
      while (left > 0) {
        const rows = Array.from({ length: 1 + random.below(4) }, () => ({
          department: random.below(departments),
          units: randomUnits(random),
        }))
        left -= rows.length
        const json = rows.map(({ department, units }, index) => ({
          Dato: date,
          AvdelingID: `D${department}`,
          // Every other amount is sent as a string, with all its digits.
          Omsetning: index % 2 === 0 ? decimalText(units) : Number(decimalText(units)),
        }))
        const reply = await client.call('POST', '/dev/Omsetning/AggsertOmsetning', { json })
        if (reply.effect === 'ok') for (const { department, units } of rows) expected[department]! += units
        else if (injectedBug === undefined) expect(reply.text).toContain('"code":"NumberOutOfRange"')
      }
    }),
  )
  const records = (await clients[0]?.read('/dev/Omsetning/Finn', { $filter: `Dato eq ${date}` })) ?? []
  const stored = Array.from({ length: departments }, (_, department) =>
    unitsOf(records.find(({ AvdelingID }) => AvdelingID === `D${department}`)?.Omsetning ?? 0),
  )
  return { stored, expected }
}

/** Mostly typical amounts, sometimes the maximum. */
function randomUnits(random: SeededRandom): bigint {
  const sign = random.below(2) === 0 ? 1n : -1n
  const whole = random.below(20) === 0 ? random.below(100_000_000_000) : random.below(100_000)
  return sign * (BigInt(whole) * 10_000n + BigInt(random.below(10_000)))
}

function decimalText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(5, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -4)}.${digits.slice(-4)}`
}

/** An amount in a reply has at most 15 digits, which a number represents exactly. */
function unitsOf(amount: number): bigint {
  return BigInt(amount.toFixed(4).replace('.', ''))
}
