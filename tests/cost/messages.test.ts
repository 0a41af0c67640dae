// Messages to PostgreSQL: to send one, and to wake a process of the database, costs more than a short statement.
import { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

const clients = 16
/** The reads of 16 clients arrive in a few turns. */
const messagesOfReadsMax = clients / 2
/** The leading record is read before it is changed; the transaction of a batch has some of its own. */
const messagesOfUpsertsMax = 2.5 * clients + 12

describe.each(databases.slice(1))('on $name', (database) => {
  const server = useTestServer(database, 'cost-messages')
  const messages = useMessageCount(() => Number(new URL(server.url).port))

  const upsertAll = (amount: number) =>
    Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const row = { Dato: '2026-05-01', AvdelingID: String(index), Omsetning: amount }
        const path = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'
        const { status, text } = await server.call('POST', path, { json: [row] })
        expect(status, text).toBe(200)
      }),
    )
  const readAll = () =>
    Promise.all(
      Array.from({ length: clients }, async (_, index) => {
        const filter = encodeURIComponent(`Dato eq 2026-05-01 and AvdelingID eq '${index}'`)
        const { status, json } = await server.call('GET', `/dev/Omsetning/Finn?$filter=${filter}`)
        expect(status).toBe(200)
        expect(json).toHaveLength(1)
        expect(json[0].AvdelingID).toBe(String(index))
      }),
    )

  beforeEach(async () => {
    // The use of a credential is stored once a minute, in a transaction of its own.
    const now = server.clock.now()
    server.clock.now = () => now
    await upsertAll(1)
    await readAll()
  })

  test('reads of one company that arrive together share messages', async () => {
    const before = messages()
    await readAll()
    expect(messages() - before).toBeLessThanOrEqual(messagesOfReadsMax)
  })

  test('an upsert reads in one message, and writes in another', async () => {
    const before = messages()
    await upsertAll(2)
    expect(messages() - before).toBeLessThanOrEqual(messagesOfUpsertsMax)
  })
})

/** Counts what sockets to a port send. */
function useMessageCount(port: () => number): () => number {
  const spies = () => [vi.spyOn(Socket.prototype, '_write'), vi.spyOn(Socket.prototype, '_writev')]
  beforeEach(() => void spies())
  afterEach(() => void vi.restoreAllMocks())
  return () =>
    spies().reduce(
      (sum, { mock }) =>
        sum + mock.contexts.filter((socket) => socket instanceof Socket && socket.remotePort === port()).length,
      0,
    )
}
