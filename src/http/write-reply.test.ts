import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { writeReply } from './write-reply.ts'

/** More than the buffers of both sockets hold. */
const longBytes = 20 * 1024 * 1024

let page: Buffer
const server = createServer((_, response) => {
  writeReply(response, { status: 200, headers: {}, body: ['[', page, ']'] }, [], {
    limits,
    onStreamError: (error) => expect.fail(error.message),
  })
})
beforeEach(async () => {
  page = Buffer.alloc(longBytes, '1')
  await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterEach(() => {
  server.close()
})

async function openReply() {
  const { port } = server.address() as AddressInfo
  const [response] = await once(request({ port, host: '127.0.0.1', agent: false }).end(), 'response')
  return response as IncomingMessage
}
async function textOf(response: IncomingMessage): Promise<string> {
  return (await response.setEncoding('latin1').toArray()).join('')
}

test('a buffer in pieces is freed as soon as the whole reply was sent', async () => {
  const response = await openReply()
  // The client reads nothing yet.
  await setTimeout(20)
  expect(page).toHaveLength(longBytes)
  const text = await textOf(response)
  expect(text === `[${'1'.repeat(longBytes)}]`).toBe(true)
  await expect.poll(() => page.length).toBe(0)
})

test('a piece of the pool of buffers, which has others, is not freed', async () => {
  page = Buffer.from('12345')
  const { buffer } = page
  expect(await textOf(await openReply())).toBe('[12345]')
  await setTimeout(20)
  expect(buffer.byteLength).toBeGreaterThan(5)
})

test.each(['{"Navn":"Ås"}', '{"Navn":"€"}', '{"Navn":"Oslo"}'])(
  'a short page is one text in UTF-8, and its buffer is freed: %s',
  async (text) => {
    page = Buffer.alloc(Buffer.byteLength(text), text)
    const response = await openReply()
    expect(Buffer.concat(await response.toArray()).toString()).toBe(`[${text}]`)
    expect(response.headers['content-length']).toBe(String(Buffer.byteLength(text) + 2))
    expect(page).toHaveLength(0)
  },
)
