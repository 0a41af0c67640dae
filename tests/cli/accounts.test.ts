import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { SecondFactor } from '../../src/auth/mfa/second-factor.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { listAuditRows } from '../../src/store/audit/audit.ts'
import { findCompany } from '../../src/store/accounts/companies.ts'
import { countRecoveryCodes, findFactor } from '../../src/store/accounts/second-factors.ts'
import { openStore } from '../../src/store/open-store.ts'
import { insertPasskey, listPasskeys } from '../../src/store/accounts/passkeys.ts'
import { findUser } from '../../src/store/accounts/users.ts'
import { statement } from '../../src/store/statement.ts'
import { databases, useDatabase } from '../support/databases.ts'
import { useTerminal } from './terminal.ts'

describe.each(databases)('$name', (kind) => {
  const database = useDatabase(kind, 'cli')
  const terminal = useTerminal(() => ({
    DAGSVERK_DATABASE_URL: database.url,
    ...(kind.name === 'PostgreSQL' ? { DAGSVERK_MASTER_KEY: randomBytes(32).toString('base64') } : {}),
  }))

  test('a new company gets a password that is printed only once', async () => {
    const { exitCode, stdout, stderr } = await terminal.run('company', 'add', 'Fjord AS')
    expect(exitCode).toBe(0)
    const password = /password\s+(?<password>[\dA-Za-z]{32})\n/.exec(stdout)?.groups?.password
    if (password === undefined) throw new Error(`no password in: ${stdout}`)
    expect(stderr).toContain('shown only once')
    for (const command of [['company', 'list'], ['company', 'show', 'fjord as'], ['doctor']]) {
      const shown = await terminal.run(...command)
      expect(shown.exitCode).toBe(0)
      expect(shown.stdout + shown.stderr).not.toContain(password)
    }
  })

  test('a chosen password is read from standard input or a file, and not printed', async () => {
    const add = ['company', 'add', 'Fjord', '--password-stdin', '--json']
    const piped = await terminal.pipe('riktig hest batteri stift\n', ...add)
    expect(JSON.parse(piped.stdout)).toEqual({ company: 'Fjord' })
    const file = join(terminal.folder, 'secret')
    writeFileSync(file, 'riktig hest batteri stift\n', { mode: 0o600 })
    expect((await terminal.run('company', 'add', 'Fjell', '--password-file', 'secret')).exitCode).toBe(0)
    chmodSync(file, 0o644)
    const refused = await terminal.run('company', 'add', 'Fjære', '--password-file', 'secret')
    expect(refused).toMatchObject({ exitCode: 78, stdout: '' })
    expect(refused.stderr).toContain('chmod 600')
    expect(refused.stderr).not.toContain('riktig')
  })

  test('a guessable password is rejected without being repeated', async () => {
    for (const password of ['kort', 'hemmelighemmelig', 'Fjord Fjord Fjord'])
      expect(await terminal.pipe(password, 'company', 'add', 'Fjord', '--password-stdin')).toMatchObject({
        exitCode: 1,
        stdout: '',
        stderr: expect.not.stringContaining(password),
      })
    expect(await terminal.json('company', 'list')).toEqual([])
  })

  test('a weak legacy password is accepted, limited to its networks, and reported by doctor', async () => {
    const add = ['company', 'add', 'Fjord', '--password-stdin', '--legacy-password']
    const refused = await terminal.pipe('1234', ...add)
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' })
    expect(refused.stderr).toContain('--allow-from')
    for (const wide of ['0.0.0.0/0', '::/0', '10.0.0.1,128.0.0.0/1'])
      expect((await terminal.pipe('1234', ...add, '--allow-from', wide)).exitCode).toBe(2)
    const taken = await terminal.pipe('1234', ...add, '--allow-from', '10.1.0.0/16')
    expect(taken).toMatchObject({ exitCode: 0 })
    const weak = expect.objectContaining({
      check: 'credentials',
      verdict: 'advice',
      message: expect.stringMatching(/"Fjord" has a weak .* only from 10\.1\.0\.0\/16/),
    })
    expect(await terminal.json('doctor')).toContainEqual(weak)
    const opened = await terminal.run('company', 'set', 'Fjord', '--allow-from', '')
    expect(opened).toMatchObject({ exitCode: 2 })
    const set = ['company', 'set', 'Fjord']
    expect(await terminal.pipe('4321', ...set, '--password-stdin', '--legacy-password')).toMatchObject({ exitCode: 0 })
    expect(await terminal.json('doctor')).toContainEqual(weak)
    await terminal.json(...set, '--new-password')
    expect(await terminal.json('doctor')).not.toContainEqual(weak)
  })

  test('company set --allow-from "" lets the password be used from any network again', async () => {
    await terminal.json('company', 'add', 'Fjord', '--allow-from', '10.1.0.0/16')
    expect(await terminal.json('key', 'list', 'Fjord')).toMatchObject([{ from: '["10.1.0.0/16"]' }])
    await terminal.json('company', 'set', 'Fjord', '--allow-from', '')
    expect(await terminal.json('key', 'list', 'Fjord')).toMatchObject([{ from: null }])
  })

  test('--legacy-password requires a given password, and a strong one is not marked weak', async () => {
    const add = ['company', 'add', 'Fjord', '--legacy-password', '--allow-from', '10.1.0.0/16']
    expect((await terminal.run(...add)).exitCode).toBe(2)
    expect((await terminal.pipe('', ...add, '--password-stdin')).exitCode).toBe(1)
    const good = await terminal.pipe('riktig hest batteri stift', ...add, '--password-stdin')
    expect(good.exitCode).toBe(0)
    expect(JSON.stringify(await terminal.json('doctor'))).not.toContain('weak legacy password')
  })

  test('doctor checks everything and creates nothing', async () => {
    const before = await terminal.json('doctor')
    expect(before).toContainEqual({ check: 'master key', verdict: 'ok', message: 'not used yet' })
    expect(before).toContainEqual(expect.objectContaining({ check: 'owner', verdict: 'advice' }))
    expect(existsSync(join(terminal.folder, 'data', 'master.key'))).toBe(false)
    await terminal.json('company', 'add', 'Fjord')
    const after: { check: string; verdict: string }[] = await terminal.json('doctor')
    expect(after.filter(({ verdict }) => verdict === 'wrong')).toEqual([])
    const checks = after.map(({ check }) => check)
    expect(checks).toEqual(expect.arrayContaining(['schema', 'master key', 'clock', 'credentials']))
    expect(checks).not.toContain('owner')
  })

  test('doctor reports the age of the last backup, and advises on one that is older than two days', async () => {
    const backup = async () => {
      const findings: { check: string }[] = await terminal.json('doctor')
      return findings.find(({ check }) => check === 'backup')
    }
    await terminal.json('company', 'add', 'Fjord')
    expect(await backup()).toMatchObject({ verdict: 'advice', message: expect.stringMatching(/^none/) })
    await terminal.json('backup', 'a.backup')
    const hour = 3600 * 1_000_000
    terminal.clock.now += 47.5 * hour
    expect(await backup()).toMatchObject({ verdict: 'ok', message: 'a.backup, 47 hours old' })
    terminal.clock.now += 3 * 24 * hour
    const message = 'a.backup, 4 days old: make one every night'
    expect(await backup()).toMatchObject({ verdict: 'advice', message })
  })

  test('doctor reports the mail server without its password, and mails that were given up', async () => {
    const mail = async () => {
      const findings: { check: string }[] = await terminal.json('doctor')
      return findings.find(({ check }) => check === 'mail')
    }
    await terminal.json('company', 'add', 'Fjord')
    expect(await mail()).toMatchObject({ verdict: 'ok', message: expect.stringMatching(/^no mail server/) })
    terminal.environment = {
      ...terminal.environment,
      DAGSVERK_SMTP_URL: 'smtp://dagsverk:hemmelig@post.example.no:587',
      DAGSVERK_MAIL_FROM: 'dagsverk@example.no',
      DAGSVERK_PUBLIC_URL: 'https://tall.example.no',
      DAGSVERK_TRUST_PROXY: '10.0.0.1',
    }
    await terminal.json('user', 'invite', 'a@b.no', '--company', 'Fjord', '--role', 'viewer')
    expect(await mail()).toMatchObject({ verdict: 'ok', message: 'post.example.no:587, 1 waiting' })
    const store = await openStore({ url: database.url, canCreate: false })
    const giveUp = statement(() => sql`update mail set "nextAttemptAt" = null`)
    await store.inSystemTransaction((writer) => writer.run(giveUp, {}))
    await store.close()
    expect(await mail()).toMatchObject({
      verdict: 'advice',
      message: 'post.example.no:587, 0 waiting, 1 given up: see dagsverk mail list',
    })
  })

  test('doctor advises when plain HTTP is accepted from all addresses', async () => {
    const check = async (networks: string) => {
      terminal.environment = { ...terminal.environment, DAGSVERK_ALLOW_HTTP: networks }
      const findings: readonly Record<string, string>[] = await terminal.json('doctor')
      return findings.find((one) => one['check'] === 'plain http')
    }
    expect(await check('10.0.0.0/8')).toMatchObject({ verdict: 'ok', message: 'this machine, 10.0.0.0/8' })
    for (const all of ['10.0.0.0/8,0.0.0.0/0', '::/0'])
      expect(await check(all)).toMatchObject({
        verdict: 'advice',
        message: expect.stringMatching(/^DAGSVERK_ALLOW_HTTP has (0\.0\.0\.0|::)\/0,/),
      })
  })

  test('doctor advises on a proxy that may add no header', async () => {
    const usual = terminal.environment
    const verdict = async (environment: Record<string, string>) => {
      const publicUrl = { DAGSVERK_PUBLIC_URL: 'https://tall.example.no' }
      terminal.environment = { ...usual, ...publicUrl, ...environment }
      const findings: { check: string; verdict: string }[] = await terminal.json('doctor')
      return findings.find(({ check }) => check === 'proxy')?.verdict
    }
    await terminal.json('company', 'add', 'Fjord')
    expect(await verdict({})).toBe('advice')
    expect(await verdict({ DAGSVERK_TRUST_PROXY: '10.0.0.1' })).toBe('ok')
    const onThisMachine = { DAGSVERK_TRUST_PROXY: '127.0.0.1' }
    expect(await verdict(onThisMachine)).toBe('advice')
    expect(await verdict({ ...onThisMachine, DAGSVERK_BEHIND_PROXY: 'on' })).toBe('ok')
    expect(await verdict({ DAGSVERK_PUBLIC_URL: '' })).toBe('ok')
  })

  test('doctor reports a clock that is before stored timestamps', async () => {
    await terminal.json('company', 'add', 'Fjord')
    terminal.clock.now -= 24 * 3600 * 1_000_000
    const { exitCode, stdout } = await terminal.run('doctor')
    expect(exitCode).toBe(1)
    expect(stdout).toMatch(/clock\s+wrong/)
  })

  test('company names are unique, regardless of case', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const again = await terminal.run('company', 'add', 'FJORD')
    expect(again.exitCode).toBe(1)
    expect(again.stderr).toContain('There is already a company "FJORD".')
  })

  test('an unknown company is reported with the closest name', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const { exitCode, stderr } = await terminal.run('company', 'show', 'Fjrod')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('Did you mean "Fjord"?')
  })

  test('settings are changed one at a time', async () => {
    await terminal.run('company', 'add', 'Fjord', '--timezone', 'Europe/London')
    await terminal.run('company', 'set', 'Fjord', '--refuses-zones', 'on', '--currency', 'eur')
    await terminal.run('company', 'set', 'Fjord', '--forbids-second-record', 'on')
    await terminal.run('company', 'set', 'Fjord', '--refuses-zones', 'off')
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({
      timezone: 'Europe/London',
      currency: 'EUR',
      refusesZones: false,
      forbidsSecondRecord: true,
      passwords: 1,
    })
    const dayAndTax = ['--day-ends-at', '03:00', '--amounts', 'without-tax']
    await terminal.run('company', 'set', 'Fjord', ...dayAndTax)
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({
      dayEndsAt: '03:00',
      amounts: 'without-tax',
      forbidsSecondRecord: true,
    })
    for (const flags of [
      ['--day-ends-at', '3'],
      ['--amounts', 'net'],
    ])
      expect((await terminal.run('company', 'set', 'Fjord', ...flags)).exitCode).toBe(2)
    const wrong = await terminal.run('company', 'set', 'Fjord', '--timezone', 'Europe/Olso')
    expect(wrong).toMatchObject({ exitCode: 2, stdout: '' })
    expect(wrong.stderr).toContain('Did you mean Europe/Oslo?')
  })

  test('a new password replaces the previous one, or is added to it', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const { password } = await terminal.json('company', 'set', 'Fjord', '--new-password')
    expect(password).toMatch(/^[\dA-Za-z]{32}$/)
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({ passwords: 1 })
    await terminal.run('company', 'set', 'Fjord', '--new-password', '--keep-old-password')
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({ passwords: 2 })
  })

  test('a company can be disabled and enabled', async () => {
    await terminal.run('company', 'add', 'Fjord')
    await terminal.run('company', 'disable', 'Fjord')
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({ disabled: '2026-01-01T00:00:00.000Z' })
    await terminal.run('company', 'enable', 'Fjord')
    expect(await terminal.json('company', 'show', 'Fjord')).toMatchObject({ disabled: null })
  })

  test('a key has the given scopes, name and lifetime', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const terms = ['--name', 'kasse', '--scopes', 'revenue:*', '--expires', '30']
    const made = await terminal.json('key', 'add', 'Fjord', ...terms)
    expect(made).toMatchObject({
      name: 'kasse',
      state: 'live',
      scopes: ['revenue:read', 'revenue:write'],
      expires: '2026-01-31T00:00:00.000Z',
    })
    expect(made.key).toContain(`_${made.id}_`)
    const listed = await terminal.json('key', 'list', 'Fjord')
    expect(listed.map(({ id }: { id: string }) => id)).toContain(made.id)
    expect(JSON.stringify(listed)).not.toContain(made.key.slice(17, 60))
  })

  test('a password of an integration outlives a new password of the company', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const terms = ['--kind', 'password', '--name', 'kasse', '--scopes', 'revenue:*']
    const made = await terminal.json('key', 'add', 'Fjord', ...terms)
    expect(made).toMatchObject({
      password: expect.stringMatching(/^[\dA-Za-z]{32}$/),
      kind: 'password',
      name: 'kasse',
      scopes: ['revenue:read', 'revenue:write'],
      expires: null,
    })
    await terminal.run('company', 'set', 'Fjord', '--new-password', '--scopes', 'revenue:read')
    const stateOf = async (id: string) =>
      (await terminal.json('key', 'list', 'Fjord')).find((one: { id: string }) => one.id === id)
    expect(await stateOf(made.id)).toMatchObject({ state: 'live', scopes: made.scopes })
    const second = await terminal.json('key', 'rotate', made.id)
    expect(second).toMatchObject({ kind: 'password', name: 'kasse', expires: null })
    expect((await terminal.run('key', 'revoke', made.id)).exitCode).toBe(0)
    expect(await stateOf(made.id)).toMatchObject({ state: 'revoked' })
    expect(await stateOf(second.id)).toMatchObject({ state: 'live' })
  })

  test('a misspelled scope is reported with the closest one', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const { exitCode, stderr } = await terminal.run('key', 'add', 'Fjord', '--scopes', 'revenue:wrte')
    expect(exitCode).toBe(2)
    expect(stderr).toContain('Did you mean revenue:write?')
  })

  test('a password cannot have scopes reserved for keys', async () => {
    const scopes = ['--scopes', 'revenue:read,material:approve']
    const { exitCode, stderr } = await terminal.run('company', 'add', 'Fjord', ...scopes)
    expect(exitCode).toBe(2)
    expect(stderr).toContain('material:approve')
    await terminal.run('company', 'add', 'Fjord')
    expect((await terminal.run('key', 'add', 'Fjord', '--kind', 'password', ...scopes)).exitCode).toBe(2)
  })

  test('names that the app rejects, and an empty list of networks, are rejected', async () => {
    await terminal.run('company', 'add', 'Fjord')
    for (const [terms, says] of [
      [['--name', '\u001B[31mx'], 'The name is rejected'],
      [['--name', ' '], 'The name is rejected'],
      [['--allow-from', ''], 'requires at least one network'],
    ] as const) {
      const { exitCode, stderr } = await terminal.run('key', 'add', 'Fjord', ...terms)
      expect([exitCode === 0, stderr]).toEqual([false, expect.stringContaining(says)])
    }
    expect(await terminal.json('key', 'list', 'Fjord')).toHaveLength(1)
  })

  test('the settings beside --add are those of the new destination, and its key retrieves for it', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const { id } = await terminal.json('key', 'add', 'Fjord')
    const settings = ['--corrections', 'lines', '--batches', '3', '--key', id]
    expect(await terminal.json('destination', 'Fjord', '--add', 'Payroll', ...settings)).toMatchObject([
      { corrections: 'block', batches: 1 },
      { name: 'Payroll', corrections: 'lines', batches: 3 },
    ])
    expect(await terminal.json('destination', 'Fjord', '--failures', '9')).toMatchObject([
      { corrections: 'block', failures: 9 },
      { corrections: 'lines', failures: 9 },
    ])
    expect((await terminal.run('destination', 'Fjord', '--add', 'a\u001B[31m')).exitCode).toBe(2)
  })

  test('rotation adds a second key with the same terms, and never a third', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const terms = ['--name', 'kasse', '--scopes', 'revenue:write', '--allow-from', '10.0.0.0/8']
    const first = await terminal.json('key', 'add', 'Fjord', ...terms)
    const second = await terminal.json('key', 'rotate', first.id)
    expect(second).toMatchObject({ name: 'kasse', scopes: ['revenue:write'], from: first.from })
    expect(second.key).not.toBe(first.key)
    expect((await terminal.run('key', 'rotate', first.id)).exitCode).toBe(1)
    expect((await terminal.run('key', 'revoke', first.id)).exitCode).toBe(0)
    expect((await terminal.run('key', 'rotate', second.id)).exitCode).toBe(0)
    const keys = await terminal.json('key', 'list', 'Fjord')
    const states = keys.flatMap((one: { kind: string; state: string }) => (one.kind === 'key' ? [one.state] : []))
    expect(states.toSorted()).toEqual(['live', 'live', 'revoked'])
  })

  test('a complete key given in place of its id is not repeated', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const { key } = await terminal.json('key', 'add', 'Fjord')
    const { exitCode, stderr } = await terminal.run('key', 'revoke', key)
    expect(exitCode).toBe(1)
    expect(stderr).not.toContain(key)
  })

  test('a person has one role per company, and is disabled in all of them', async () => {
    await terminal.run('company', 'add', 'Fjord')
    await terminal.run('company', 'add', 'Fjell')
    const approver = ['--company', 'Fjord', '--role', 'approver', '--departments', '10,20']
    const made = await terminal.json('user', 'add', 'kari@fjord.example', ...approver)
    expect(made.password).toMatch(/^[\dA-Za-z]{32}$/)
    const viewer = ['--company', 'Fjell', '--role', 'viewer']
    const again = await terminal.json('user', 'add', 'Kari@fjord.example', ...viewer)
    expect(again.password).toBeUndefined()
    expect(await terminal.json('user', 'list', '--company', 'Fjord')).toMatchObject([
      { email: 'kari@fjord.example', role: 'approver', departments: '["10","20"]', disabled: null },
    ])
    await terminal.run('user', 'disable', 'kari@fjord.example')
    expect(await terminal.json('user', 'list', '--company', 'Fjell')).toMatchObject([
      { role: 'viewer', disabled: '2026-01-01T00:00:00.000Z' },
    ])
  })

  test('operator actions are audited, with ids and setting names only', async () => {
    for (const name of ['Fjord', 'Fjell']) await terminal.run('company', 'add', name)
    await terminal.run('company', 'set', 'Fjord', '--timezone', 'Europe/Stockholm')
    await terminal.run('destination', 'Fjord', '--lock-date', '2026-10-31')
    const { id } = await terminal.json('key', 'add', 'Fjord', '--name', 'kasse')
    await terminal.run('key', 'rotate', String(id))
    await terminal.run('key', 'revoke', String(id))
    for (const company of ['Fjord', 'Fjell'])
      await terminal.run('user', 'add', 'kari@f.example', '--company', company, '--role', 'viewer')
    await terminal.run('user', 'disable', 'kari@f.example')
    await terminal.run('webhook', 'add', 'Fjord', 'https://hook.example/secret')
    await terminal.run('company', 'disable', 'Fjord')
    const store = await openStore({ url: database.url, canCreate: false })
    const stderr = []
    const page = { before: Number.MAX_SAFE_INTEGER, top: 50 }
    for (const name of ['Fjord', 'Fjell']) {
      const company = await findCompany(store, name)
      stderr.push((await listAuditRows(store, { companyId: company?.id as CompanyId, ...page })).toReversed())
    }
    await store.close()
    const [fjord = [], fjell = []] = stderr
    expect(fjord.map(({ action }) => action).join(' ')).toBe(
      'settings settings key-add key-rotate key-revoke person-add person-disable webhook-add company-close',
    )
    expect(fjell.map(({ action }) => action)).toEqual(['person-add', 'person-disable'])
    expect(new Set([...fjord, ...fjell].map(({ actor }) => actor))).toEqual(new Set(['operator']))
    expect(JSON.stringify(stderr)).not.toMatch(/kari|secret|Stockholm/)
  })

  test('user reset-mfa removes second factor, codes and passkeys, and ends sessions', async () => {
    await terminal.run('user', 'add', 'drift@fjord.example', '--operator')
    const store = await openStore({ url: database.url, canCreate: false })
    const factor = new SecondFactor({ pepper: randomBytes(32), random: randomBytes })
    const before = await store.inSystemTransaction(async (writer) => {
      const user = await findUser(writer, 'drift@fjord.example')
      if (user === undefined) throw new Error('nobody')
      await factor.enroll(writer, user.id, user.email)
      await factor.renewCodes(writer, user.id)
      const passkey = { id: 'a', publicKey: '', counter: 0, agent: '', createdAt: 1, usedAt: null }
      await insertPasskey(writer, { ...passkey, userId: user.id })
      return user
    })
    expect((await terminal.run('user', 'reset-mfa', 'Drift@fjord.example')).exitCode).toBe(0)
    expect(await findFactor(store, { userId: before.id })).toBeUndefined()
    expect(await countRecoveryCodes(store, before.id)).toBe(0)
    expect(await listPasskeys(store, { userId: before.id })).toEqual([])
    expect((await findUser(store, before.email))?.version).toBe(before.version + 1)
    for (const email of ['drift@fjord.example', 'ingen@fjord.example'])
      expect((await terminal.run('user', 'reset-mfa', email)).exitCode).toBe(1)
    await store.close()
  })

  test.each([
    [['user', 'add', 'kari', '--operator'], 'not an e-mail'],
    [['user', 'add', 'k@f.example'], 'only --operator'],
    [['user', 'add', 'k@f.example', '--company', 'Fjord'], '--company and --role'],
    [['user', 'add', 'k@f.example', '--company', 'Fjord', '--role', 'admn'], 'Did you mean admin?'],
  ])('%j is a usage error', async (args, says) => {
    await terminal.run('company', 'add', 'Fjord')
    const { exitCode, stderr } = await terminal.run(...args)
    expect(exitCode).toBe(2)
    expect(stderr).toContain(says)
  })
})

describe('the master key', () => {
  const terminal = useTerminal()
  beforeEach(() => terminal.run('migrate'))
  const path = () => join(terminal.folder, 'data', 'master.key')

  test('is generated once, readable only by its owner', async () => {
    await terminal.run('company', 'add', 'Fjord')
    const made = readFileSync(path(), 'utf8')
    expect(statSync(path()).mode & 0o777).toBe(0o600)
    expect(statSync(join(terminal.folder, 'data')).mode & 0o777).toBe(0o700)
    await terminal.run('company', 'add', 'Fjell')
    expect(readFileSync(path(), 'utf8')).toBe(made)
  })

  test('is not generated again when it is lost', async () => {
    await terminal.run('company', 'add', 'Fjord')
    rmSync(path())
    const { exitCode, stderr } = await terminal.run('company', 'add', 'Fjell')
    expect(exitCode).toBe(78)
    expect(stderr).toContain(`restore it to ${path()}`)
    expect(existsSync(path())).toBe(false)
  })

  test('of another database is rejected', async () => {
    await terminal.run('company', 'add', 'Fjord')
    writeFileSync(path(), (await terminal.run('key', 'master')).stdout)
    const { exitCode, stderr } = await terminal.run('company', 'add', 'Fjell')
    expect(exitCode).toBe(78)
    expect(stderr).toContain('does not belong to this database')
    const doctor = await terminal.run('doctor')
    expect(doctor.exitCode).toBe(1)
    expect(doctor.stdout).toMatch(/master key\s+wrong/)
  })

  test('is rejected when others can read it', async () => {
    await terminal.run('company', 'add', 'Fjord')
    chmodSync(path(), 0o644)
    const { exitCode, stderr } = await terminal.run('company', 'add', 'Fjell')
    expect(exitCode).toBe(78)
    expect(stderr).toContain(`chmod 600 ${path()}`)
    expect(stderr).not.toContain(readFileSync(path(), 'utf8').trim())
  })

  test('an invitation is a link that is printed once, or a queued mail', async () => {
    await terminal.run('company', 'add', 'Fjord AS')
    const invite = ['user', 'invite', 'kari@fjord.example', '--role', 'approver']
    const { stdout, stderr } = await terminal.run(...invite, '--departments', '10, 20')
    expect(stdout).toMatch(/http:\/\/127\.0\.0\.1:8080\/app\/invitasjon#[\w-]{43}\n/)
    expect(stderr).toContain('Mail is not configured')
    terminal.environment = {
      ...terminal.environment,
      DAGSVERK_SMTP_URL: 'smtp://127.0.0.1:2525',
      DAGSVERK_MAIL_FROM: 'dagsverk@fjord.example',
      DAGSVERK_PUBLIC_URL: 'https://tall.fjord.example',
    }
    expect(await terminal.json(...invite)).toMatchObject({ company: 'Fjord AS', link: null })
    const letters = await terminal.run('mail', 'list')
    expect(letters.stdout).toMatch(/invitation\s+2026-01-01/)
    expect(letters.stdout).not.toContain('kari')
    expect((await terminal.run('user', 'invite', 'kari', '--role', 'viewer')).exitCode).toBe(2)
    const misspelled = await terminal.run('user', 'invite', 'a@b.no', '--role', 'vewer')
    expect(misspelled).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('viewer') })
  })

  test('user reset-password prints a link once, for known users only', async () => {
    await terminal.run('company', 'add', 'Fjord AS')
    const place = ['--company', 'Fjord AS', '--role', 'viewer']
    await terminal.run('user', 'add', 'kari@fjord.example', ...place)
    const { link } = await terminal.json('user', 'reset-password', 'KARI@fjord.example')
    expect(link).toMatch(/\/app\/ny-adgang#[\w-]{43}$/)
    const again = await terminal.run('user', 'reset-password', 'kari@fjord.example')
    expect(again).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('5 minutes') })
    terminal.clock.now += 5 * 60_000_000
    expect((await terminal.run('user', 'reset-password', 'kari@fjord.example')).exitCode).toBe(0)
    expect((await terminal.run('user', 'reset-password', 'ola@fjord.example')).exitCode).toBe(1)
  })
})
