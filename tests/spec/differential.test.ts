// Differential test: the same random requests to SQLite and PostgreSQL get the same replies, and never a 500.
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer, startTestServer, type TestReply, type TestServer } from '../support/server.ts'
import { revenueClientFor, type RevenueClient } from '../support/revenue-client.ts'
import { seed } from '../support/random.ts'

/** Names mostly valid, sometimes not. */
function oneOf<Value>(...values: Value[]) {
  return fc.constantFrom(...values)
}

const date = oneOf<unknown>(
  '2024-05-01',
  '2024-05-02T00:00:00',
  '2024-05-01T22:00:00Z',
  '2024-05-01T00:00:00+02:00',
  '1900-01-01',
  '2199-12-31',
  null,
  '2024-02-30',
  '2024-04-30T22:30:00Z',
  5,
)
const department = oneOf<unknown>('20', '21', 'Å', ' 20', '20 ', 20, "o'hara", '%', '😀', 'zz', null, '', true)
const amount = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -1_000_000, max: 1_000_000 }).map((whole) => whole / 10_000) },
  { weight: 2, arbitrary: fc.integer({ min: -99_999_999_999, max: 99_999_999_999 }) },
  { weight: 1, arbitrary: oneOf<unknown>('1234.50', 0, 0.00005, 99999999999.9999, null, 1e11, '12,5', true) },
)
const remark = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
  oneOf<unknown>(null, '', 'a\nb', 'Å', 'å', 5, false),
)
const kind = oneOf<unknown>('I', 'B', 'i', null, '', 'elleve tegn')
const key = oneOf<unknown>(1, 2, 3, 4, 5, 6, 7, 8, '2', 0, null, 99, -1, 'x')

const row = fc.record(
  { Dato: date, AvdelingID: department, Omsetning: amount, Merknad: remark, ipType: kind, Ukjent: oneOf(1) },
  { requiredKeys: [] },
)
const goodRow = fc.record({
  Dato: oneOf('2024-05-01', '2024-05-02', '2024-05-03'),
  AvdelingID: oneOf('20', '21', 'Å'),
  Omsetning: fc.integer({ min: -99_999, max: 99_999 }).map((whole) => whole / 100),
})
const anyRow = fc.oneof({ weight: 3, arbitrary: goodRow }, { weight: 1, arbitrary: row })
const keyed = fc
  .tuple(anyRow, fc.option(key))
  .map(([values, InntekstplanId]) => (InntekstplanId === null ? values : { ...values, InntekstplanId }))
const referenced = fc
  .tuple(anyRow, oneOf(undefined, undefined, 'a', 'b', 'c'))
  .map(([values, Referanse]) => ({ ...values, Referanse }))
function list<Row>(one: fc.Arbitrary<Row>) {
  return fc.oneof(
    { weight: 4, arbitrary: fc.array(one, { maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(one, { minLength: 15, maxLength: 50, size: 'max' }) },
  )
}

const field = oneOf('Dato', 'AvdelingID', 'Omsetning', 'Merknad', 'ipType', 'InntektsPlanId', 'SistEndretDato')
const literal = oneOf(
  "datetime('2024-05-01')",
  '2024-05-02T10:00:00',
  "'20'",
  "'Å'",
  "''",
  "'a'",
  '0',
  '-5.5',
  '0.00001',
  '3',
  '1e20',
  'null',
  'true',
  '9999-12-31',
)
const operator = oneOf('eq', 'ne', 'gt', 'ge', 'lt', 'le')
const { condition } = fc.letrec<{ condition: string }>((tie) => ({
  condition: fc.oneof(
    { depthSize: 'small' },
    fc.tuple(field, operator, literal).map((parts) => parts.join(' ')),
    fc.tuple(literal, operator, field).map((parts) => parts.join(' ')),
    fc.tuple(field, operator, field).map((parts) => parts.join(' ')),
    fc.tuple(field, fc.array(literal, { maxLength: 3 })).map(([name, values]) => `${name} in (${values.join()})`),
    fc
      .tuple(
        oneOf('startswith', 'endswith', 'contains', 'substringof'),
        oneOf('AvdelingID', 'Merknad', "'20a'", 'Dato'),
        oneOf("'2'", "''", "'Å'", 'Merknad', 'null'),
      )
      .map(([name, ...args]) => `${name}(${args.join()})`),
    fc.tuple(tie('condition'), oneOf('and', 'or'), tie('condition')).map(([a, word, b]) => `(${a}) ${word} (${b})`),
    tie('condition').map((inner) => `not (${inner})`),
  ),
}))
const query = fc.record(
  {
    $filter: condition,
    $select: oneOf('*', 'Omsetning,Dato', 'InntekstplanId,SistEndretDato', 'OpprettetDato', 'Avdeling'),
    $orderby: fc
      .array(
        fc.tuple(field, oneOf('', ' desc', ' asc')).map(([name, direction]) => name + direction),
        { minLength: 1, maxLength: 3 },
      )
      .map((orders) => orders.join()),
    $top: oneOf('0', '1', '3', '100', '-1'),
    $skip: oneOf('0', '1', '2', 'x'),
    $count: oneOf('true', 'false'),
  },
  { requiredKeys: [] },
)
const options = fc.record(
  { atomic: oneOf('false', 'true'), dryRun: oneOf('true', 'false', 'false') },
  { requiredKeys: [] },
)
const headers = fc.record(
  {
    'idempotency-key': oneOf('a', 'b', 'c', 'd e'),
    accept: oneOf('application/xml', 'application/json'),
    'accept-language': oneOf('nb', 'en'),
  },
  { requiredKeys: [] },
)

interface Step {
  readonly name: string
  readonly take: (revenueClient: RevenueClient) => Promise<TestReply>
}

function write(name: 'insert' | 'update' | 'saveList' | 'setPerDate' | 'accumulate', body: fc.Arbitrary<unknown>) {
  return fc
    .tuple(body, options, headers)
    .map(([sent, query, with_]): Step => ({
      name: `${name} ${JSON.stringify([sent, query, with_])}`,
      take: (revenueClient) => revenueClient[name](sent, query, with_),
    }))
}
const read = fc
  .tuple(query, headers)
  .map(([queryParams, with_]): Step => ({
    name: `find ${JSON.stringify([queryParams, with_])}`,
    take: (revenueClient) => revenueClient.find(queryParams, with_),
  }))
const journal = fc
  .record({ $orderby: oneOf('Id desc', 'Tid', 'Etter,Id') }, { requiredKeys: [] })
  .map((queryParams): Step => ({
    name: `journal ${JSON.stringify(queryParams)}`,
    take: (revenueClient) => revenueClient.revenueLog(queryParams),
  }))
const remove = fc
  .integer({ min: 1, max: 9 })
  .map((id): Step => ({ name: `remove ${id}`, take: (revenueClient) => revenueClient.delete(id) }))

const step = fc.oneof(
  write('insert', anyRow),
  write('update', keyed),
  { weight: 2, arbitrary: write('saveList', list(keyed)) },
  { weight: 2, arbitrary: write('setPerDate', list(anyRow)) },
  { weight: 2, arbitrary: write('accumulate', fc.oneof(referenced, list(referenced))) },
  remove,
  { weight: 3, arbitrary: read },
  journal,
)

/** The parts of a reply that must be equal. */
function comparable({ status, headers, text }: TestReply) {
  return {
    status,
    text: text
      .replaceAll(/key:\w{8}/g, 'key:')
      .replaceAll(/("requestId":"|<requestId>|"ForesporselId":")[\w.-]+/g, '$1'),
    headers: Object.fromEntries(
      Object.entries(headers).filter(
        ([name]) => !['date', 'ratelimit', 'x-request-id', 'content-length'].includes(name),
      ),
    ),
  }
}

function report<Values>(details: fc.RunDetails<Values>) {
  if (details.failed)
    throw new Error(`SEED=${details.seed}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
}
/** `RUNS=20` runs twenty times as many requests, `SEED=…` sends others. */
function runs(usual: number) {
  return usual * Number(process.env['RUNS'] ?? 1)
}

describe.skipIf(databases.length < 2)('SQLite and PostgreSQL', () => {
  let servers: TestServer[]
  const clock = { now: Date.UTC(2024, 4, 1) * 1000 }
  beforeAll(async () => {
    servers = await Promise.all(databases.map((database) => startTestServer(database, 'differential')))
    for (const server of servers) server.clock.now = () => clock.now
  })
  afterAll(() => Promise.all(servers.map((server) => server.close())))

  test(
    'reply alike to the same random requests, step by step',
    async () => {
      let companies = 0
      const property = fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25, size: 'max' }), async (steps) => {
        const name = `LIK ${(companies += 1)}`
        const clients = await Promise.all(
          servers.map(async (server) => revenueClientFor(server, await server.addCompany(name))),
        )
        for (const { take } of steps) {
          clock.now += 1000
          const [one, other] = await Promise.all(
            clients.map(async (revenueClient) => comparable(await take(revenueClient))),
          )
          expect(other).toEqual(one)
          expect(one?.status, one?.text).toBeLessThan(500 + 2 * Number(one?.status === 501))
        }
        const [one, other] = await Promise.all(
          clients.map(async (revenueClient) => [
            await revenueClient.records({ $select: '*,SistEndretDato,OpprettetDato' }),
            (await revenueClient.revenueLog({ $select: 'Id,Tid,InntektsPlanId,Handling,Belop,For,Etter' })).json.value,
          ]),
        )
        expect(other).toEqual(one)
      })
      report(await fc.check(property, { numRuns: runs(60), seed }))
    },
    runs(180_000),
  )
})

describe.each(databases)('random bytes on $name', (database) => {
  const server = useTestServer(database, 'garbage')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = revenueClientFor(server, server.tenantA)
    await revenueClient.insert({ Dato: '2024-05-01', AvdelingID: '20', Omsetning: 1 })
  })

  const paths = [
    '/dev/Omsetning/Lagre',
    '/dev/Omsetning/Oppdater',
    '/dev/Omsetning/LagreEllerOppdaterListe',
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
    '/dev/Omsetning/AggsertOmsetning',
  ]
  const good = '[{"InntekstplanId":1,"Dato":"2024-05-01","AvdelingID":"20","Omsetning":12.5,"Merknad":"a\\u00e5\\n"}]'
  const inXml =
    '<?xml version="1.0"?><r><o><InntekstplanId>1</InntekstplanId><Dato>2024-05-01</Dato><Merknad>&lt;</Merknad></o></r>'
  /** A valid body with some of its bytes deleted, doubled or replaced. */
  const damaged = (text: string) =>
    fc
      .array(fc.tuple(fc.nat(text.length), fc.nat(3), fc.uint8Array({ maxLength: 3 })), { minLength: 1, maxLength: 4 })
      .map((damages) =>
        damages.reduce(
          (bytes, [at, length, put]) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + length)]),
          Buffer.from(text),
        ),
      )
  const body = fc.oneof(
    damaged(good),
    damaged(good.slice(1, -1)),
    damaged(inXml),
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  )

  const state = async () =>
    JSON.stringify([
      await revenueClient.records({ $select: '*,SistEndretDato' }),
      (await revenueClient.revenueLog({ $count: 'true', $top: '0' })).json,
    ])

  test('a body of random bytes is accepted or rejected: no 500, and rejected bodies store nothing', async () => {
    let before = await state()
    const property = fc.asyncProperty(
      oneOf(...paths),
      body,
      oneOf('application/json', 'application/xml', 'text/xml; charset=utf-8', 'text/plain'),
      async (path, sent, type) => {
        const reply = await revenueClient.call('POST', path, {
          body: sent,
          headers: { 'content-type': type, accept: 'application/json' },
        })
        expect(reply.status, reply.text).toBeLessThan(500)
        const after = await state()
        if (reply.status >= 400) {
          expect(reply.json.error.outcome).toBe('not_applied')
          expect(after).toBe(before)
        }
        before = after
      },
    )
    report(await fc.check(property, { numRuns: runs(400), seed }))
  })

  test('a query of random text is answered or rejected: no 500, and always with a position', async () => {
    const option = oneOf('$filter', '$select', '$orderby', '$top', '$skip', '$count', 'x', '$x')
    const words = [
      'Dato',
      'AvdelingID',
      'eq',
      'and',
      'not',
      '(',
      ')',
      "'",
      "'20'",
      ',',
      'null',
      'in',
      "datetime('2024-05-01')",
      '5',
      '-',
      'desc',
      '*',
      'contains',
      '%',
      '%41',
      '%zz',
      '+',
      '\u00e5',
      '/',
      '$it',
    ]
    const text = fc.oneof(
      fc.array(oneOf(...words), { maxLength: 10 }).map((parts) => parts.join('+')),
      fc.string({ maxLength: 20 }).map(encodeURIComponent),
      fc.string({ unit: 'grapheme', maxLength: 10 }).map(encodeURIComponent),
    )
    const property = fc.asyncProperty(fc.array(fc.tuple(option, text), { maxLength: 3 }), async (parts) => {
      const search = parts.map(([name, value]) => `${name}=${value}`).join('&')
      const reply = await revenueClient.call('GET', `/dev/Omsetning/Finn?${search}`)
      if (reply.status === 200) return
      expect([400, 401, 501], reply.text).toContain(reply.status)
      expect(reply.json.error.message).toBeTruthy()
      if (reply.status === 400) expect(reply.json.error.target, reply.text).toBeTruthy()
    })
    report(await fc.check(property, { numRuns: runs(600), seed }))
  })
})
