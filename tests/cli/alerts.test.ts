// Metrics and configuration reload of a running server.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { freePort } from '../support/ports.ts'
import { useServers, useTerminal, type RunningCommand } from './terminal.ts'

const terminal = useTerminal({ DAGSVERK_PORT: '0' })
const serve = useServers(terminal)

function finn(address: string, password: string, company = 'Fjord') {
  return fetch(`${address}/dev/Omsetning/Finn?firma=${company}&passord=${password}`)
}

function withHeaders(address: string, password: string) {
  return fetch(`${address}/dev/Omsetning/Finn`, { headers: { 'x-firma': 'Fjord', 'x-passord': password } })
}

async function codeOf(reply: Response): Promise<string> {
  return JSON.parse(await reply.text()).error.code
}

/** The warnings and errors of the log that were not written for a request. */
function notes(server: RunningCommand): Record<string, unknown>[] {
  return server
    .stdout()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
    .filter((line) => !('route' in line) && line.level > 30)
}

function writeConfig(config: object) {
  return writeFileSync(join(terminal.folder, 'data', 'dagsverk.json'), JSON.stringify(config))
}

test('metrics are served on their own port, by route and status, without company names or secrets', async () => {
  const port = await freePort()
  terminal.environment = { ...terminal.environment, DAGSVERK_METRICS_PORT: String(port) }
  const { address } = await serve()
  const { password } = await terminal.json('company', 'add', 'Fjordkassen')
  expect((await finn(address, password, 'Fjordkassen')).status).toBe(200)
  for (let guess = 0; guess < 3; guess++) expect((await finn(address, `gjett${guess}`, 'Fjordkassen')).status).toBe(401)
  await fetch(`${address}/hemmelig/sted`)
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const valueOf = (series: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${series} `))
      ?.split(' ')[1]
  const count = (labels: string) => valueOf(`dagsverk_http_request_duration_seconds_count{${labels}}`)
  expect(count('route="/dev/Omsetning/Finn",method="GET",status="2xx"')).toBe('1')
  expect(count('route="/dev/Omsetning/Finn",method="GET",status="4xx"')).toBe('3')
  expect(count('route="-",method="GET",status="4xx"')).toBe('1')
  expect(valueOf('dagsverk_refusals_total{code="InvalidCredentials"}')).toBe('3')
  for (const series of [
    'dagsverk_http_connections',
    'dagsverk_http_body_bytes_in_flight',
    'dagsverk_password_checks_running',
    'dagsverk_password_checks_waiting',
    'dagsverk_store_operations_waiting',
    'dagsverk_store_streams_open',
    'dagsverk_store_connections_open',
    'dagsverk_store_connections_idle',
    'dagsverk_store_connections_awaited',
    'dagsverk_store_commits_total',
    'dagsverk_store_operations_total',
    'nodejs_eventloop_lag_seconds',
  ])
    expect(Number(valueOf(series)), series).toBeGreaterThanOrEqual(0)
  for (const hidden of [password, 'Fjordkassen', 'gjett', 'hemmelig']) expect(text).not.toContain(hidden)
  expect((await fetch(`${address}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)
})

test('a metrics port in use is reported with its setting', async () => {
  const { address } = await serve()
  const { port } = new URL(address)
  terminal.environment = { ...terminal.environment, DAGSVERK_METRICS_PORT: port }
  const { exitCode, stderr } = await terminal.run('serve', '--data-dir', 'other')
  expect(exitCode).toBe(78)
  expect(stderr).toContain('DAGSVERK_METRICS_PORT')
})

test('several workers require PostgreSQL and are rejected with SQLite', async () => {
  terminal.environment = { ...terminal.environment, DAGSVERK_WORKERS: '2' }
  const { exitCode, stderr } = await terminal.run('serve')
  expect(exitCode).toBe(78)
  expect(stderr).toMatch(/^dagsverk: DAGSVERK_WORKERS sets 2 processes[^\n]*PostgreSQL[^\n]*\n$/)
})

test('a reload can disable query credentials for all companies; headers still work', async () => {
  await terminal.run('migrate')
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const { address, server } = await serve()
  const before = await finn(address, password)
  expect(before.status).toBe(200)
  expect(before.headers.get('deprecation')).toBe('@1767225600')
  writeConfig({ queryCredentials: 'deny' })
  server.reload()
  const refused = await finn(address, password)
  expect(refused.status).toBe(403)
  expect(refused.headers.get('link')).toContain('rel="deprecation"')
  expect(await codeOf(refused)).toBe('QueryCredentialsNotAllowed')
  // The error does not reveal whether a guess was correct.
  expect(await codeOf(await finn(address, 'feil'))).toBe('QueryCredentialsNotAllowed')
  expect((await withHeaders(address, password)).status).toBe(200)
  expect(notes(server)).toMatchObject([
    { setting: 'queryCredentials', before: 'allow', after: 'deny', msg: 'setting changed' },
  ])
})

test('a company setting disables query credentials, after the secret was verified', async () => {
  const { address } = await serve()
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const other = await terminal.json('company', 'add', 'Fjell')
  await terminal.run('company', 'set', 'Fjord', '--refuses-query-credentials', 'on')
  expect(await codeOf(await finn(address, password))).toBe('QueryCredentialsNotAllowed')
  expect(await codeOf(await finn(address, 'feil'))).toBe('InvalidCredentials')
  expect((await withHeaders(address, password)).status).toBe(200)
  expect((await finn(address, other.password, 'Fjell')).status).toBe(200)
})

test('a reload changes limits, hosts and log level, and logs settings that need a restart', async () => {
  await terminal.run('migrate')
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const { address, server } = await serve()
  // Requests through a proxy have no loopback privileges.
  const asProxied = (host = 'localhost') =>
    fetch(`${address}/dev/Omsetning/Finn`, {
      headers: {
        'x-firma': 'Fjord',
        'x-passord': password,
        'x-forwarded-for': '203.0.113.7',
        'x-forwarded-proto': 'https',
        host,
      },
    })
  expect((await asProxied()).status).toBe(403)
  writeConfig({ trustProxy: ['127.0.0.1', '::1'], rateLimit: 3, publicUrl: 'https://ny.example', logLevel: 'warn' })
  server.reload()
  expect((await asProxied()).status).toBe(200)
  expect(await codeOf(await asProxied())).toBe('RateLimited')
  expect(notes(server).map(({ setting, msg }) => [setting, msg])).toEqual([
    ['trustProxy', 'setting changed'],
    ['rateLimit', 'setting changed'],
    ['logLevel', 'setting changed'],
    ['publicUrl', 'setting needs a restart to change'],
  ])
  const lines = () => server.stdout().split('\n').length
  const before = lines()
  await fetch(`${address}/livez`)
  expect(lines()).toBe(before)
})

test('an invalid configuration changes nothing and is logged', async () => {
  await terminal.run('migrate')
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const { address, server } = await serve()
  writeConfig({ queryCredentials: 'deny', rateLimit: 'mye' })
  server.reload()
  expect((await finn(address, password)).status).toBe(200)
  expect(notes(server)).toMatchObject([{ level: 50, problem: expect.stringContaining('"rateLimit" in ') }])
})
