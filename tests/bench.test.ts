// The measurements of the benchmark: CPU time of all threads and processes of a server, its replies, and the goals.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { cpuSecondsBetween, noCpu, sampleCpu, type ProcessCpu } from '../bench/cpu.ts'
import { figure } from '../bench/figure.ts'
import { boundText, goalNames, goalOf } from '../bench/goals.ts'
import { measureInterfaceLoad } from '../bench/interface-load.ts'
import { interfaceRequestKinds } from '../bench/interface-requests.ts'
import { LoadGenerator } from '../bench/load-generator.ts'
import type { LoadJob } from '../bench/load-job.ts'
import { slopeOf } from '../bench/statistics.ts'

const program = join(import.meta.dirname, 'support', 'busy-program.ts')

describe('the CPU time of a server', () => {
  let started: ChildProcess | undefined

  afterEach(() => {
    started?.kill()
  })

  test.each(['main thread', 'live thread', 'ended thread', 'live child', 'ended child', 'grandchild'])(
    'includes the work of its %s',
    async (place) => {
      const child = (started = fork(program, [place]))
      const pids = [child.pid ?? 0]
      const before = sampleCpu(pids) ?? noCpu
      child.send('')
      const [reply] = await Promise.race([once(child, 'message'), once(child, 'exit')])
      expect(reply).toBe('burned')
      // The program uses 0.3 s, and what has ended is counted in whole ticks.
      expect(cpuSecondsBetween(before, sampleCpu(pids) ?? noCpu)).toBeGreaterThan(0.25)
    },
  )

  test('is unknown without such a process', () => {
    expect(sampleCpu([0])).toBeNull()
  })
})

describe('the CPU time between two samples', () => {
  function processOf(threads: Record<number, number>, ownSeconds: number, endedChildrenSeconds = 0): ProcessCpu {
    const nanoseconds = Object.entries(threads).map(([id, used]) => [Number(id), used] as [number, number])
    return { threads: new Map(nanoseconds), ownSeconds, endedChildrenSeconds }
  }

  test('is exact while the same threads live', () => {
    const before = new Map([[1, processOf({ 1: 1_000, 2: 5_000 }, 0.5)]])
    const after = new Map([[1, processOf({ 1: 4_000, 2: 5_500, 3: 10 }, 0.51)]])
    expect(cpuSecondsBetween(before, after)).toBeCloseTo(3_510e-9, 12)
  })

  test('is that of the ticks where a thread has ended', () => {
    const before = new Map([[1, processOf({ 1: 1_000, 2: 5_000 }, 0.5)]])
    const after = new Map([[1, processOf({ 1: 4_000 }, 0.9)]])
    expect(cpuSecondsBetween(before, after)).toBeCloseTo(0.4)
  })

  test('counts a process from its start if it was not there before', () => {
    const after = new Map([
      [1, processOf({ 1: 0 }, 0)],
      [2, processOf({ 2: 2e9 }, 2)],
    ])
    expect(cpuSecondsBetween(new Map([[1, processOf({ 1: 0 }, 0)]]), after)).toBeCloseTo(2)
  })

  test('counts of an ended child what it used since the first sample', () => {
    const before = new Map([
      [1, processOf({ 1: 0 }, 0)],
      [2, processOf({ 2: 2e9 }, 2)],
    ])
    const after = new Map([[1, processOf({ 1: 0 }, 0, 2.5)]])
    expect(cpuSecondsBetween(before, after)).toBeCloseTo(0.5)
  })
})

describe('the load generator', () => {
  const generator = new LoadGenerator()
  let server: Server | undefined

  afterEach(() => {
    server?.close()
  })

  afterAll(() => {
    generator.close()
  })

  /** Sends 128 requests on 32 connections, unless `length` says otherwise. */
  const measure = async (listener: RequestListener, length: Partial<LoadJob> = { replies: 128 }) => {
    server = createServer(listener).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return generator.measure({
      case: 'point',
      dialect: 'baseline',
      size: { rows: 10_000, companies: 1 },
      seed: 1,
      port: (server.address() as AddressInfo).port,
      serverPid: 0,
      warmUpMs: 0,
      ...length,
    })
  }

  test('counts rejected requests apart from answered ones', async () => {
    let requestCount = 0
    const measured = await measure((_, response) => {
      response.statusCode = ++requestCount % 4 === 0 ? 503 : 200
      response.end('{"fill":1}')
    })
    expect(measured).toMatchObject({ requests: 96, rejected: 32, firstRejection: '503 {"fill":1}' })
  })

  test('waits for the pending replies at the end, where that is requested', async () => {
    let requestCount = 0
    const counted = await measure(
      (_, response) => {
        requestCount++
        response.end('{"fill":1}')
      },
      { durationMs: 50, isDraining: true },
    )
    expect(counted.requests).toBe(requestCount)
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

test.each([
  [[], 0],
  [[7], 0],
  [[5, 5, 5], 0],
  [[1, 3, 5, 7], 2],
  [[0, 10, 0, 10, 0], 0],
])('the slope of %j is %d', (values, slope) => {
  expect(slopeOf(values)).toBeCloseTo(slope)
})

test('the load test of the interface reports every rejected request, by request and status', async () => {
  const changes = Array.from({ length: 101 }, (_, index) => ({
    InntektsPlanId: index + 1,
    SistEndretDato: '2026-01-01T00:00:00',
  }))
  // Replies to the preparatory reads only.
  const overloaded = createServer(({ url = '' }, response) => {
    if (url.includes('SistEndretDato%20desc')) response.end(JSON.stringify(changes))
    else if (url.includes('$select=Id')) response.end('{"value":[{"Id":1}]}')
    else response.writeHead(503).end('{"code":"Overloaded"}')
  }).listen(0, '127.0.0.1')
  await once(overloaded, 'listening')
  const generators = { large: new LoadGenerator(), small: new LoadGenerator() }
  try {
    const { result, problems, table } = await measureInterfaceLoad(
      { dialect: 'dagsverk', size: { rows: 10_000, companies: 1 }, port: (overloaded.address() as AddressInfo).port },
      generators,
      { replies: 2 * interfaceRequestKinds },
    )
    expect(result.value).toBeGreaterThanOrEqual(2 * interfaceRequestKinds)
    expect(problems).toEqual([
      `interface: ${2 * interfaceRequestKinds} requests were rejected: 503 {"code":"Overloaded"}`,
      expect.stringContaining('requests were rejected: 503'),
    ])
    expect(table).toMatch(/^\| 4\.2 \/dev +\| 503 +\| 2 +\|/m)
  } finally {
    generators.large.close()
    generators.small.close()
    overloaded.close()
  }
})

test('docs/performance.md has every goal of the benchmark, in its order', () => {
  const page = readFileSync(join(import.meta.dirname, '../docs/performance.md'), 'utf8')
  const [, table = ''] = /^\| Work \| Goal \|.*\n\|[-:| ]+\|\n((?:\|.*\n)+)/m.exec(page) ?? []
  const listed = table
    .trim()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
  const goals = goalNames.map((name) => {
    const goal = goalOf(name)
    const brilliant = goal.brilliant === undefined ? '' : figure(goal.brilliant)
    return [goal.title, boundText(goal), brilliant, goal.part]
  })
  expect(listed.map(([title, bound, brilliant, , part]) => [title, bound, brilliant, part])).toEqual(
    goals.map(([title, bound, brilliant, part]) => [title, bound, brilliant, `\`${part}\``]),
  )
})
