import { execFile } from 'node:child_process'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isAvailable } from './support/requirements.ts'
import { createTestDatabase, postgresServer } from './support/postgres.ts'
import { sandboxDate, startSandbox, useSandbox, type RunningSandbox } from './support/sandbox.ts'
import { addressOf } from './support/revenue-client.ts'
import type { Environment } from '../src/config/read-config.ts'
import { openTerminal, type Terminal } from './cli/terminal.ts'

const sandbox = useSandbox()

const startAnother: typeof startSandbox = async (...args) => {
  const another = await startSandbox(...args)
  let stopped: ReturnType<RunningSandbox['stop']> | undefined
  const stop = () => (stopped ??= another.stop())
  onTestFinished(async () => void (await stop()))
  return { ...another, stop }
}

function terminalWith(environment: Environment = {}): Terminal {
  const terminal = openTerminal(environment)
  onTestFinished(() => terminal.close())
  return terminal
}

interface Call {
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A body makes it a POST. */
  readonly body?: unknown
}

function call(
  path: string,
  { key = 'test-key', query = {}, headers = {}, body }: Call = {},
  { address } = sandbox,
): Promise<Response> {
  return fetch(address + addressOf(path, query), {
    headers: { 'tb-key': key, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function find(filter: string | null, of: Call = {}) {
  const query = filter === null ? undefined : { $filter: filter }
  const reply = await call('/dev/Omsetning/Finn', { ...of, ...(query && { query }) })
  expect(reply.status).toBe(200)
  return (await reply.json()) as Found[]
}

/** More wrong passwords, at once, than a server checks in a minute or queues. */
async function statusesOfGuesses({ address }: RunningSandbox, headers = {}): Promise<number[]> {
  const guesses = Array.from({ length: 120 }, (_, index) => `wrong${index}`)
  const replies = await Promise.all(
    guesses.map((passord) =>
      fetch(address + addressOf('/dev/Omsetning/Finn', { firma: 'EMPTY', passord }), { headers }),
    ),
  )
  return [...new Set(replies.map(({ status }) => status))]
}

function publicKeyOf(open: RunningSandbox): string {
  return /TEST {3}password \w{32} {2}key (dv_test_\w+)/.exec(open.stderr())?.[1] ?? ''
}

interface Found {
  readonly InntektsPlanId: number
  readonly Dato: string
  readonly AvdelingID: string
  readonly Omsetning: number
  readonly Merknad: string | null
}

function signIn(address: string, password: string): Promise<Response> {
  return fetch(`${address}/app/okt`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({ email: 'leder@test.example', password }),
  })
}

async function sessionCookie(address: string): Promise<string> {
  const cookies = (await signIn(address, 'test')).headers.get('set-cookie') ?? ''
  return /__Host-sid=[^;]*/.exec(cookies)?.[0] ?? ''
}

/** The day that the app shows as today. */
async function todayOf(address: string): Promise<string> {
  const headers = { cookie: await sessionCookie(address) }
  const session = (await (await fetch(`${address}/app/okt`, { headers })).json()) as { today: string }
  return session.today
}

/** Everything that a company's key can read, to the byte. */
async function allOf(one: RunningSandbox, key = 'test-key'): Promise<string> {
  const select = `InntektsPlanId,Dato,ipType,AvdelingID,Omsetning,Merknad,SistEndretDato,OpprettetDato`
  const records = await call('/dev/Omsetning/Finn', { key, query: { $select: select } }, one)
  const journal = await call('/omsetning/OmsetningLogg', { key }, one)
  const material = await call('/prosjekt/Transaksjon', { key }, one)
  expect([records.status, journal.status, material.status]).toEqual([200, 200, 200])
  // The URL is part of the context.
  const sets = (await journal.text()) + (await material.text())
  return (await records.text()) + sets.replaceAll(one.address, '')
}

describe('the data of the sandbox', () => {
  test('is the same to the byte at every start with the same date', async () => {
    const another = await startAnother()
    for (const key of ['test-key', 'test2-key', 'empty-key'])
      expect(await allOf(another, key)).toBe(await allOf(sandbox, key))
  })

  test('is different on another date', async () => {
    const another = await startAnother(['--sandbox-date', '2026-11-09'])
    expect(await allOf(another)).not.toBe(await allOf(sandbox))
  })

  test('covers three years, until the day before', async () => {
    const days = (await find(null)).map(({ Dato }) => Dato.slice(0, 10))
    expect(days.reduce((a, b) => (a < b ? a : b))).toBe('2023-11-16')
    expect(days.reduce((a, b) => (a > b ? a : b))).toBe('2026-11-15')
  })

  test('has every special case that a client must handle', async () => {
    const records = await find(null)
    const ofHardware = records.filter(({ AvdelingID }) => AvdelingID === '20')
    const days = new Set(ofHardware.map(({ Dato }) => Dato))
    expect(days.has('2026-05-17T00:00:00')).toBe(false)
    // 939 days that are neither Sundays nor holidays, minus those that nobody reported.
    expect(days.size).toBeGreaterThan(900)
    expect(days.size).toBeLessThan(936)
    expect(ofHardware.length).toBeGreaterThan(days.size)
    expect(records.filter(({ Omsetning }) => Omsetning < 0).length).toBeGreaterThan(20)
    expect(records.filter(({ Merknad }) => Merknad !== null).length).toBeGreaterThan(100)
    expect(records.some(({ Merknad }) => /["&]/.test(Merknad ?? ''))).toBe(true)
    expect(records.some(({ AvdelingID }) => AvdelingID === '007')).toBe(true)
  })

  test('was reported week by week: its changes can be read incrementally', async () => {
    const recent = await find('SistEndretDato gt 2026-11-01')
    expect(recent.length).toBeGreaterThan(50)
    expect(recent.length).toBeLessThan(150)
  })

  test('has material in every state, some of it waiting for a receiver', async () => {
    const reply = await call('/prosjekt/Transaksjon', { query: { $select: 'Status' } })
    const { value } = (await reply.json()) as { value: { Status: string }[] }
    const counts = Map.groupBy(value, ({ Status }) => Status)
    for (const state of ['Registrert', 'Godkjent', 'Avvist', 'Eksportert'])
      expect(counts.get(state)?.length, state).toBeGreaterThan(20)
    const waiting = await call('/prosjekt/TransaksjonsEksport/$count')
    expect(await waiting.text()).toBe(String(counts.get('Godkjent')?.length))
  })

  test('has exported lines that were retrieved before they were acknowledged', async () => {
    const reply = await call('/prosjekt/Transaksjon', { query: { $filter: "Status eq 'Eksportert'", $top: '1' } })
    const { value } = (await reply.json()) as { value: { Id: number }[] }
    const history = await call(`/prosjekt/TransaksjonsEksport(${value[0]?.Id})/Historikk`)
    expect(await history.json()).toMatchObject({
      value: [{ Hendelse: 'retrieved' }, { Hendelse: 'acknowledged', code: null }],
    })
  })

  test('is as old as its date says, whatever the clock says', async () => {
    const cookie = await sessionCookie(sandbox.address)
    const textOf = async (path: string) => {
      const reply = await fetch(sandbox.address + path, { headers: { cookie } })
      return reply.text()
    }
    expect(await todayOf(sandbox.address)).toBe(sandboxDate)
    const { overdue, stages } = JSON.parse(await textOf('/app/data/eksport'))
    const ready = stages.find(({ stage }: { stage: string }) => stage === 'ready')
    // What was approved the day before is not overdue yet, what nobody exported for weeks is.
    expect(overdue[0].count).toBeGreaterThan(0)
    expect(overdue[0].count).toBeLessThan(ready.count)
    const latency = await textOf('/app/data/eksport/ventetid?from=2026-11-01&to=2026-11-16')
    const days = JSON.parse(latency).all.longestWaiting / 86_400_000_000
    expect(days).toBeGreaterThan(15)
    expect(days).toBeLessThan(16)
  })

  test('belongs to companies that do not see each other', async () => {
    const filter = "AvdelingID eq '20' and Dato eq datetime('2026-11-14')"
    const [mine] = await find(filter)
    const [other] = await find(filter, { key: 'test2-key' })
    expect(mine?.Omsetning).not.toBe(other?.Omsetning)
    expect(await find("AvdelingID eq '10'", { key: 'test2-key' })).toEqual([])
    expect(await find(null, { key: 'empty-key' })).toEqual([])
  })
})

describe('authentication in the sandbox', () => {
  test.each([
    ['TEST', 'test'],
    ['TEST2', 'test2'],
    ['EMPTY', 'empty'],
  ])('%s has the password %s', async (firma, passord) => {
    const query = { firma, passord, $top: '1' }
    const reply = await fetch(sandbox.address + addressOf('/dev/Omsetning/Finn', query))
    expect(reply.status).toBe(200)
  })

  test('calls are counted and never refused, also those of other machines to a public sandbox', async () => {
    const flags = ['--rate-limit', '3', '--sandbox-public', '--trust-proxy', '127.0.0.1']
    const limited = await startAnother(flags)
    const headers = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Proto': 'https' }
    const key = publicKeyOf(limited)
    const query = { $top: '1' }
    const send = () => call('/dev/Omsetning/Finn', { key, query, headers }, limited)
    const replies = [await send(), await send(), await send()]
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    for (const { headers } of replies) expect(headers.get('RateLimit')).toMatch(/^"default";r=0;t=\d+$/)
    const usual = await call('/dev/Omsetning/Finn', { query: { $top: '1' } })
    expect(usual.headers.get('RateLimit-Policy')).toBe('"default";q=6000;w=60')
    expect(await statusesOfGuesses(limited, headers)).toEqual([401])
  })

  test('any number of wrong passwords is checked, of companies and of people', async () => {
    expect(await statusesOfGuesses(sandbox)).toEqual([401])
    for (let guess = 0; guess < 10; guess++) expect((await signIn(sandbox.address, `wrong${guess}`)).status).toBe(401)
    expect((await signIn(sandbox.address, 'test')).status).toBe(204)
  })

  test('a public sandbox generates its own secrets, and keeps the rest', async () => {
    const open = await startAnother(['--sandbox-public'])
    expect((await call('/dev/Omsetning/Finn', {}, open)).status).toBe(401)
    const key = publicKeyOf(open)
    const records = await call('/dev/Omsetning/Finn', { key, query: { $top: '1000' } }, open)
    const same = await call('/dev/Omsetning/Finn', { query: { $top: '1000' } })
    expect(await records.text()).toBe(await same.text())
    expect(open.stderr()).not.toMatch(/password test\b/)
  })
})

test('every reply identifies the sandbox, also to an invalid request', async () => {
  const replies = [
    await call('/dev/Omsetning/Finn', { query: { $top: '1' } }),
    await call('/dev/Omsetning/Finn', { key: 'wrong' }),
    await call('/nowhere'),
    await call('/livez'),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 401, 404, 200])
  expect(replies.map(({ headers }) => headers.get('X-Sandbox'))).toEqual(Array(4).fill('true'))
  const { port } = new URL(sandbox.address)
  const socket = connect(Number(port), '127.0.0.1').end('NO REQUEST\r\n\r\n')
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 [^]*\r\nX-Sandbox: true\r\n/)
})

describe('X-Sandbox-Fault', () => {
  const cell = { Dato: '2030-01-02', AvdelingID: '20' }
  const add = (fault: string, amount: number, { address } = sandbox) =>
    call(
      '/dev/Omsetning/AggsertOmsetning',
      { headers: { 'X-Sandbox-Fault': fault }, body: { ...cell, Omsetning: amount } },
      { ...sandbox, address },
    )
  const total = async () => (await find("Dato eq datetime('2030-01-02') and AvdelingID eq '20'"))[0]?.Omsetning

  test('429 and 503 reject with Retry-After, and nothing is done', async () => {
    for (const status of [429, 503]) {
      const reply = await add(String(status), 1)
      expect(reply.status).toBe(status)
      expect(reply.headers.get('Retry-After')).toBe('1')
      expect(await reply.json()).toMatchObject({ error: { outcome: 'not_applied' } })
    }
    expect(await total()).toBe(undefined)
  })

  test('slow delays the reply, and the work is done', async () => {
    const quick = await add('slow=0', 2)
    expect(await quick.json()).toMatchObject({ Omsetning: 2 })
    const impatience = new AbortController()
    const { signal } = impatience
    const late = fetch(`${sandbox.address}/livez`, { headers: { 'X-Sandbox-Fault': 'slow=600000' }, signal })
    const answered = await Promise.race([late, add(' SLOW=1 ', 3)])
    expect(await answered.json()).toMatchObject({ Omsetning: 5 })
    impatience.abort()
    await expect(late).rejects.toThrow('aborted')
  })

  test('drop-after-commit does the work and cuts the connection', async () => {
    const before = (await total()) ?? 0
    await expect(add('drop-after-commit', 4)).rejects.toThrow('fetch failed')
    expect(await total()).toBe(before + 4)
  })

  test('an invalid request is rejected as without a fault', async () => {
    const reply = await call('/dev/Omsetning/Lagre', {
      headers: { 'X-Sandbox-Fault': 'drop-after-commit' },
      body: { Dato: 'i går' },
    })
    expect(reply.status).toBe(400)
  })

  test.each(['', '500', 'slow', 'slow=', 'slow=-1', 'slow=1e3', 'slow=600001', '429, 503', 'drop'])(
    'an unknown fault is rejected: "%s"',
    async (fault) => {
      const before = await total()
      const reply = await add(fault, 8)
      expect(reply.status).toBe(400)
      expect(await reply.json()).toMatchObject({ error: { code: 'InvalidValue', target: 'header:X-Sandbox-Fault' } })
      expect(await total()).toBe(before)
    },
  )
})

describe('the printed examples', () => {
  const calls = () =>
    sandbox
      .stderr()
      .split('Examples to copy:\n')[1]
      ?.trim()
      .split(/\n\n(?=curl)/) ?? []

  test.runIf(isAvailable('curl'))('are calls of sections 4.1, 4.2 and 4.4 that work when pasted', async () => {
    const run = promisify(execFile)
    const replies: string[] = []
    for (const one of calls()) replies.push((await run('sh', ['-c', one.replaceAll('curl ', 'curl -sS -f ')])).stdout)
    const xml = replies.pop()
    const [set, [found], updated, inserted, list, added, ...material] = replies.map((one) => JSON.parse(one))
    const [registered, approved, offered, acknowledged] = material
    const { id } = registered.resultater[0]
    expect(approved.resultater).toEqual([{ id, code: 'approved' }])
    expect(offered.value).toMatchObject([{ Id: id }, {}, {}])
    expect(acknowledged.resultater).toEqual([{ id, code: 'exported' }])
    const cell = { Dato: `${sandboxDate}T00:00:00`, AvdelingID: '20', ipType: 'I' }
    expect(set).toEqual([expect.objectContaining({ ...cell, Omsetning: 12500.5 })])
    expect(found).toMatchObject({ AvdelingID: '20', Dato: '2026-11-14T00:00:00' })
    expect(updated).toMatchObject({ InntektsPlanId: 1, Omsetning: 9800 })
    expect(inserted).toMatchObject({ ...cell, Omsetning: 99.9, Merknad: 'Catering' })
    expect(list).toMatchObject([
      { InntektsPlanId: 1, Omsetning: 9800, Merknad: 'Rettet' },
      { ...cell, Omsetning: 10 },
    ])
    expect(added).toMatchObject({ ...cell, Omsetning: 12750.5 })
    expect(xml).toMatch(/<ArrayOfOmsetning.*(<Omsetning><Inn.*){3}/s)
    for (const address of Object.values(sectionFour)) expect(calls().join()).toContain(address)
  })

  const sectionFour = [
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato?',
    '/dev/Omsetning/Finn?',
    '/dev/Omsetning/Oppdater?',
    '/dev/Omsetning/Lagre?',
    '/dev/Omsetning/LagreEllerOppdaterListe?',
    '/AggsertOmsetning?',
    '/prosjekt/Transaksjon/Batch',
    '/prosjekt/TransaksjonsEksport?',
    '/prosjekt/Transaksjonseksport/Eksportert',
  ]
})

describe('isolation of the sandbox', () => {
  test('its folder is deleted when it ends', async () => {
    const another = await startAnother()
    expect(another.files()).toEqual([expect.stringMatching(/^dagsverk-sandbox-/)])
    expect(await another.stop()).toEqual({ exitCode: 0, files: [] })
  })

  const url = 'sqlite:somewhere.db'
  test.each([
    [78, 'names a database', ['--sandbox', '--database-url', url], {}],
    [78, 'names a database', ['--sandbox'], { DAGSVERK_DATABASE_URL: url }],
    [78, 'public', ['--sandbox', '--host', '0.0.0.0', '--public-url', 'https://x.example'], {}],
    [78, 'postgres://', ['--sandbox', '--sandbox-store', url], {}],
    [78, 'PGPASSWORD', ['--sandbox', '--sandbox-store', 'postgres://u:p@127.0.0.1:1/d'], {}],
    [70, 'cannot be opened', ['--sandbox', '--sandbox-store', 'postgres://127.0.0.1:1/d'], {}],
    [2, '--sandbox-date', ['--sandbox', '--sandbox-date', '2026-02-30'], {}],
    [2, '--sandbox-date', ['--sandbox', '--sandbox-date', 'today'], {}],
    [2, '--sandbox', ['--sandbox-date', '2026-11-16'], {}],
    [2, '--sandbox', ['--sandbox-public'], {}],
  ])('it exits with %d and says "%s" for %j %j', async (exitCode, words, args, environment) => {
    const terminal = terminalWith(environment)
    const ended = await terminal.run('serve', '--port', '0', ...args)
    expect(ended.exitCode).toBe(exitCode)
    expect(ended.stderr).toContain(words)
  })

  test('without a date its data ends with yesterday in its time zone, and today is today', async () => {
    const terminal = terminalWith({ DAGSVERK_PORT: '0', DAGSVERK_LOG_LEVEL: 'silent' })
    terminal.clock.now = Date.UTC(2026, 10, 22, 23, 59) * 1000
    const running = terminal.start(['--sandbox'])
    const [, address = ''] = await running.stderr(/serves on (http\S+)[^]*--sandbox-date 2026-11-23,/)
    expect(await todayOf(address)).toBe('2026-11-23')
    running.stop()
    expect((await running.ended).exitCode).toBe(0)
  })
})

describe.skipIf(postgresServer === undefined)('on PostgreSQL', () => {
  const makeStore = async () => {
    const { url, drop } = await createTestDatabase('sandbox')
    onTestFinished(drop)
    const plain = new URL(url)
    const password = decodeURIComponent(plain.password)
    plain.password = ''
    return { url, flags: ['--sandbox-store', plain.href], environment: { PGPASSWORD: password } }
  }

  test('it has the same data, to the byte, and takes any number of wrong passwords', async () => {
    const { flags, environment } = await makeStore()
    const another = await startAnother(flags, environment)
    const ownData = await startAnother()
    for (const key of ['test-key', 'test2-key']) expect(await allOf(another, key)).toBe(await allOf(ownData, key))
    expect(await statusesOfGuesses(another)).toEqual([401])
  })

  test('an earlier sandbox is replaced, and no real server opens it', async () => {
    const { url, flags, environment } = await makeStore()
    const first = await startAnother(flags, environment)
    const before = await allOf(first)
    await call('/dev/Omsetning/Oppdater', { body: { InntekstplanId: 1, Omsetning: 1 } }, first)
    expect(await allOf(first)).not.toBe(before)
    await first.stop()

    const terminal = terminalWith({ DAGSVERK_DATABASE_URL: url })
    const { stdout } = await terminal.run('key', 'master')
    terminal.environment = { ...terminal.environment, DAGSVERK_MASTER_KEY: stdout.trim() }
    expect(await terminal.run('serve', '--port', '0')).toMatchObject({ exitCode: 78 })

    const second = await startAnother(flags, environment)
    expect(await allOf(second)).toBe(before)
  })

  test('a database with anything else in it is rejected and left unchanged', async () => {
    const { url, flags } = await makeStore()
    const terminal = terminalWith({ DAGSVERK_DATABASE_URL: url })
    await terminal.run('migrate')
    const { stdout } = await terminal.run('key', 'master')
    terminal.environment = { ...terminal.environment, DAGSVERK_MASTER_KEY: stdout.trim() }
    expect(await terminal.run('company', 'add', 'Fjord')).toMatchObject({ exitCode: 0 })
    const other = terminalWith()
    const refused = await other.run('serve', '--port', '0', '--sandbox', ...flags)
    expect(refused).toMatchObject({ exitCode: 78 })
    expect(await terminal.json('company', 'list')).toMatchObject([{ name: 'Fjord' }])
  })
})
