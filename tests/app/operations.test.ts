// The operations screen: server status, backup and support bundle, for operators only.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { letterOf } from '../../src/notifications/mail/message.ts'
import { readArchive } from '../../src/store/archive/archive.ts'
import { auditText } from '../../web/i18n/audit.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House, type Person } from '../support/server.ts'
import { visit, type Visitor } from './session-client.ts'

const { nb } = auditText

const at = '/app/data/drift'

describe.each(databases)('$name', (database) => {
  let house: House
  let kari: Person
  let operator: Visitor
  let now: number
  beforeAll(async () => {
    house = await buildHouse(database, 'app-system')
    kari = await house.operator([{ company: house.mine, role: 'admin' }])
  })
  beforeEach(async () => {
    now = Date.now() * 1000
    house.clock.now = () => now
    operator = await visit(house, kari)
  })
  afterAll(() => house.close())

  test('the status of the server does not contain its database URL', async () => {
    expect((await operator.get('/app/okt')).json.isOperator).toBe(true)
    await house.store.inHouseTransaction((writer) =>
      house.mail.outbox.post(writer, 'alarm', letterOf('a@b.no', 'x', ['y']), 1000),
    )
    const { json } = await operator.get(at)
    expect(json).toMatchObject({
      version: '0.0.0',
      database: database.name === 'SQLite' ? 'sqlite' : 'postgres',
      degraded: [],
      mail: { isSet: false, waiting: 1, givenUp: 0, lastSentAt: null },
      limits: { rateLimit: 6000, listBytesMax: 32 * 1024 * 1024 },
    })
    expect(json.databaseBytes).toBeGreaterThan(50_000)
    expect(JSON.stringify(json)).not.toContain(house.url)
  })

  test('a backup runs beside the requests, is verified, and is listed from then on', async () => {
    expect((await operator.get(at)).json.backup).toBeNull()
    const { json } = await operator.act('POST', `${at}/sikkerhetskopi`, {})
    const path = join(house.backupFolder, json.file)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    let companies = 0
    await readArchive(path, {
      rows: (table, batch) => {
        if (table.name === 'company') companies += batch.length
      },
    })
    expect(companies).toBe(2)
    expect((await operator.get(at)).json.backup).toEqual(json)
    const { rows } = (await operator.get('/app/data/revisjon')).json
    const words: Readonly<Record<string, string>> = nb.audit.actions
    expect(words[rows[0].action]).toBe('Laget sikkerhetskopi')
  })

  test('two concurrent backups are one', async () => {
    now += 1_000_000
    const answers = await Promise.all([
      operator.act('POST', `${at}/sikkerhetskopi`, {}),
      operator.act('POST', `${at}/sikkerhetskopi`, {}),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(readdirSync(house.backupFolder).filter((name) => name.endsWith('.partial'))).toEqual([])
  })

  test('a support bundle has the status of the server, and nothing that belongs to a company', async () => {
    const { json, headers, text } = await operator.get(`${at}/pakke`)
    expect(headers['content-disposition']).toMatch(
      /^attachment; filename="dagsverk-support-\d{4}-\d\d-\d\d\.json"$/,
    )
    expect(json).toMatchObject({ version: '0.0.0', companies: 2, people: 1, mail: { waiting: 1 } })
    for (const private_ of ['MITT', kari.email, house.url, house.mine.key])
      expect(text).not.toContain(private_)
  })

  test('others get 403, and a backup requires re-authentication', async () => {
    const admin = await visit(house, await house.person([{ company: house.mine, role: 'admin' }]))
    expect((await admin.get('/app/okt')).json.isOperator).toBe(false)
    for (const path of [at, `${at}/pakke`])
      expect((await admin.get(path)).json.error.code).toBe('RoleMissing')
    expect((await admin.act('POST', `${at}/sikkerhetskopi`, {})).status).toBe(403)
    now += 5 * 60_000_000
    const refused = await operator.act('POST', `${at}/sikkerhetskopi`, {})
    expect(refused.json.error.code).toBe('PasswordNeeded')
  })
})
