// The access log: one line per reply, without anything that the caller wrote.
import { setImmediate } from 'node:timers/promises'
import fastify from 'fastify'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toErrorReply } from '../../src/api/error-reply.ts'
import { logLevels } from '../../src/config/settings.ts'
import { ApiError } from '../../src/errors/api-error.ts'
import { limits } from '../../src/http/limits.ts'
import { createRequestLog, dropUnread, loggerOptions, type SentReply } from '../../src/http/log.ts'
import type { Request } from '../../src/http/request.ts'
import { statement } from '../../src/store/statement.ts'
import { sqlite } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

const finn = '/dev/Omsetning/Finn'
const information = 30
const warning = 40
const failure = 50

let server: TestServer
let secondInstance: TestServer
let log: string
function print(text: string): void {
  log += text
}
beforeEach(async () => {
  server = await startTestServer(sqlite, 'log')
  log = ''
  secondInstance = await server.secondInstance({
    settings: { logLevel: 'trace' },
    print,
    limits: { ...limits, bodyBytesInFlightMax: 1 },
  })
})
afterEach(() => server.close())

test('a reply is logged with route, status and caller, never with its URL', async () => {
  const { status } = await secondInstance.call('GET', `${finn}?$top=x&firma=hemmelig`, {
    headers: { 'x-request-id': 'kasse-1' },
  })
  expect(status).toBe(400)
  await secondInstance.call('GET', `${finn}?$top=1`)
  await secondInstance.call('DELETE', '/omsetning/Omsetning(4711)')
  await secondInstance.call('GET', '/hemmelig/sted')
  const known = { companyId: server.tenantA.id, credentialId: expect.stringMatching(/^\w{8}$/) }
  expect(await lines()).toEqual([
    line({ id: 'kasse-1', route: finn, status: 400, code: 'InvalidTop', ...known }),
    line({ route: finn, status: 200, ...known }),
    line({ method: 'DELETE', route: '/omsetning/Omsetning(:id)', status: 404, code: 'NotFound', ...known }),
    line({ route: '-', status: 404, code: 'NotFound' }),
  ])
})

test.each([
  ['/ANSATT/Ansatt', '/ansatt/ansatt'],
  ['/ansatt/Ansatt(4711)', '/ansatt/ansatt(:id)'],
  ['/ansatt/Ansatt/4711', '/ansatt/ansatt/*'],
  ["/odata/Avdeling('hemmelig')", '/odata/Avdeling(:id)'],
  ["/odata/avdeling('hemmelig')/Ansatte?$top=1", '/odata/Avdeling/*'],
  ["/odata/Avdeling(')/(')", '/odata/Avdeling/*'],
  ['/odata/Ansatt?$top=x', '/odata/Ansatt'],
  ['/odata/Ansatt/$count', '/odata/Ansatt/*'],
  ['/odata/Hemmelig', '-'],
  ['/odata', '/odata'],
  ['/ansatt/$metadata', '/ansatt/$metadata'],
  ['/limits', '/limits'],
  ['/app/i-dag', '/app/i-dag'],
  ['/hemmelig', '-'],
  ['/dev/hemmelig/odata/Ansatt', '-'],
])('the route of %s is %s, without key and as `dagsverk routes` spells it', async (url, route) => {
  await secondInstance.call('GET', url)
  expect((await lines()).map((line) => line['route'])).toEqual([route])
})

test('a rejected call below a service root has the route of its set', async () => {
  await secondInstance.call('GET', '/odata/Ansatt(7)', { as: null })
  await secondInstance.call('DELETE', '/odata/Ansatt')
  await secondInstance.call('GET', '/odata/Ansatt(%ff)')
  expect((await lines()).map(({ route, status }) => [route, status])).toEqual([
    ['/odata/Ansatt(:id)', 401],
    ['/odata/Ansatt', 405],
    ['/odata/Ansatt(:id)', 400],
  ])
})

test('a client error is not logged as an error; a server failure is a warning without a stack', async () => {
  await secondInstance.call('GET', `${finn}?$top=x`)
  await secondInstance.call('GET', finn, { as: null })
  await secondInstance.call('POST', '/dev/Omsetning/Lagre', { json: { Omsetning: 1 } })
  const known = { companyId: server.tenantA.id, credentialId: expect.any(String) }
  expect(await lines()).toEqual([
    line({ route: finn, status: 400, code: 'InvalidTop', ...known }),
    line({ route: finn, status: 401, code: 'MissingCredentials' }),
    line({ level: warning, method: 'POST', route: '/dev/Omsetning/Lagre', status: 503, code: 'Overloaded', ...known }),
  ])
})

test('a server failure in a part of a batch is a warning too', async () => {
  const instance = await server.secondInstance({ settings: { logLevel: 'trace' }, print })
  const requests = [{ id: '1', method: 'GET', url: 'Ansatt()' }]
  const { json } = await instance.call('POST', '/odata/$batch', { json: { requests } })
  expect(json.responses).toMatchObject([{ status: 501 }])
  // The line of the batch itself has no code, and may be printed before or after.
  const failures = (await lines()).filter((line) => line.code !== undefined)
  expect(failures).toMatchObject([{ level: warning, code: 'NotSupported' }])
})

test('an authenticated caller that gets 403 is named, an unauthenticated one is not', async () => {
  const [key, old] = [
    await server.addCredential(server.tenantA, { scopes: 'revenue:read' }),
    await server.addCredential(server.tenantA, { expiresAt: 1 }),
  ]
  const write = (secret: string) =>
    secondInstance.call('POST', '/dev/Omsetning/Lagre', {
      as: null,
      json: { Omsetning: 1 },
      headers: { 'tb-key': secret },
    })
  for (const secret of [key.secret, old.secret, `${key.secret}x`]) await write(secret)
  const { id: companyId } = server.tenantA
  expect(await lines()).toMatchObject([
    { status: 403, code: 'ScopeMissing', companyId, credentialId: key.id },
    { status: 401, code: 'CredentialExpired', companyId, credentialId: old.id },
    { status: 401, code: 'InvalidCredentials' },
  ])
  expect((await lines())[2]).not.toHaveProperty('companyId')
})

test.each<[title: string, sent: Partial<SentReply>]>([
  ['a reply to nobody known', {}],
  ['a reply without a route', { route: '-', method: 'M-SEARCH', ms: 12.5 }],
  ['a reply to a caller', { logContext: { companyId: 4, credentialId: 'user:7' } }],
  ['a client error', { status: 404, logContext: { companyId: 4, code: 'NotFound' } }],
  ['a server failure', { status: 503, logContext: { code: 'Db', reason: '"\\\n\u0001æ' } }],
  ['a bug', { status: 500, logContext: { code: 'InternalError', error: new TypeError('"') } }],
])('the line of %s is the one that the logger would write, at every level', (_, differing) => {
  const sent = { id: 'a-1', method: 'GET', route: finn, status: 200, ms: 0.4, ...differing }
  const { status, ms, logContext = {}, ...fields } = sent
  const { error, ...context } = logContext
  for (const worker of [undefined, 3]) {
    const target = { level: 'info', stream: { write: print }, clock: () => Date.now() * 1000 }
    const numbered = worker === undefined ? target : { ...target, worker }
    const { log: logger } = fastify({ logger: loggerOptions(numbered) })
    const logReply = createRequestLog(numbered, logger)
    for (const level of logLevels) {
      logger.level = level
      const entry = { ...fields, status, ms: Math.round(ms), ...context }
      if (error !== undefined) logger.error({ ...entry, err: error })
      else logger[status >= 500 ? 'warn' : 'info'](entry)
      const written = log
      log = ''
      logReply({ ...sent, logContext })
      expect(withoutTime(log)).toBe(withoutTime(written))
      log = ''
    }
  }
})

test('of several errors that are logged as one, each is logged with its stack', () => {
  const target = { level: 'info', stream: { write: print }, clock: () => Date.now() * 1000 }
  const { log: logger } = fastify({ logger: loggerOptions(target) })
  const ofCompany = new AggregateError([new RangeError('too long')], 'failed for company 7')
  logger.error({ err: new AggregateError([ofCompany, new TypeError('no list')], 'failed for imports, sessions') }, 'x')
  const logged = (type: string, message: string, more = {}) => ({
    type,
    message,
    stack: expect.stringContaining('log.test.ts'),
    ...more,
  })
  const aggregateErrors = [
    logged('AggregateError', 'failed for company 7', { aggregateErrors: [logged('RangeError', 'too long')] }),
    logged('TypeError', 'no list'),
  ]
  expect(JSON.parse(log).err).toEqual(logged('AggregateError', 'failed for imports, sessions', { aggregateErrors }))
})

test('each of several processes on one port logs its own id', async () => {
  const third = await server.secondInstance({ settings: { logLevel: 'info' }, print, workerId: 3 })
  await third.call('GET', '/livez')
  expect(await lines()).toEqual([line({ route: '/livez', status: 200, worker: 3 })])
})

test('a bug is logged as an error once, with its stack', async () => {
  await secondInstance.store.inSystemTransaction((writer) =>
    writer.run(
      statement(() => sql`drop table revenue`),
      {},
    ),
  )
  expect((await secondInstance.call('GET', finn)).status).toBe(500)
  expect(await lines()).toEqual([
    line({
      level: failure,
      route: finn,
      status: 500,
      code: 'InternalError',
      companyId: server.tenantA.id,
      credentialId: expect.any(String),
      msg: 'no such table: revenue',
      err: { type: 'SqliteError', message: 'no such table: revenue', stack: expect.stringContaining('src/store/') },
    }),
  ])
})

test('a bug in a part of a batch is logged, although the batch itself is 200', async () => {
  await secondInstance.store.inSystemTransaction((writer) =>
    writer.run(
      statement(() => sql`drop table revenue`),
      {},
    ),
  )
  const large = await server.secondInstance({ print })
  const requests = [{ id: '1', method: 'GET', url: 'Omsetning' }]
  const reply = await large.call('POST', '/odata/$batch', { json: { requests } })
  expect([reply.status, reply.json.responses[0].status]).toEqual([200, 500])
  expect(await lines()).toMatchObject([
    { level: failure, code: 'InternalError', err: { message: 'no such table: revenue' } },
  ])
})

test('a database failure is logged with its error code alone', () => {
  const cause = Object.assign(new Error('key (passord)=(x) exists'), { code: 'SQLITE_BUSY' })
  const request: Request = {
    method: 'GET',
    path: finn,
    search: '',
    header: () => undefined,
    body: async () => Buffer.alloc(0),
    address: '',
    secure: false,
    origin: '',
    id: 'a',
    onDisconnect: () => () => undefined,
  }
  const { logContext } = toErrorReply(new ApiError('DatabaseBusy', { cause }), request)
  expect(logContext).toEqual({ code: 'DatabaseBusy', reason: 'SQLITE_BUSY' })
})

/** The lines so far: they are printed at the end of a turn of the event loop. */
async function lines(): Promise<Record<string, unknown>[]> {
  await setImmediate()
  return log
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text))
}

function withoutTime(text: string): string {
  return text.replace(/"time":\d{13},/, '')
}

function line(fields: Record<string, unknown>) {
  return {
    level: information,
    time: expect.any(Number),
    pid: process.pid,
    hostname: expect.any(String),
    id: expect.any(String),
    method: 'GET',
    ms: expect.any(Number),
    ...fields,
  }
}

test('while nobody reads, a mebibyte of lines waits, further ones are dropped, and their number is reported', () => {
  const pipe = { writableLength: 0 }
  const reports: string[] = []
  const write = dropUnread(
    pipe,
    (lines) => (pipe.writableLength += lines.length),
    (report) => void reports.push(report),
  )
  const lines = `${'x'.repeat(1023)}\n`.repeat(16)
  for (let count = 0; count < 100; count++) write(lines)
  expect(pipe.writableLength).toBe(1024 * 1024)
  expect(reports).toEqual([expect.stringContaining('Nobody reads standard output')])
  pipe.writableLength = 0
  write(lines)
  write(lines)
  expect(pipe.writableLength).toBe(2 * lines.length)
  expect(reports.slice(1)).toEqual([expect.stringContaining(` ${36 * 16} lines of the log were lost`)])
})
