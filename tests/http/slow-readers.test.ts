// Readers that stop or read slowly are disconnected, whether their reply is whole or a stream, and hold no resources.
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { limits, type Limits } from '../../src/http/limits.ts'
import { databases } from '../support/databases.ts'
import { useTestServer, type TestCompany, type TestServer } from '../support/server.ts'
import { openRawConnection, request, sendRequest, watchSockets } from './conversation.ts'

const MiB = 1024 * 1024
const finn = '/dev/Omsetning/Finn'
/** With remarks of 4000 characters, more than the sockets of both sides buffer. */
const rowsMax = 3000
const wholePage = `?$top=${rowsMax}`
const batch = JSON.stringify({ requests: [{ id: '1', method: 'GET', url: `/odata/Omsetning${wholePage}` }] })

describe.each(databases)('on $name', (database) => {
  const server = useTestServer(database, 'slow-readers')
  let limited: TestServer
  afterEach(() => limited.close())

  const save = async (to: TestServer, as = to.tenantA) => {
    const json = Array.from({ length: rowsMax }, (_, index) => ({
      AvdelingID: `${index}`,
      Omsetning: index,
      Merknad: 'x'.repeat(4000),
    }))
    expect((await to.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { as, json })).status).toBe(200)
  }
  beforeAll(() => save(server))

  test('a stream that fails in the middle has a second line in the log', async () => {
    let log = ''
    limited = await server.secondInstance({
      logBytesMax: MiB,
      settings: { logLevel: 'info' },
      print: (text) => (log += text),
    })
    const reader = openRawConnection(await limited.http.listen(0, '127.0.0.1'))
    reader.pause()
    void reader.send(readAll('', 'X-Request-Id: lang', 'Connection: close'))
    await expect.poll(() => limited.store.load().streamsOpen).toBe(1)
    await (database.name === 'SQLite' ? save(limited, limited.tenantB) : endConnections())
    reader.resume()
    expect((await reader.ended).trimEnd().endsWith(']')).toBe(false)
    const lines = () =>
      log
        .split('\n')
        .filter((line) => line.includes('"id":"lang"'))
        .map((line): unknown => JSON.parse(line))
    const line = { id: 'lang', method: 'GET', route: finn }
    await expect.poll(lines).toMatchObject([
      { ...line, status: 200 },
      { ...line, status: 503, level: 40, code: database.name === 'SQLite' ? 'Overloaded' : 'DatabaseUnavailable' },
    ])
  })

  test.each([
    ['before the first byte of', 0],
    ['in the middle of', 300],
  ])('a client that disconnects %s a stream in a batch releases it, and has one line in the log', async (_, ms) => {
    let log = ''
    const print = (text: string) => (log += text)
    limited = await server.secondInstance({ settings: { logLevel: 'info' }, print })
    const reader = openRawConnection(await limited.http.listen(0, '127.0.0.1'))
    reader.pause()
    const body = batch.replace(wholePage, '')
    const headers = ['Host: localhost', `tb-key: ${server.tenantA.key}`, 'Content-Type: application/json']
    void reader.send(request(['POST /odata/$batch HTTP/1.1', ...headers, `Content-Length: ${body.length}`], body))
    await expect.poll(() => limited.store.load().streamsOpen).toBe(1)
    await setTimeout(ms)
    reader.abort()
    await expect.poll(() => limited.store.load().streamsOpen, { timeout: 20_000 }).toBe(0)
    expect((await limited.call('GET', '/readyz', { as: null })).status).toBe(200)
    const lines = log.split('\n').filter((line) => line.includes('"method"'))
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { route: '/odata/$batch', status: 200, level: 30 },
      { route: '/readyz', status: 200, level: 30 },
    ])
  })

  test.each([
    ['HEAD', { path: `/odata/Omsetning` }],
    ['HEAD in a batch', { path: '/odata/$batch', json: { requests: [{ id: '1', method: 'HEAD', url: 'Omsetning' }] } }],
  ])('%s of a long list holds no stream', async (_, { path, ...sent }) => {
    limited = await server.secondInstance()
    const reply = await limited.call('json' in sent ? 'POST' : 'HEAD', path, sent)
    expect(reply.status).toBe(200)
    expect(reply.text).toMatch('json' in sent ? /"status":200[^]*\}\}\]\}$/ : /^$/)
    await expect.poll(() => limited.store.load().streamsOpen).toBe(0)
  })

  const endConnections = async () => {
    const client = new Client(server.url)
    await client.connect()
    await client.query(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    await client.end()
  }

  /** The URL of a server with limits that a test can reach. */
  async function serverWith(changed: Partial<Limits>): Promise<string> {
    limited = await server.secondInstance({ limits: { ...limits, ...changed } })
    return limited.http.listen(0, '127.0.0.1')
  }

  function readAll(query: string, ...lines: string[]): string {
    return request([`GET ${finn}${query} HTTP/1.1`, 'Host: localhost', `tb-key: ${server.tenantA.key}`, ...lines])
  }

  test('readers that take nothing are cut off, whether the reply is whole or a stream, and release their slot', async () => {
    const address = await serverWith({ stalledReaderTimeoutMs: 1000 })
    const watched = watchSockets()
    const queries = [...Array<string>(8).fill(''), wholePage]
    const readers = queries.map((query) => {
      const reader = openRawConnection(address)
      reader.pause()
      void reader.send(readAll(query, 'Connection: close'))
      return reader
    })
    const haveEnded = () => {
      const ended = watched.sockets.map(({ destroyed }) => destroyed)
      return ended.length === readers.length && ended.every(Boolean)
    }
    await expect.poll(haveEnded, { timeout: 30_000 }).toBe(true)
    watched.stop()
    for (const reader of readers) {
      reader.resume()
      const received = await reader.ended
      expect(received.trimEnd().endsWith(']')).toBe(false)
    }
    const next = async () => (await sendRequest(address, readAll('', 'Connection: close'))).status
    await expect.poll(next, { timeout: 30_000 }).toBe(200)
  })

  test.each([
    ['long replies', (lines: readonly string[]) => request([`GET ${finn}${wholePage} HTTP/1.1`, ...lines])],
    [
      'replies to a $batch',
      (lines: readonly string[]) =>
        request(['POST /odata/$batch HTTP/1.1', ...lines, `Content-Length: ${batch.length}`], batch),
    ],
  ])(
    '%s of a company that nobody reads have a limit; beyond it the company gets no more, and others do',
    async (_, read) => {
      const address = await serverWith({ unreadBytesPerCompanyMax: MiB / 2 })
      const shortPage = '?$top=200'
      const reader = openRawConnection(address)
      reader.pause()
      await reader.send(read(['Host: localhost', `tb-key: ${server.tenantA.key}`, 'Content-Type: application/json']))
      const refused = async () => {
        const { status, body } = await sendRequest(address, readAll(shortPage, 'Connection: close'))
        return [status, status === 200 ? '' : JSON.parse(body).error.message.includes('unreadBytesPerCompanyMax')]
      }
      await expect.poll(refused, { timeout: 30_000 }).toEqual([503, true])
      const save = async (as: TestCompany) => {
        const reply = await limited.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { as, json: [] })
        return reply.status
      }
      expect([await save(server.tenantA), await save(server.tenantB)]).toEqual([503, 200])
      expect((await limited.call('GET', finn, { as: server.tenantB })).status).toBe(200)
      reader.abort()
      await expect.poll(refused, { timeout: 30_000 }).toEqual([200, ''])
    },
  )

  test.each([
    ['a stream', ''],
    ['a whole page', wholePage],
  ])('a reader that takes %s at less than the minimum rate is disconnected', async (_, query) => {
    const address = await serverWith({
      slowReaderTimeoutMs: 1000,
      streamBytesPerSecondMin: 1024 * MiB,
      stalledReaderTimeoutMs: 600_000,
    })
    const watched = watchSockets()
    const reader = openRawConnection(address)
    await reader.send(readAll(query))
    const received = reader.waitFor(/^HTTP\/1\.1 200 OK/)
    reader.pause()
    const isCutOff = () => watched.sockets.some(({ destroyed }) => destroyed)
    await expect.poll(isCutOff, { timeout: 30_000 }).toBe(true)
    watched.stop()
    reader.resume()
    await received
    expect((await reader.ended).trimEnd()).not.toMatch(/\](\r\n0)?$/)
    await expect.poll(() => limited.store.load().streamsOpen, { timeout: 30_000 }).toBe(0)
  })

  test('a reader that reads only now and then cannot hold a stream forever', async () => {
    const address = await serverWith({ streamTimeoutMs: 300 })
    const reader = openRawConnection(address)
    await reader.send(readAll(''))
    const received = reader.waitFor(/^HTTP\/1\.1 200 OK/)
    reader.pause()
    await setTimeout(1000)
    reader.resume()
    await received
    expect((await reader.ended).endsWith('\r\n0\r\n\r\n')).toBe(false)
  })
})
