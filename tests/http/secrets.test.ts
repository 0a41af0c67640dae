// ADR 0037: no secret is disclosed, wherever it was sent and whatever failed.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import fastify from 'fastify'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { publicRoutes } from '../../src/api/public-routes.ts'
import { routes } from '../../src/api/routes.ts'
import { codeAt } from '../../src/auth/mfa/totp.ts'
import { oidcClient, startProvider } from '../app/identity-provider.ts'
import { parseSeed } from '../app/seed.ts'
import { databases, type DatabaseKind } from '../support/databases.ts'
import { root } from '../support/repository.ts'
import { findCanaries, newCanary, type Canary } from './canaries.ts'
import { openRawConnection, request } from './conversation.ts'

const finn = '/dev/Omsetning/Finn'
const lagre = '/dev/Omsetning/Lagre'
function basic(name: string, password: string) {
  return `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
}

// It searches every file and reply for every secret: a busy machine takes more than the usual minute.
vi.setConfig({ testTimeout: 180_000 })

describe.each(databases)('on $name', (database) => {
  test('S-12 no secret is in a log, a reply, the database or a file', async () => {
    const server = await startServer(database)
    const { secrets, canary } = server
    const say = async (bytes: string | Buffer): Promise<string> => {
      const conversation = openRawConnection(server.address)
      await conversation.send(bytes)
      const reply = await conversation.ended
      server.replies.push(reply)
      return reply
    }
    const call = (method: string, path: string, headers: readonly string[] = [], body = '') =>
      say(
        Buffer.from(
          request(
            [
              `${method} ${path} HTTP/1.1`,
              'Host: localhost',
              'Connection: close',
              ...headers,
              ...(body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]),
            ],
            body,
          ),
        ),
      )

    // The server has no owner yet: API routes are rejected, and so is a guessed set-up token.
    const json = 'Content-Type: application/json'
    const setup = {
      company: 'Fjord',
      email: 'eier@fjord.example',
      companyPassword: canary('the chosen password').secret,
      password: canary('the password of the owner').secret,
      keyName: 'kasse',
      scopes: 'revenue:*',
    }
    for (const path of [finn, '/setup', '/livez'])
      await call('GET', `${path}?token=${secrets.token}&passord=${secrets.query}`)
    for (const wrong of [
      { ...setup, token: canary('a wrong token').secret },
      { ...setup, token: secrets.token, password: 'kort' },
      { ...setup, token: secrets.token, ukjent: canary('a password in a wrong field').secret },
    ])
      await call('POST', '/setup', [json], JSON.stringify(wrong))
    await call(
      'POST',
      '/setup',
      ['Content-Type: application/x-www-form-urlencoded'],
      new URLSearchParams({ ...setup, token: secrets.token, timezone: 'Nowhere' }).toString(),
    )
    const made = await call('POST', '/setup', [json], JSON.stringify({ ...setup, token: secrets.token }))
    expect(made).toMatch(/^HTTP\/1\.1 201/)
    // The one reply whose purpose is to show a secret.
    server.replies.pop()
    const { key } = JSON.parse(made.slice(made.indexOf('\r\n\r\n') + 4))
    server.canaries.push({ name: 'the key', secret: key, core: key.split('_')[3] })
    await call('POST', '/setup', [json], JSON.stringify({ ...setup, token: secrets.token }))

    const right = encodeURIComponent(setup.companyPassword)
    const account = `firma=Fjord&passord=${right}`
    expect(await call('GET', `${finn}?${account}`)).toMatch(/^HTTP\/1\.1 200/)
    expect(await call('GET', finn, [`tb-key: ${key}`])).toMatch(/^HTTP\/1\.1 200/)
    const row = '{"Dato":"2024-05-01","AvdelingID":"20","Omsetning":100}'

    await signInEverywhere(server, call, setup)

    // Every credential, right and wrong, by every authentication method.
    const wrong = (name: string) => encodeURIComponent(canary(name).secret)
    const credentialForms: readonly [query: string, headers: readonly string[]][] = [
      [account, []],
      [`key=${key}`, []],
      ['', [`tb-key: ${key}`]],
      ['', [`Authorization: Bearer ${key}`]],
      ['', [`Authorization: ${basic('Fjord', setup.companyPassword)}`]],
      ['', ['X-Firma: Fjord', `X-Passord: ${right}`]],
      [`firma=Fjord&passord=${wrong('a wrong password')}`, []],
      [`firma=${wrong('a password in the place of the name')}&passord=x`, []],
      [`Passord=${wrong('a password without a name')}`, []],
      [`key=${wrong('a wrong key')}`, []],
      ['', [`tb-key: ${wrong('a wrong key in a header')}`]],
      ['', [`Authorization: Bearer ${wrong('a wrong bearer')}`]],
      ['', [`Authorization: ${basic('Fjord', canary('a wrong basic').secret)}`]],
      ['', [`Authorization: Digest ${wrong('another scheme')}`]],
      ['', ['X-Firma: Fjord', `X-Passord: ${wrong('a wrong header')}`]],
    ]
    for (const { method, path } of [...routes, ...publicRoutes]) {
      if (method === 'POST' && path === '/setup') continue
      for (const [query, headers] of credentialForms) {
        const body = method === 'POST' ? (path.endsWith('Liste') ? `[${row}]` : row) : ''
        const address = `${path.replace(':id', '4711')}?${query}`
        await call(method, address, body === '' ? headers : [json, ...headers], body)
      }
    }

    // Forty ways to fail with a right credential in the URL.
    const post = (query: string, headers: readonly string[], body: string) =>
      call('POST', `${lagre}?${account}${query}`, headers, body)
    for (const query of failingQueries) await call('GET', `${finn}?${account}${query.replace('RIGHT', right)}`)
    for (const path of ['/ikke/her', '/dev/%zz', '/dev/Omsetning/Finn/', '//dev', '/../etc', '*'])
      await call('GET', `${path}?${account}`)
    for (const path of [`/${right}`, `/dev/${right}`, `/omsetning/Omsetning(${right})`]) await call('GET', path)
    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'HEAD', 'CONNECT', 'get'])
      await call(method, `${finn}?${account}`)
    for (const header of failingHeaders) {
      await call('GET', `${finn}?${account}`, [header.replace('RIGHT', right)])
      await post('', [json, header.replace('RIGHT', right)], row)
    }
    for (const body of ['{', '[', 'null', '{"a":1}', '{"InntekstplanId":7}', '{"Dato":"x"}', '<x/>'])
      await post('', [json], body)
    await post('&dry_run=true', [json], row)
    await post('&atomic=maybe', [json], row)
    await post('', ['Content-Type: text/plain'], row)
    await post('', ['Content-Type: application/xml'], '<!DOCTYPE x><x/>')
    for (const line of [
      `GET ${finn}?${account} HTTP/9.9`,
      `GET ${finn}?${account}`,
      `HENT ${finn}?${account} HTTP/1.1`,
      `GET ${finn}?passord=${setup.companyPassword} HTTP/1.1`,
      right,
    ])
      await say(Buffer.from(`${line}\r\nHost: localhost\r\n\r\n`))

    // And an internal error, with the secret in the URL.
    await server.breakIt()
    expect(await call('GET', `${finn}?${account}`)).toMatch(/^HTTP\/1\.1 500/)

    const { log, stderr, files } = await server.stop()
    expect(log.length).toBeGreaterThan(10_000)
    const setupLink = new RegExp(`#${secrets.token}\n`, 'g')
    const everything = {
      'the log': log,
      // The link is for the person who started the server, on that terminal.
      'the screen': stderr.replace(setupLink, ''),
      'an answer': server.replies.join('\n'),
      ...files,
    }
    const found = Object.entries(everything).flatMap(([where, text]) =>
      findCanaries(Buffer.from(text, 'latin1'), server.canaries).map((one) => `${where}: ${one}`),
    )
    expect(found).toEqual([])

    const lines = log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const names = new Set(lines.flatMap((line) => Object.keys(line)))
    expect([...names].filter((name) => !logged.has(name))).toEqual([])
    const errors = lines.filter(({ level }) => level >= 50)
    expect(errors.map(({ status, code }) => [status, code])).toEqual([[500, 'InternalError']])
    expect(Object.keys(errors[0].err).sort()).toEqual(['message', 'stack', 'type'])
    const explained = lines.filter(({ err }) => err !== undefined)
    expect(explained).toHaveLength(1)
  })
})

test('S-12 the search detects what a misconfigured server discloses in its log and its replies', async () => {
  let log = ''
  const careless = fastify({ logger: { level: 'trace', stream: { write: (line: string) => void (log += line) } } })
  const canary = newCanary('a password')
  const { body } = await careless.inject(`/finn?passord=${encodeURIComponent(canary.secret)}`)
  expect(findCanaries(Buffer.from(log), [canary])).toEqual(['a password, plain'])
  expect(findCanaries(Buffer.from(body), [canary])).toEqual(['a password, plain'])
  for (const [form, written] of [
    ['plain', encodeURIComponent(encodeURIComponent(canary.secret))],
    ['plain', JSON.stringify(canary.secret).toUpperCase()],
    ['in hexadecimal', Buffer.from(canary.secret).toString('hex').toUpperCase()],
    ['in base64', Buffer.from(canary.secret).toString('base64')],
    ['in base64', basic('A', canary.secret)],
    ['in base64', basic('AB', canary.secret)],
    ['in base64', Buffer.from(`ABC:${canary.secret}`).toString('base64url')],
  ])
    expect(findCanaries(Buffer.from(`x${written}y`), [canary])).toEqual([`a password, ${form}`])
})

type Server = Awaited<ReturnType<typeof startServer>>

type Call = (method: string, path: string, headers?: readonly string[], body?: string) => Promise<string>

/**
 * The owner in the app: with a second factor, on a trusted device, and through the identity
 * provider.
 */
async function signInEverywhere(
  { canaries, replies, provider }: Server,
  call: Call,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<void> {
  const addCanary = (name: string, secret: string) => canaries.push({ name, secret, core: secret })
  const ours = ['Content-Type: application/json', 'Sec-Fetch-Site: same-origin']
  /** A reply whose purpose is to show secrets, so it is not searched. */
  const secretReply = async (...args: Parameters<Call>): Promise<string> => {
    const reply = await call(...args)
    replies.pop()
    expect(reply).toMatch(/^HTTP\/1\.1 (20|303)/)
    return reply
  }
  const cookieNamed = (reply: string, name: string): string => {
    const value = new RegExp(`${name}=(?<value>[^;]+)`).exec(reply)?.groups?.['value'] ?? ''
    addCanary(`the cookie ${name}`, value)
    return `Cookie: ${name}=${value}`
  }
  const bodyOf = (reply: string) => JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4))
  const signIn = (more: object = {}) =>
    secretReply('POST', '/app/okt', ours, JSON.stringify({ email, password, ...more }))
  const tokenOf = async (cookie: string) => {
    const { csrf } = bodyOf(await secretReply('GET', '/app/okt', [cookie]))
    addCanary('the token of acts', csrf)
    return `X-CSRF-Token: ${csrf}`
  }

  const cookie = cookieNamed(await signIn(), '__Host-sid')
  const signedIn = [...ours, cookie, await tokenOf(cookie)]
  const { secret } = bodyOf(await secretReply('POST', '/app/data/konto/totrinn', signedIn))
  addCanary('the seed', secret)
  for (const form of ['hex', 'base64', 'base64url'] as const)
    addCanary(`the seed in ${form}`, parseSeed(secret).toString(form).replace('=', ''))
  const code = () => codeAt(parseSeed(secret), Date.now() * 1000)
  const confirm = '/app/data/konto/totrinn/bekreft'
  const confirmed = await secretReply('POST', confirm, signedIn, JSON.stringify({ code: code() }))
  const { codes } = bodyOf(confirmed)
  for (const one of codes) addCanary('a recovery code', one)
  const trusted = await signIn({ code: codes[0], trust: 'true' })
  const device = cookieNamed(trusted, '__Host-device')
  const again = cookieNamed(trusted, '__Host-sid')
  const left = await secretReply('POST', '/app/sso', ours, '{}')
  const transaction = cookieNamed(left, '__Host-sso')
  const { searchParams } = await provider.signIn(bodyOf(left).address, 'fremmed')
  const came = Object.fromEntries(searchParams)
  addCanary('the code of the provider', came['code'] ?? '')

  // Right and wrong, and in places where no credential belongs.
  const query = searchParams.toString()
  for (const headers of [[transaction], [transaction], [], [device, again]])
    await call('GET', `/app/sso/svar?${query}`, headers)
  for (const [method, path] of [
    ['GET', '/app/data/konto'],
    ['GET', '/app/okt'],
    ['POST', '/app/okt'],
    ['POST', confirm],
    ['POST', '/app/sso'],
  ] as const)
    for (const headers of [[`${again}; ${device.slice(8)}`], [device], [`X-Device: ${device}`]]) {
      const body = method === 'GET' ? '' : JSON.stringify({ code: codes[1], email, password, secret })
      const reply = await call(method, `${path}?secret=${secret}&code=${codes[1]}`, headers, body)
      if (/^X-CSRF|"csrf"/m.test(reply)) replies.pop()
    }
}

/** RIGHT is replaced by the password. */
const failingQueries = `
&$filter=Dato+eq &$filter=( &$orderby=x &$select=x &$top=-1 &$top=1e3 &$skip=x &$foo=1 &$format=pdf
&$count=maybe &passord=RIGHT &Passord=RIGHT &passord[]=RIGHT &firma=RIGHT &key=RIGHT &key=RIGHT&key=RIGHT
&%zz %ff %00 &$expand=x &$filter=tolower(Merknad)+eq+1 &$filter=${'('.repeat(100)} &x=${'x'.repeat(16_384)}
`
  .trim()
  .split(/\s+/)

const failingHeaders = [
  'Host: localhost',
  'Host: evil.example',
  'Expect: tea',
  'X-Request-Id: RIGHT',
  'Idempotency-Key: a b',
  'Accept: application/xml',
  'Accept: application/problem+json',
  'Accept-Language: nb',
  'Content-Type: text/plain',
  'Transfer-Encoding: gzip',
  'Content-Encoding: gzip',
  `Referer: http://localhost${finn}?firma=Fjord&passord=RIGHT`,
  'Cookie: passord=RIGHT',
  'X-Forwarded-For: RIGHT',
  'Prefer: RIGHT',
  `X: RIGHT${'x'.repeat(20_000)}`,
  `X: RIGHT${'x'.repeat(60_000)}`,
  'X: RIGHT\0',
]

/** The allowed fields of a log line. */
const logged = new Set(
  `level time pid hostname msg id reqId method route status ms
  companyId credentialId code reason err res`.split(/\s+/),
)

async function startServer(database: DatabaseKind) {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-secrets-'))
  const { url, drop } = await database.make('secrets')
  onTestFinished(async () => {
    rmSync(folder, { recursive: true, force: true })
    await drop()
  })
  const canaries: Canary[] = []
  const canary = (name: string): Canary => {
    const known = canaries.find((one) => one.name === name)
    if (known !== undefined) return known
    const made = newCanary(name)
    canaries.push(made)
    return made
  }
  const masterKey = randomBytes(32)
  for (const form of ['hex', 'base64', 'base64url'] as const) {
    const secret = masterKey.toString(form)
    canaries.push({ name: `the master key in ${form}`, secret, core: secret.slice(0, 40) })
  }
  const provider = await startProvider('http://localhost/app/sso/svar', canary('the secret of the provider').core)
  onTestFinished(() => provider.close())
  const databaseUrl = withPassword(url, canary('the password of the database').core)
  const server = spawn(process.execPath, ['src/dagsverk.js', 'serve'], {
    cwd: root,
    env: {
      DAGSVERK_PORT: '0',
      DAGSVERK_DATA_DIR: folder,
      DAGSVERK_DATABASE_URL: databaseUrl,
      DAGSVERK_MASTER_KEY: masterKey.toString('base64'),
      DAGSVERK_LOG_LEVEL: 'trace',
      DAGSVERK_OIDC_ISSUER: provider.issuer,
      DAGSVERK_OIDC_CLIENT_ID: oidcClient.id,
      DAGSVERK_OIDC_CLIENT_SECRET: canary('the secret of the provider').core,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  let stderr = ''
  server.stdout.setEncoding('latin1').on('data', (chunk: string) => (log += chunk))
  server.stderr.setEncoding('latin1').on('data', (chunk: string) => (stderr += chunk))
  const exited = once(server, 'exit')
  await expect.poll(() => stderr, { timeout: 20_000 }).toMatch(/serves on (\S+)\n[^]*#[\w-]{43}\n/)
  const address = /serves on (?<address>http\S+)/.exec(stderr)?.groups?.address ?? ''
  const token = /#(?<token>[\w-]{43})\n/.exec(stderr)?.groups?.token ?? ''
  canaries.push({ name: 'the set-up token', secret: token, core: token })
  return {
    address,
    provider,
    canaries,
    canary,
    secrets: { token, query: encodeURIComponent(canary('a password before the set-up').secret) },
    replies: new Array<string>(),
    breakIt: () => runSql(url, 'drop table revenue'),
    stop: async () => {
      const contents = await contentsOf(url)
      server.kill('SIGTERM')
      await exited
      return { log, stderr, files: { ...contents, ...filesIn(folder) } }
    },
  }
}

/** A server with authentication disabled accepts any password. */
function withPassword(url: string, password: string): string {
  if (url.startsWith('sqlite:')) return url
  const changed = new URL(url)
  changed.password = password
  return changed.href
}

async function runSql(url: string, sql: string): Promise<void> {
  if (url.startsWith('sqlite:')) {
    const file = new Database(url.slice('sqlite:'.length))
    file.exec(sql)
    file.close()
    return
  }
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** The bytes of the database files, or all rows of the PostgreSQL database. */
async function contentsOf(url: string): Promise<Record<string, string>> {
  if (url.startsWith('sqlite:')) return filesIn(dirname(url.slice('sqlite:'.length)))
  const client = new Client({ connectionString: url })
  await client.connect()
  const tables = await client.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  )
  const rows: string[] = []
  for (const { name } of tables.rows) {
    const found = await client.query<{ row: string }>(`select t::text as row from "${name}" t`)
    rows.push(...found.rows.map(({ row }) => row))
  }
  await client.end()
  expect(rows.length).toBeGreaterThan(5)
  return { 'the database': rows.join('\n') }
}

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // Like the screen, for the person who started the server.
      .filter((one) => one.isFile() && one.name !== 'setup-link')
      .map(({ name, parentPath }) => [name, readFileSync(join(parentPath, name), 'latin1')]),
  )
}
