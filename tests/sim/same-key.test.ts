// ADR 0009: fifty equal concurrent requests on several servers are executed once.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimReply, type SimClient } from './client.ts'
import { useServerCluster } from './server-cluster.ts'

const rounds = 8
const requests = 50
const path = '/dev/Omsetning/AggsertOmsetning'

describe.each(databases)('equal concurrent requests on $name', (database) => {
  const servers = database.name === 'PostgreSQL' ? 2 : 1
  const cluster = useServerCluster(database, 'same_key')
  let clients: SimClient[]

  const startServers = async (injectedBug?: string): Promise<void> => {
    const running = await Promise.all(Array.from({ length: servers }, () => cluster.start(injectedBug)))
    clients = running.map(({ address }) => openSimClient(cluster.key, () => address))
  }

  const sendAll = (department: string, make: (index: number) => object, headers = {}) =>
    Promise.all(
      Array.from({ length: requests }, async (_, index) => {
        const row = { ...cellOf(department), ...make(index) }
        const client = clients[index % servers]
        if (client === undefined) throw new Error('no server')
        return client.call('POST', path, { json: row, headers })
      }),
    )

  const totalOf = async (AvdelingID: string) => {
    const $filter = `AvdelingID eq '${AvdelingID}'`
    const [record] = (await clients[0]?.read('/dev/Omsetning/Finn', { $filter })) ?? []
    return record.Omsetning
  }

  test('with one Idempotency-Key are executed once; the others get the stored reply, or 409 while the first runs', async () => {
    await startServers()
    for (let round = 0; round < rounds; round++) {
      const headers = { 'idempotency-key': `k${round}` }
      const replies = await sendAll(`K${round}`, () => ({ Omsetning: 12.5 }), headers)
      const first = replies.filter(isFirst)
      expect(first).toHaveLength(1)
      for (const reply of replies.filter((one) => !isFirst(one))) {
        if (reply.status === 409) expect(reply.json.error.code).toBe('IdempotencyInProgress')
        else expect(reply).toMatchObject({ status: 200, text: first[0]?.text })
      }
      expect(await totalOf(`K${round}`)).toBe(12.5)
      for (const client of clients) {
        const json = { ...cellOf(`K${round}`), Omsetning: 12.5 }
        const again = await client.call('POST', path, { json, headers })
        expect(isFirst(again)).toBe(false)
        expect(again.text).toBe(first[0]?.text)
      }
    }
  })

  test('with one Idempotency-Key and different contents are rejected except one', async () => {
    await startServers()
    const headers = { 'idempotency-key': 'contested' }
    const replies = await sendAll('ULIKE', (index) => ({ Omsetning: index + 1 }), headers)
    const done = replies.filter(({ status }) => status === 200)
    expect(done).toHaveLength(1)
    for (const { status } of replies) expect([200, 409, 422]).toContain(status)
    expect(await totalOf('ULIKE')).toBe(done[0]?.json.Omsetning)
  })

  test('with one Referanse are added once, and every reply shows the one total', async () => {
    await startServers()
    for (let round = 0; round < rounds; round++) {
      const row = { Omsetning: 7.25, Referanse: 'bong 1' }
      const replies = await sendAll(`R${round}`, () => row)
      expect(replies.map(({ json }) => json.Omsetning)).toEqual(replies.map(() => 7.25))
      expect(replies.filter(({ headers }) => headers['x-added'] === '1 of 1')).toHaveLength(1)
    }
  })

  test('the test detects a server that looks up the key before it has the lock', async () => {
    await startServers('stale-reads')
    const departments = Array.from({ length: rounds }, (_, round) => `P${round}`)
    for (const department of departments) {
      const row = { Omsetning: 1, Referanse: 'bong 1' }
      const replies = await sendAll(department, () => row)
      const wellDone = replies.filter(({ headers }) => headers['x-added'] === '1 of 1')
      if (wellDone.length !== 1 || replies.some(({ status }) => status !== 200)) return
    }
    expect.unreachable('the planted bug was not caught')
  })
})

function cellOf(AvdelingID: string) {
  return { Dato: '2024-05-01', AvdelingID }
}

function isFirst({ status, headers }: SimReply): boolean {
  return status === 200 && headers['idempotency-replayed'] === undefined
}
