// Databases and backups of versions before the first release, whose initial schema was another one.
import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import { databases, useDatabase } from '../support/databases.ts'
import { useTerminal } from '../cli/terminal.ts'

const masterKey = randomBytes(32).toString('base64')
const words =
  /^dagsverk: [^\n]*before the first release \(it has 0001-initial-0badc0de\)[^\n]*import the data there\.\n$/

describe.each(databases)('with the initial schema of a version before the first release, on $name,', (kind) => {
  const database = useDatabase(kind, 'initial')
  const terminal = useTerminal(() => ({ DAGSVERK_DATABASE_URL: database.url, DAGSVERK_MASTER_KEY: masterKey }))
  beforeEach(async () => {
    await terminal.json('company', 'add', 'Fjord')
    await withSchemaConnection(database.url, (db) =>
      sql`update kysely_migration set name = '0001-initial-0badc0de'`.execute(db),
    )
  })

  test.each([['serve'], ['migrate'], ['migrate', 'status'], ['company', 'list'], ['audit', 'verify']])(
    'a database ends "%s %s" with code 78 and what to do, and is not changed',
    async (...command) => {
      const { exitCode, stderr } = await terminal.run(...command)
      expect([exitCode, stderr]).toEqual([78, expect.stringMatching(words)])
      await withSchemaConnection(database.url, async (db) => {
        const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
        expect(rows).toEqual([{ name: '0001-initial-0badc0de' }])
      })
    },
  )

  test('a database is reported by doctor', async () => {
    const findings = JSON.parse((await terminal.run('doctor', '--json')).stdout)
    const message = expect.stringContaining('before the first release')
    expect(findings).toContainEqual({ check: 'schema', verdict: 'wrong', message })
  })

  test.each(databases)('a backup is not restored to $name, which stays as it was', async (target) => {
    await terminal.json('backup', 'old.backup')
    const elsewhere = await target.make('newer')
    terminal.environment = { ...terminal.environment, DAGSVERK_DATABASE_URL: elsewhere.url }
    await terminal.json('company', 'add', 'Vik')
    for (const command of [['restore'], ['backup', '--verify']]) {
      const { exitCode, stderr } = await terminal.run(...command, 'old.backup')
      expect([exitCode, stderr]).toEqual([78, expect.stringMatching(words)])
      expect(stderr).toContain('old.backup, a backup of version')
    }
    expect(await terminal.json('company', 'list')).toMatchObject([{ name: 'Vik' }])
    await elsewhere.drop()
  })
})
