// The measurements of the benchmark: CPU time of all threads and processes of a server, and its replies.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { Loader } from '../bench/loader.ts'
import { cpuSecondsOf } from '../bench/machine.ts'

const program = join(import.meta.dirname, 'support', 'busy-program.ts')

describe('the CPU time of a server', () => {
  let started: ChildProcess | undefined

  afterEach(() => {
    started?.kill()
  })

  test.each([
    'main thread',
    'live thread',
    'ended thread',
    'live child',
    'ended child',
    'grandchild',
  ])('includes the work of its %s', async (place) => {
    const child = (started = fork(program, [place]))
    const before = cpuSecondsOf(child.pid ?? 0) ?? NaN
    child.send('')
    const [reply] = await Promise.race([once(child, 'message'), once(child, 'exit')])
    expect(reply).toBe('burned')
    // The program uses 0.3 s, and ended processes are counted in whole ticks.
    expect((cpuSecondsOf(child.pid ?? 0) ?? NaN) - before).toBeGreaterThan(0.25)
  })

  test('is unknown without such a process', () => {
    expect(cpuSecondsOf(0)).toBeNull()
  })
})

describe('the load generator', () => {
  const loader = new Loader()
  let server: Server | undefined

  afterEach(() => {
    server?.close()
  })

  afterAll(() => {
    loader.close()
  })

  /** Sends 128 requests on 32 connections. */
  const measure = async (listener: RequestListener) => {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return loader.measure({
      case: 'point',
      dialect: 'floor',
      size: { rows: 10_000, companies: 1 },
      seed: 1,
      port: (server.address() as AddressInfo).port,
      serverPid: 0,
      warmUpMs: 0,
      replies: 128,
    })
  }

  test('counts rejected requests apart from answered ones', async () => {
    let requestCount = 0
    const measured = await measure((_, response) => {
      response.statusCode = ++requestCount % 4 === 0 ? 503 : 200
      response.end('{"fill":1}')
    })
    expect(measured).toMatchObject({ requests: 96, refused: 32, rejection: '503 {"fill":1}' })
  })

  test.each([
    ['another status', 404, '{"fill":1}'],
    ['another number of records', 200, '[{"fill":1},{"fill":2}]'],
    ['other values', 200, '{"other":1}'],
  ])('fails at a reply with %s', async (_, status, body) => {
    const failed = measure((_request, response) => response.writeHead(status).end(body))
    await expect(failed).rejects.toThrow(`expected 200, 1 braces and "fill":; got`)
  })
})
