// Cost of long bodies: the bytes that are copied and written before other requests get the thread.
import { ServerResponse } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import type { HttpServer } from '../../src/http/server.ts'
import { parseRecords } from '../../src/engine/formats/read/read-records.ts'
import { revenue } from '../../src/model/revenue.ts'
import { countPerTurn } from '../support/count-per-turn.ts'
import { createPlainHttpServer } from '../support/http-server.ts'

const MiB = 1024 * 1024
const bytes = 16 * MiB
/** A quarter of it, and what a socket still delivers after a pause. */
const bytesPerTurnMax = MiB

let server: HttpServer
afterEach(() => server.stop())

test('a body of 16 MiB is received, and returned as a reply, with less than one MiB in a turn of the event loop', async () => {
  server = createPlainHttpServer({
    endpoints: [
      {
        method: 'POST',
        path: '/echo',
        bodyBytesMax: 2 * bytes,
        handle: async (request) => ({ status: 200, headers: {}, body: await request.body() }),
      },
    ],
    limits: { ...limits, publicBodyBytesMax: 2 * bytes },
  })
  const address = await server.listen(0, '127.0.0.1')
  const sent = Buffer.alloc(bytes, 'æøå ')
  const copied = countPerTurn(Buffer.prototype, 'copy', (source) => (source as Buffer).length)
  const written = countPerTurn(ServerResponse.prototype, 'write', (_, [piece]) => (piece as Buffer).length)
  const ended = countPerTurn(ServerResponse.prototype, 'end', (_, [piece]) =>
    Buffer.isBuffer(piece) ? piece.length : 0,
  )
  const reply = await fetch(`${address}/echo`, { method: 'POST', body: sent })
  const returned = Buffer.from(await reply.arrayBuffer())
  const [copies, writes, ends] = [copied.stop(), written.stop(), ended.stop()]
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-length')).toBe(String(bytes))
  expect(returned.equals(sent)).toBe(true)
  for (const turns of [copies, writes, ends]) expect(Math.max(...turns)).toBeLessThan(bytesPerTurnMax)
  // All bytes were counted.
  expect(sum(copies)).toBeGreaterThanOrEqual(bytes)
  expect(sum(writes)).toBe(bytes)
})

test.each([
  ['application/json', ['[', '{"Dato":"2024-01-01","AvdelingID":"Ås","Omsetning":1234.5,"Merknad":"æøå"},', '{}]']],
  [
    'application/xml',
    ['<Liste>', '<O><Dato>2024-01-01</Dato><AvdelingID>Ås</AvdelingID><Merknad>æøå</Merknad></O>', '</Liste>'],
  ],
] as const)(
  'a list of 4 MiB of %s is decoded with less than 256 KiB in a turn of the event loop',
  async (contentType, [start, row, end]) => {
    const body = Buffer.from(start + row.repeat(55_000) + end)
    expect(body.length).toBeGreaterThan(4 * MiB)
    const decoded = countPerTurn(
      Buffer.prototype,
      'toString',
      (source, [, from = 0, to]) => Number(to ?? (source as Buffer).length) - Number(from),
    )
    const { rows } = await parseRecords(body, {
      contentType,
      resource: revenue,
      shape: 'many',
      zone: 'UTC',
      refuseZones: false,
      isStrict: false,
    })
    const turns = decoded.stop()
    expect(rows.length).toBeGreaterThanOrEqual(55_000)
    expect(Math.max(...turns)).toBeLessThan(MiB / 4)
    expect(sum(turns)).toBeGreaterThanOrEqual(body.length)
  },
)

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
