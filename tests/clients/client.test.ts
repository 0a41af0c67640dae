// `dagsverk/client` over real sockets: every method, its errors, and the export loop.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { connect, DagsverkError, LineRejected, type Client } from '../../src/client/client.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('the client on $name', (database) => {
  const server = useTestServer(database, 'client')
  let url: string
  beforeAll(async () => {
    url = await server.http.listen(0, '127.0.0.1')
  })

  const connectClient = async (): Promise<{ materialClient: MaterialClient; client: Client }> => {
    const materialClient = await newMaterialClient(server)
    return { materialClient, client: connect({ url, key: materialClient.company.key, attempts: 3 }) }
  }
  const ready = async (count: number) => {
    const { materialClient, client } = await connectClient()
    const ids = await materialClient.register(count)
    await materialClient.approve(...ids)
    return { materialClient, client, ids }
  }
  const listed = async (client: Client) => {
    const lines = await Array.fromAsync(client.exportable({ pageSize: 2 }))
    return lines.map(({ Id }) => Id)
  }
  const getError = async (call: Promise<unknown>): Promise<DagsverkError> => {
    const error: unknown = await call.catch((caught: unknown) => caught)
    if (!(error instanceof DagsverkError)) throw new Error(`not refused: ${String(error)}`)
    return error
  }

  test('registered and approved transactions are listed over several pages, and leave when acknowledged', async () => {
    const { materialClient, client } = await connectClient()
    const rows = Array.from({ length: 5 }, (_, index) => ({ ...usage, EksternId: `R${index}` }))
    const registered = await client.registerBatch(rows)
    expect(registered.counts).toEqual({ registered: 5 })
    const ids = registered.results.map(({ id }) => Number(id))
    await materialClient.approve(...ids)
    expect(await listed(client)).toEqual(ids)
    expect(await listed(client)).toEqual(ids)
    const marked = await client.markExported([ids[0] ?? 0, { id: ids[1] ?? 0, externalId: 'B1' }])
    expect(marked.results.map(({ code }) => code)).toEqual(['exported', 'exported'])
    expect(await listed(client)).toEqual(ids.slice(2))
    const after = { after: ids[2] ?? 0, filter: 'Antall gt 0' }
    const left = await Array.fromAsync(client.exportable(after))
    expect(left.map(({ Id, Antall }) => [Id, Antall])).toEqual(ids.slice(3).map((id) => [id, 2]))
  })

  test('an error has code, target, request id and outcome, and nothing changes', async () => {
    const { materialClient, client } = await connectClient()
    const bad = await getError(client.registerBatch([{ ...usage, Antall: 0 }]))
    expect(bad).toMatchObject({ status: 400, outcome: 'not_applied', retryAfterSeconds: null })
    expect(bad.results).toEqual([expect.objectContaining({ index: 0, code: expect.any(String) })])
    expect(bad.requestId).toMatch(/\S/)
    expect(await materialClient.transactions()).toEqual([])
    const none = await getError(client.markExported([999_999]))
    expect([none.code, none.results]).toEqual(['NothingMarked', [{ id: 999_999, code: 'not_found' }]])
    const wrong = await getError(connect({ url, key: 'wrong' }).markExported([1]))
    expect([wrong.status, wrong.code]).toEqual([401, 'InvalidCredentials'])
    const location = await getError(
      listed(connect({ url, key: materialClient.company.key })).then(() =>
        Array.fromAsync(client.exportable({ filter: 'Nothing eq 1' })),
      ),
    )
    expect([location.status, location.target]).toEqual([400, expect.stringContaining('$filter')])
  })

  test('a claim is extended, reported in part with a failure, and released', async () => {
    const { materialClient, client, ids } = await ready(3)
    const claim = await client.claim({ max: 2, leaseSeconds: 60 })
    if (claim === null) throw new Error('nothing was free')
    expect(claim.lines.map(({ Id }) => Id)).toEqual(ids.slice(0, 2))
    expect(claim.lines[0]?.Eksportnokkel).toBe(`T${ids[0]}.r1`)
    expect(Number(claim.sums.quantity)).toBe(4)
    const busy = await getError(client.claim())
    expect([busy.code, busy.existing]).toEqual(['ClaimAlreadyOpen', claim.id])
    const longer = await client.extend(claim.id, { leaseSeconds: 3600 })
    expect(longer.claimedUntil > claim.claimedUntil).toBe(true)
    const report = { items: [{ id: ids[0] ?? 0 }], failed: [{ id: ids[1] ?? 0, code: 'no_project' }] }
    const { counts } = await client.report(claim.id, report)
    expect(counts).toEqual({ exported: 1, failed_recorded: 1 })
    const released = await client.release(claim.id)
    expect(released.fencingToken).toBeGreaterThanOrEqual(claim.fencingToken)
    const ended = await getError(client.extend(claim.id, { leaseSeconds: 60 }))
    expect([ended.status, ended.code]).toEqual([409, 'ClaimClosed'])
    expect(await materialClient.listedIds()).toEqual(ids.slice(1))
    await client.markExported(ids)
    expect(await client.claim()).toBeNull()
  })

  test.each([{ claims: true }, { claims: false }])(
    'the loop, claims $claims, delivers every line once, reports failures, and ends',
    async ({ claims }) => {
      const { materialClient, client, ids } = await ready(25)
      const handed: string[] = []
      const failing = ids[3]
      const { counts } = await client.exportLoop(
        async ({ Id, Eksportnokkel }) => {
          handed.push(Eksportnokkel)
          if (Id === failing) throw new LineRejected('unknown_project', 'Project 77 is closed')
          return { externalId: `V${Id}` }
        },
        { claims, max: 7 },
      )
      expect(handed).toEqual(ids.map((id) => `T${id}.r1`))
      expect(counts).toEqual({ exported: 24, failed_recorded: 1 })
      expect(await materialClient.listedIds()).toEqual([failing])
      expect(await client.claim()).toMatchObject({ lines: [{ Id: failing, HoldesAv: expect.anything() }] })
    },
  )

  test('a stopped loop reports what it has processed and releases the rest', async () => {
    const { materialClient, client, ids } = await ready(6)
    const stopping = new AbortController()
    const { counts } = await client.exportLoop(
      async ({ Id }) => {
        if (Id === ids[2]) stopping.abort()
      },
      { signal: stopping.signal, idleSeconds: 3600 },
    )
    expect(counts).toEqual({ exported: 3 })
    expect(await materialClient.listedIds()).toEqual(ids.slice(3))
    expect((await client.claim())?.lines).toHaveLength(3)
  })

  test('a loop whose claim was lost continues after the last line that it processed', async () => {
    const { materialClient, client, ids } = await ready(6)
    const handed: number[] = []
    const { counts } = await client.exportLoop(
      async ({ Id }) => {
        handed.push(Id)
        if (Id !== ids[2]) return
        // Another client releases the claim, and the next heartbeat is rejected.
        const busy = await getError(client.claim())
        await client.release(busy.existing ?? 0)
        await new Promise((resolve) => {
          setTimeout(resolve, 700)
        })
      },
      { leaseSeconds: 1 },
    )
    expect(handed).toEqual(ids)
    expect(counts).toEqual({ exported: 6 })
    expect(await materialClient.listedIds()).toEqual([])
  })

  test('four concurrent loops deliver every line once', async () => {
    const { materialClient, client, ids } = await ready(60)
    const handed: number[] = []
    const work = () =>
      client.exportLoop(
        async ({ Id }) => {
          handed.push(Id)
        },
        { max: 6 },
      )
    await Promise.all([work(), work(), work(), work()])
    expect(handed.toSorted((one, other) => one - other)).toEqual(ids)
    expect(await materialClient.listedIds()).toEqual([])
  }, 60_000)
})

describe('an unreliable server', () => {
  /** Replies with the steps one after the other, and records the requests. */
  const startScriptedServer = async (steps: readonly Step[]) => {
    const requests: { path: string; once: string | undefined; body: string }[] = []
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part: Buffer) => {
        body += part.toString()
      })
      request.on('end', () => {
        const step = steps[requests.length] ?? 'cut'
        const once = request.headers['idempotency-key']?.toString()
        requests.push({ path: request.url ?? '', once, body })
        if (step === 'cut') {
          request.socket.destroy()
          return
        }
        response.writeHead(step.status, step.headers).end(step.body)
      })
    })
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    return { requests, client: connect({ url: `http://127.0.0.1:${port}/`, key: 'k', attempts: 4 }) }
  }
  type Step = 'cut' | { status: number; headers?: Record<string, string>; body: string }
  const done: Step = { status: 200, body: '{"resultater":[{"id":1,"code":"exported"}],"antall":{}}' }
  const away: Step = { status: 503, headers: { 'Retry-After': '0' }, body: '{"error":{"code":"Away"}}' }

  test('lost connections, 429 and 503 are retried, as one request', async () => {
    const busy: Step = { status: 429, headers: { 'Retry-After': '0' }, body: 'wait' }
    const { requests, client } = await startScriptedServer(['cut', away, busy, done])
    await client.registerBatch([{ ...usage }])
    expect(new Set(requests.map(({ once }) => once)).size).toBe(1)
    expect(requests[0]?.once).toMatch(/\S/)
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
    expect(requests).toHaveLength(4)
  })

  test('permanent errors are not retried, and no error is retried forever', async () => {
    const page: Step = { status: 403, body: '<html>Forbidden</html>' }
    const refused = await startScriptedServer([page])
    await expect(refused.client.markExported([1])).rejects.toMatchObject({
      code: 'UnknownAnswer',
      status: 403,
      outcome: 'unknown',
    })
    expect(refused.requests).toHaveLength(1)
    const silent = await startScriptedServer([])
    await expect(silent.client.markExported([1])).rejects.toMatchObject({ code: 'Unreachable', status: 0 })
    expect(silent.requests).toHaveLength(4)
  })

  test('the key is not sent to redirects, and an HTML page is an error', async () => {
    const moved: Step = { status: 302, headers: { Location: 'http://127.0.0.1:1/' }, body: '' }
    const { requests, client } = await startScriptedServer([moved, { status: 200, body: '<html>' }])
    await expect(client.markExported([1])).rejects.toMatchObject({ status: 302 })
    await expect(client.markExported([1])).rejects.toMatchObject({ code: 'UnknownAnswer' })
    expect(requests).toHaveLength(2)
  })

  test('a signal aborts waiting', async () => {
    const later: Step = { status: 503, headers: { 'Retry-After': '3600' }, body: '' }
    const { client } = await startScriptedServer([later])
    const stopping = new AbortController()
    const call = client.markExported([1], { signal: stopping.signal })
    setTimeout(() => stopping.abort(new Error('enough')), 50)
    await expect(call).rejects.toThrow('enough')
  })

  test('without claims the loop lists', async () => {
    const line = '{"Id":1,"Revisjon":1,"Eksportnokkel":"T1.r1"}'
    const none: Step = { status: 404, body: 'no such page' }
    const empty: Step = { status: 200, body: '{"value":[]}' }
    const { requests, client } = await startScriptedServer([
      none,
      { status: 200, body: `{"value":[${line}]}` },
      empty,
      done,
      empty,
    ])
    const handed: string[] = []
    await client.exportLoop(async ({ Eksportnokkel }) => {
      handed.push(Eksportnokkel)
    })
    expect(handed).toEqual(['T1.r1'])
    expect(requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
      '/prosjekt/TransaksjonsEksport/Batch',
      '/prosjekt/TransaksjonsEksport',
      '/prosjekt/TransaksjonsEksport',
      '/prosjekt/Transaksjonseksport/Eksportert',
      '/prosjekt/TransaksjonsEksport',
    ])
  })
})
