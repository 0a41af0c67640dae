// SQL injection test (ADR 0012): the SQL text depends on the plan cache key, never on a request's literals.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { recordStatements, type StatementRecording } from '../support/statement-recorder.ts'

const finn = '/dev/Omsetning/Finn'

/** Injection payloads. */
const payloads = [
  "' or '1'='1",
  "'; drop table revenue; --",
  "' union select passord from credential --",
  "\\' or 1=1 #",
  '" or ""="',
  "') or ('a'='a",
  "' || (select version()) || '",
  "'||pg_sleep(10)--",
  "' and randomblob(1000000000) --",
  "';attach database '/tmp/x' as x;--",
  '$1',
  '?1',
  ':name',
  '@p0',
  '%27%20or%201=1',
  '/* */ or /**/ 1=1',
  "'/**/or/**/1=1",
  '1;select 1',
  "x' and 1=cast((select 1) as int) --",
  '\u02bc or 1=1',
  '\uff07 or 1=1',
  '*/ select 1 /*',
  '`',
  '${7*7}',
  '{{7*7}}',
  '%',
  '_',
  '\\',
  '[a-z]',
  '--',
]

type Literals = Readonly<Record<'text' | 'other' | 'amount' | 'date' | 'count', string>>

function quoted(one: string) {
  return `'${one.replaceAll("'", "''")}'`
}

/** Filters of every kind, with placeholders for literals. */
const filters: readonly ((one: Literals) => string)[] = [
  ({ text }) => `AvdelingID eq ${quoted(text)}`,
  ({ text }) => `AvdelingID ne ${quoted(text)} and ipType eq 'I'`,
  ({ text, other }) => `AvdelingID in (${quoted(text)},${quoted(other)})`,
  ({ text }) => `Merknad gt ${quoted(text)} or Merknad le ${quoted(text)}`,
  ({ text }) => `startswith(Merknad,${quoted(text)})`,
  ({ text }) => `endswith(Merknad,${quoted(text)})`,
  ({ text }) => `contains(Merknad,${quoted(text)})`,
  ({ text }) => `substringof(${quoted(text)},AvdelingID)`,
  ({ text, other }) => `not (AvdelingID eq ${quoted(text)} or Merknad eq ${quoted(other)})`,
  ({ amount }) => `Omsetning gt ${amount}`,
  ({ amount, text }) => `Omsetning eq ${amount} and AvdelingID eq ${quoted(text)}`,
  ({ date }) => `Dato ge datetime('${date}')`,
  ({ date, text }) => `Dato eq ${date} and (AvdelingID eq ${quoted(text)} or Merknad eq null)`,
  ({ count }) => `InntektsPlanId gt ${count}`,
  ({ count }) => `InntektsPlanId in (1,${count})`,
]

function requestsWith(one: Literals): readonly Readonly<Record<string, string>>[] {
  return [
    ...filters.map((filter) => ({ $filter: filter(one) })),
    ...filters.map((filter) => ({ $filter: filter(one), $count: 'true', $orderby: 'Dato desc' })),
    { $top: one.count, $skip: one.count },
    { $top: one.count, $select: 'Omsetning,Dato' },
  ]
}

const literals: readonly Literals[] = payloads.map((text, index) => ({
  text,
  other: payloads[(index + 7) % payloads.length] ?? '',
  amount: `${index * 31}.${index % 10}`,
  date: `2024-05-${String(1 + (index % 28)).padStart(2, '0')}`,
  count: String(2 + index * 7),
}))

describe.each(databases)('on $name', (database) => {
  let recording: StatementRecording
  let server: TestServer
  beforeAll(async () => {
    recording = recordStatements()
    server = await startTestServer(database, 'statements')
  })
  afterAll(async () => {
    recording.stop()
    await server.close()
  })

  const sendAll = async (one: Literals): Promise<void> => {
    const { text, other, amount, date } = one
    for (const query of requestsWith(one)) {
      const search = new URLSearchParams(query).toString()
      // Only `/Finn` accepts `substringof`.
      const isStandard = !/\bsubstringof\(/.test(query['$filter'] ?? '')
      for (const path of isStandard ? [finn, '/omsetning/Omsetning'] : [finn]) {
        const reply = await server.call('GET', `${path}?${search}`)
        expect(reply.status, `${search}: ${reply.text}`).toBe(200)
      }
    }
    const row = { Dato: date, AvdelingID: text.slice(0, 50), Omsetning: amount, Merknad: other }
    const headers = { 'idempotency-key': `n${one.count}` }
    const list = '/dev/Omsetning/LagreEllerOppdaterListe'
    const inserted = await server.call('POST', '/dev/Omsetning/Lagre', { json: row, headers })
    expect(inserted.status, inserted.text).toBe(200)
    expect(inserted.json).toMatchObject({ AvdelingID: row.AvdelingID, Merknad: other })
    const { InntektsPlanId: id } = inserted.json
    for (const [path, json] of [
      [list, [row, { InntekstplanId: id, Merknad: text }]],
      ['/dev/Omsetning/Oppdater', { InntekstplanId: id, Merknad: other, Omsetning: amount }],
      ['/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', [row, row]],
      ['/dev/AggsertOmsetning', { ...row, Referanse: text }],
    ] as const)
      expect((await server.call('POST', path, { json })).status).toBe(200)
    expect((await server.call('DELETE', `/omsetning/Omsetning(${id})`)).status).toBe(204)
    for (const [firma, passord] of [
      [text, other],
      [server.tenantA.name, text],
    ] as const) {
      const search = new URLSearchParams({ firma, passord }).toString()
      const address = `192.0.2.${1 + (Number(one.count) % 250)}`
      await server.call('GET', `${finn}?${search}`, { as: null, address })
      await server.call('GET', `${finn}?${search}`, { as: null })
      await server.call('GET', finn, { as: null, headers: { 'tb-key': encodeURIComponent(text) } })
    }
  }

  test('I-10 other literals do not create other statements', async () => {
    const [first, ...others] = database.name === 'SQLite' ? literals : literals.slice(0, 12)
    if (first === undefined) throw new Error('no literals')
    await sendAll(first)
    const known = new Set(recording.compiled)
    expect(known.size).toBeGreaterThan(30)
    for (const one of others) await sendAll(one)
    // WAL checkpoints run between commits at any time.
    const added = recording.compiled.filter((text) => !known.has(text) && !text.startsWith('pragma'))
    expect(added).toEqual([])
  })

  test('I-10 no statement contains text from a request', () => {
    const words = payloads.filter((payload) => payload.length > 4)
    const leaked = recording.compiled.filter((text) => words.some((word) => text.includes(word)))
    expect(leaked).toEqual([])
  })

  test('I-10 every statement on company data filters by company', () => {
    const owned = [...new Set(recording.compiled)]
      .filter((text) => /^\s*(select|insert|update|delete|with)\b/i.test(text))
      .filter((text) => /"(revenue|revenueLog|idempotency)"/.test(text))
    expect(owned.length).toBeGreaterThan(10)
    expect(owned.filter((text) => !text.includes('"companyId"'))).toEqual([])
  })
})
