// The operations screen: server status, backup and support bundle, for operators only.
import { randomBytes } from 'node:crypto'
import { Encryptor } from '../../src/auth/tokens/encryptor.ts'
import { MailQueue } from '../../src/notifications/mail/mail-queue.ts'
import { version } from '../../src/server/version.ts'
import { existsSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { renderMessage } from '../../src/notifications/mail/message.ts'
import { readArchive } from '../../src/store/archive/archive.ts'
import { backupFileName } from '../../src/store/archive/backup.ts'
import { auditText } from '../../web/i18n/audit.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer, type TestUser } from '../support/server.ts'
import { recordStatements } from '../support/statement-recorder.ts'
import { openSession, type SessionClient, openSessionAs } from './session-client.ts'

const { nb } = auditText

const at = '/app/data/drift'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-system')
  const clock = useClock(server)
  let kari: TestUser
  let operator: SessionClient
  beforeAll(async () => {
    kari = await server.addOperator([{ company: server.tenantA, role: 'admin' }])
  })
  beforeEach(async () => {
    operator = await openSession(server, kari)
  })

  test('the status of the server does not contain its database URL', async () => {
    expect((await operator.get('/app/okt')).json.isOperator).toBe(true)
    const { store, pepper, clock } = server
    const mailQueue = new MailQueue(new Encryptor({ pepper, random: randomBytes }, 'letters'), clock.now)
    await store.inSystemTransaction((writer) =>
      mailQueue.enqueue(writer, 'alert', renderMessage('a@b.no', 'x', ['y']), 1000),
    )
    const { json } = await operator.get(at)
    expect(json).toMatchObject({
      version,
      database: database.name === 'SQLite' ? 'sqlite' : 'postgres',
      degraded: [],
      mail: { isConfigured: false, waiting: 1, givenUp: 0, lastSentAt: null },
      limits: { rateLimit: 6000, listBytesMax: 32 * 1024 * 1024 },
    })
    expect(json.databaseBytes).toBeGreaterThan(50_000)
    expect(JSON.stringify(json)).not.toContain(server.url)
  })

  test('a backup runs beside the requests, is verified, and is listed from then on', async () => {
    expect((await operator.get(at)).json.backup).toBeNull()
    const recording = recordStatements()
    const { json } = await operator.send('POST', `${at}/sikkerhetskopi`, {})
    recording.stop()
    // On SQLite it would block the requests.
    expect(recording.executed.filter(({ sql }) => sql.startsWith('select count('))).toEqual([])
    const path = join(server.backupFolder, json.file)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    let companies = 0
    await readArchive(path, (table, batch) => {
      if (table.name === 'company') companies += batch.length
    })
    expect(companies).toBe(2)
    expect((await operator.get(at)).json.backup).toEqual(json)
    const { rows } = (await operator.get('/app/data/revisjon')).json
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    expect(actionLabels[rows[0].action]).toBe('Laget sikkerhetskopi')
  })

  test('two concurrent backups are one', async () => {
    clock.now += 1_000_000
    const replies = await Promise.all([
      operator.send('POST', `${at}/sikkerhetskopi`, {}),
      operator.send('POST', `${at}/sikkerhetskopi`, {}),
    ])
    const [done, refused] = replies.toSorted((one, other) => one.status - other.status)
    expect([done?.status, refused?.status, refused?.json.error.code]).toEqual([200, 409, 'BackupRunning'])
    expect(readdirSync(server.backupFolder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  test.runIf(existsSync('/dev/full'))('a backup on a full disk is 503 StorageFull, and leaves no file', async () => {
    // Names have seconds: not those of the tests before.
    clock.now += 10_000_000
    const path = join(server.backupFolder, backupFileName(clock.now))
    symlinkSync('/dev/full', `${path}.${process.pid}.partial`)
    const { status, json } = await operator.send('POST', `${at}/sikkerhetskopi`, {})
    expect([status, json.error]).toEqual([
      503,
      expect.objectContaining({ code: 'StorageFull', outcome: 'not_applied' }),
    ])
    expect(readdirSync(server.backupFolder).filter((name) => path.endsWith(name) || name.endsWith('.partial'))).toEqual(
      [],
    )
  })

  test('a support bundle has the status of the server, and nothing that belongs to a company', async () => {
    const { json, headers, text } = await operator.get(`${at}/pakke`)
    expect(headers['content-disposition']).toMatch(/^attachment; filename="dagsverk-support-\d{4}-\d\d-\d\d\.json"$/)
    expect(json).toMatchObject({ version, companies: 2, people: 1, mail: { waiting: 1 } })
    for (const private_ of ['MITT', kari.email, server.tenantA.key]) expect(text).not.toContain(private_)
  })

  test('a support bundle masks the secrets among the settings', async () => {
    const configured = await server.secondInstance({
      settings: { smtpUrl: 'smtp://post:hemmelig@post.eksempel', mailFrom: 'a@b.no' },
    })
    const { json, text } = await (await openSession(configured, kari)).get(`${at}/pakke`)
    expect(json.settings).toMatchObject({
      DAGSVERK_MASTER_KEY: '***',
      DAGSVERK_SMTP_URL: expect.stringContaining('post.eksempel'),
    })
    expect(text).not.toContain('hemmelig')
  })

  test('others get 403, and a backup requires re-authentication', async () => {
    const admin = await openSessionAs(server, server.tenantA, 'admin')
    expect((await admin.get('/app/okt')).json.isOperator).toBe(false)
    for (const path of [at, `${at}/pakke`]) expect((await admin.get(path)).json.error.code).toBe('RoleMissing')
    expect((await admin.send('POST', `${at}/sikkerhetskopi`, {})).status).toBe(403)
    clock.now += 5 * 60_000_000
    const refused = await operator.send('POST', `${at}/sikkerhetskopi`, {})
    expect(refused.json.error.code).toBe('ReauthenticationRequired')
  })
})
