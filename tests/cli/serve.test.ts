import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { useServers, useTerminal } from './terminal.ts'

const terminal = useTerminal({ DAGSVERK_PORT: '0', DAGSVERK_LOG_LEVEL: 'silent' })
const serve = useServers(terminal)

function find(address: string, company: string, password: string) {
  return fetch(`${address}/dev/Omsetning/Finn?firma=${company}&passord=${password}`)
}

test('creates the database and a set-up link that only its user can read', async () => {
  const { address, server } = await serve()
  const [, link = ''] = await server.stderr(/(http\S+\/setup#[\w-]{43})\n/)
  expect(link.startsWith(address)).toBe(true)
  const file = join(terminal.folder, 'data', 'setup-link')
  expect(readFileSync(file, 'utf8').trim()).toBe(link)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect((await find(address, 'Fjord', 'x')).status).toBe(503)
  expect((await fetch(`${address}/livez`)).status).toBe(200)
})

test('without the browser app it warns at start and in doctor, and serves', async () => {
  const complete = await serve()
  complete.server.stop()
  const { stderr } = await complete.server.ended
  expect(stderr).not.toContain('browser app')
  terminal.appFolder = terminal.folder
  const { address, server } = await serve()
  await server.stderr(/The browser app is missing: it is not built\. Run npm start in a clone, or/)
  expect((await fetch(`${address}/livez`)).status).toBe(200)
  expect(await terminal.json('doctor')).toContainEqual({
    check: 'browser app',
    verdict: 'advice',
    message: expect.stringMatching(/^it is not built\. Run npm start/),
  })
})

test('the set-up link works once, and the server then serves without a restart', async () => {
  const { address, server } = await serve()
  const [, token = ''] = await server.stderr(/\/setup#([\w-]{43})\n/)
  const setUp = () =>
    fetch(`${address}/setup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token,
        company: 'Fjord',
        email: 'kari@fjord.example',
        password: 'riktig hest batteri stift',
      }),
    })
  const done = await setUp()
  expect(done.status).toBe(201)
  expect(existsSync(join(terminal.folder, 'data', 'setup-link'))).toBe(false)
  const { companyPassword }: { companyPassword: string } = JSON.parse(await done.text())
  expect((await find(address, 'Fjord', companyPassword)).status).toBe(200)
  expect((await setUp()).status).toBe(409)
  expect((await terminal.json('user', 'list', '--company', 'Fjord'))[0].role).toBe('admin')
})

test('a company added by a command completes the setup without a restart', async () => {
  const { address } = await serve()
  const { password } = await terminal.json('company', 'add', 'Fjord')
  expect((await find(address, 'fjord', password)).status).toBe(200)
  expect(existsSync(join(terminal.folder, 'data', 'setup-link'))).toBe(false)
  expect((await find(address, 'fjord', 'wrong')).status).toBe(401)
})

test('revoked and disabled credentials fail with the next request', async () => {
  const { address } = await serve()
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const { key, id } = await terminal.json('key', 'add', 'Fjord')
  const withKey = () => fetch(`${address}/dev/Omsetning/Finn`, { headers: { 'tb-key': key } })
  expect((await withKey()).status).toBe(200)
  await terminal.run('key', 'revoke', id)
  expect((await withKey()).status).toBe(401)
  expect((await find(address, 'Fjord', password)).status).toBe(200)
  const renewed = await terminal.json('company', 'set', 'Fjord', '--new-password')
  expect((await find(address, 'Fjord', password)).status).toBe(401)
  expect((await find(address, 'Fjord', renewed.password)).status).toBe(200)
  await terminal.run('company', 'disable', 'Fjord')
  expect((await find(address, 'Fjord', renewed.password)).status).toBe(401)
})

test('a changed setting applies to the next request', async () => {
  const { address } = await serve()
  const { password } = await terminal.json('company', 'add', 'Fjord')
  const insert = async () => {
    const reply = await fetch(`${address}/dev/Omsetning/Lagre?firma=Fjord&passord=${password}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"Dato":"2024-01-01T00:00:00+02:00","AvdelingID":"7","Omsetning":1}',
    })
    return reply.status
  }
  expect(await insert()).toBe(200)
  await terminal.run('company', 'set', 'Fjord', '--refuses-zones', 'on')
  expect(await insert()).toBe(400)
})

test('after setup it prints no link and deletes the link file', async () => {
  const first = await serve()
  await terminal.run('company', 'add', 'Fjord')
  first.server.stop()
  await first.server.ended
  const second = await serve()
  second.server.stop()
  expect((await second.server.ended).stderr).not.toContain('/setup')
  expect(existsSync(join(terminal.folder, 'data', 'setup-link'))).toBe(false)
})

test('the file of audit anchors is created before there is an entry, so that a wrong path is logged at once', async () => {
  const file = join(terminal.folder, 'anchors.jsonl')
  terminal.environment = { ...terminal.environment, DAGSVERK_AUDIT_ANCHORS: file }
  const { server } = await serve()
  server.stop()
  await server.ended
  expect(readFileSync(file, 'utf8')).toBe('')
})

test('a stop signal ends it with exit code 0', async () => {
  const { server } = await serve()
  server.stop()
  expect((await server.ended).exitCode).toBe(0)
})

test('health reports the server as ready', async () => {
  const { address } = await serve()
  const { exitCode, stdout } = await terminal.run('health', '--url', address)
  expect(exitCode).toBe(0)
  expect(stdout).toBe('ready\n')
  expect(await terminal.json('health', '--url', address)).toMatchObject({ status: 'ready' })
})

test('a port in use is reported with the setting to change', async () => {
  const { address } = await serve()
  const { port } = new URL(address)
  const other = await terminal.run('serve', '--port', port, '--data-dir', 'other')
  expect(other.exitCode).toBe(78)
  expect(other.stderr).toContain(`Port ${port}`)
})

test('with PostgreSQL it does not start without a master key', async () => {
  terminal.environment = { DAGSVERK_DATABASE_URL: 'postgres://u:hemmelig@127.0.0.1:1/db' }
  const { exitCode, stderr } = await terminal.run('serve')
  expect(exitCode).toBe(78)
  expect(stderr).toContain('DAGSVERK_MASTER_KEY_FILE')
  expect(stderr).toContain('dagsverk key master')
})

test('invalid group roles prevent the start', async () => {
  terminal.environment = {
    DAGSVERK_OIDC_ISSUER: 'https://login.example',
    DAGSVERK_OIDC_CLIENT_ID: 'dagsverk',
    DAGSVERK_OIDC_ROLES: 'ledere=Fjord AS:konge',
  }
  const { exitCode, stderr } = await terminal.run('serve', '--port', '0')
  expect(exitCode).toBe(78)
  expect(stderr).toContain('DAGSVERK_OIDC_ROLES: "ledere=Fjord AS:konge"')
  expect(stderr).toContain('registrant viewer approver auditor admin')
})
