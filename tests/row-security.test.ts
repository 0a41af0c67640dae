// Row-level security on PostgreSQL: what a company sees when a statement has lost its condition (ADR 0065).
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { Client, Query } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { migrateDatabase, openStore } from '../src/store/open-store.ts'
import { sharedConnections } from '../src/store/postgres/pooling.ts'
import { findRowSecurityProblem } from '../src/store/postgres/row-security.ts'
import { crossCompanyStatement, statement } from '../src/store/statement.ts'
import { tables } from '../src/store/tables.ts'
import { insertCompany } from '../src/store/accounts/companies.ts'
import type { Store } from '../src/store/store.ts'
import { openTerminal } from './cli/terminal.ts'
import { databases } from './support/databases.ts'
import { usage } from './support/material-client.ts'
import { createTestDatabase, postgresServer } from './support/postgres.ts'
import { addressOf, revenueClientFor, type RevenueClient } from './support/revenue-client.ts'
import { useTestServer } from './support/server.ts'
import { observeCalls } from './support/statement-recorder.ts'
import { startTransactionPooler, type LendingOrder } from './support/transaction-pooler.ts'

const date = '2030-05-02'
const cell = { Dato: date, AvdelingID: '20' }

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('row-level security on $name', (database) => {
  const server = useTestServer(database, 'row-security')
  let ours: RevenueClient
  let theirs: RevenueClient
  beforeAll(async () => {
    ours = revenueClientFor(server, server.tenantA)
    theirs = revenueClientFor(server, server.tenantB)
    for (const [client, note] of [
      [ours, 'vår'],
      [theirs, 'deres'],
    ] as const) {
      await client.setPerDate([{ ...cell, Omsetning: 100, Merknad: note }])
      const replies = [
        await client.call('POST', '/odata/Avdeling', { json: { Id: '20', Navn: note } }),
        await client.call('POST', '/odata/Ansatt', { json: { Fornavn: note, AvdelingId: '20' } }),
        await client.call('POST', '/prosjekt/Transaksjon', { json: { ...usage, Merknad: note } }),
        await client.call('POST', '/prosjekt/Transaksjon(1)/Godkjenn'),
      ]
      expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 200])
    }
  })

  const reads = [
    '/dev/Omsetning/Finn',
    addressOf('/dev/Omsetning/Finn', { $filter: `Dato eq datetime('${date}')`, $count: 'true' }),
    addressOf('/odata/Omsetning', { $expand: 'Avdeling', $count: 'true' }),
    addressOf('/odata/Omsetning', { $apply: 'aggregate(Omsetning with sum as Sum)' }),
    '/omsetning/OmsetningLogg',
    addressOf('/odata/Ansatt', { $expand: 'Avdeling($expand=Ansatte)' }),
    addressOf('/odata/$all', { $search: 'deres' }),
    '/odata/Avdeling/$count',
    '/prosjekt/TransaksjonsEksport',
  ]
  const readAll = async (client: RevenueClient) => {
    const replies = await Promise.all(reads.map((address) => client.call('GET', address)))
    for (const { status, text } of replies) expect(status, text).toBe(200)
    return replies.map(({ text }) => text)
  }

  test('reads without their condition return the rows of the own company alone', async () => {
    const complete = await readAll(ours)
    expect(complete.join()).toContain('vår')
    dropConditions()
    expect(await readAll(ours)).toEqual(complete)
  })

  test('the test sees the rows of other companies on a table without policies', async () => {
    await admin(server.url, 'alter table revenue disable row level security')
    onTestFinished(() => admin(server.url, 'alter table revenue enable row level security'))
    dropConditions()
    expect((await ours.find()).text).toContain('deres')
  })

  test('writes without their condition change the rows of the own company alone', async () => {
    const before = await readAll(theirs)
    dropConditions()
    const [record] = (await ours.setPerDate([{ ...cell, Omsetning: 200 }])).json
    expect(record).toMatchObject({ Omsetning: 200 })
    expect((await ours.accumulate({ ...cell, Omsetning: 5 })).json.Omsetning).toBe(205)
    expect((await ours.delete(record.InntektsPlanId)).status).toBe(204)
    expect(await ours.records()).toEqual([])
    expect(await readAll(theirs)).toEqual(before)
  })

  test('a statement without its company fails on a table of companies, unless it is declared as one across companies', async () => {
    await ours.setPerDate([{ ...cell, Omsetning: 1 }])
    const everything = () => sql`select "companyId" from revenue order by "companyId"`
    await expect(async () => server.store.all(statement(everything), {})).rejects.toThrow('bigint')
    const companies = await server.store.all(crossCompanyStatement<{ companyId: number }>(everything), {})
    expect(companies).toContainEqual({ companyId: server.tenantB.id })
    const companyId = server.tenantA.id
    const seen = await server.store.inTransaction(companyId as never, async (transaction) => [
      await transaction.all(statement(everything), { companyId }),
      await transaction.all(crossCompanyStatement(everything), {}),
      await transaction.all(statement(everything), { companyId }),
    ])
    const own = companies.filter((row) => row.companyId === companyId)
    expect(seen).toEqual([own, companies, own])
  })

  test('every table that names a company has policies, except where rows are found by a secret or change their company', () => {
    const others = Object.values(tables).filter(
      ({ columns, hasRowSecurity }) => 'companyId' in columns && !hasRowSecurity,
    )
    expect(others.map(({ name }) => name)).toEqual(['session', 'invitation'])
  })
})

describe.runIf(postgresServer !== undefined)('a user that is no superuser', () => {
  const role = `dagsverk_plain_${randomUUID().slice(0, 8)}`
  let made: Awaited<ReturnType<typeof createTestDatabase>>
  let url: string
  beforeAll(async () => {
    made = await createTestDatabase('plain-role')
    const database = new URL(made.url)
    await admin(made.url, `create role ${role} login password '${role}'`)
    await admin(made.url, `alter database "${database.pathname.slice(1)}" owner to ${role}`)
    database.username = role
    database.password = role
    url = database.href
    // Where the search path finds it by the name of the user.
    await admin(url, 'create schema authorization current_user')
    await migrateDatabase(url)
  })
  afterAll(async () => {
    await made.drop()
    await admin(postgresServer ?? '', `drop role ${role}`)
  })

  const open = async (): Promise<Store> => {
    const store = await openStore({ url, canCreate: false })
    onTestFinished(() => store.close())
    return store
  }
  const everySequence = statement<{ companyId: number }>(
    () => sql`select "companyId" from sequence order by "companyId"`,
  )

  test('a user that owns the database reads the rows of one company; one that does not reads those of all, and doctor reports it', async () => {
    const store = await open()
    const [first, second] = await store.inSystemTransaction(async (writer) => {
      const company = { timezone: 'UTC', currency: 'NOK', settings: '{}' }
      return [
        await insertCompany(writer, { ...company, name: 'A' }, 0),
        await insertCompany(writer, { ...company, name: 'B' }, 0),
      ]
    })
    const seenBy = (one: Store) => one.all(everySequence, { companyId: first })
    expect(await findRowSecurityProblem(store)).toBe(null)
    expect(await seenBy(store)).toEqual([{ companyId: first }])

    const name = new URL(made.url).pathname.slice(1)
    await admin(made.url, `alter database "${name}" owner to current_user`)
    const unprotected = await open()
    expect(await findRowSecurityProblem(unprotected)).toBe(
      `${role} must own the database: alter database "${name}" owner to "${role}"`,
    )
    expect(await seenBy(unprotected)).toEqual([{ companyId: first }, { companyId: second }])
  })

  test('neither the server nor doctor accepts tables of another user, and both print the statement that changes their owner', async () => {
    await admin(made.url, `alter database "${new URL(made.url).pathname.slice(1)}" owner to ${role}`)
    const statements = await adminRows(made.url, ownerStatements('current_user'))
    for (const { text } of statements) await admin(made.url, text)
    const opening = openStore({ url, canCreate: true, isServing: true }).then((store) => store.close())
    const [message] = await Promise.all([
      opening.catch(String),
      expect(opening).rejects.toMatchObject({ exitCode: 78 }),
    ])
    expect(message).toContain(`"${role}" cannot read them`)
    const terminal = openTerminal({ DAGSVERK_DATABASE_URL: url })
    onTestFinished(() => terminal.close())
    const doctor = await terminal.run('doctor')
    expect([doctor.exitCode, doctor.stdout]).toEqual([1, expect.stringContaining(`"${role}" cannot read them`)])

    const printed = /select format.*(?= \\gexec)/.exec(String(message))?.[0] ?? ''
    for (const { text } of await adminRows(made.url, `select format as text from (${printed}) as printed`))
      await admin(made.url, text)
    await (await openStore({ url, canCreate: true, isServing: true })).close()
  })
})

describe.runIf(postgresServer !== undefined)('a connection pooler that shares connections', () => {
  test.each<LendingOrder>(['last', 'inTurn'])(
    'ends the start of a server with code 78, which names the setting, when it lends idle connections: %s',
    async (order) => {
      const made = await createTestDatabase('pooler')
      await migrateDatabase(made.url)
      const pooler = await startTransactionPooler(made.url, order)
      const { url } = pooler
      // The pooler has a connection of another client.
      const other = new Client({ connectionString: url })
      await other.connect()
      onTestFinished(async () => {
        await other.end()
        pooler.close()
        await made.drop()
      })
      await expect(openStore({ url, canCreate: true, isServing: true })).rejects.toMatchObject({
        exitCode: 78,
        message: sharedConnections,
      })
    },
  )
})

/** Selects a statement for each table that gives it to another user. */
function ownerStatements(user: string): string {
  return `select format('alter table %s owner to %I', oid::regclass, ${user}) as text from pg_class
    where relnamespace = (select relnamespace from pg_class where relname = 'sequence' and relkind = 'r')
      and relkind in ('r', 'v')`
}

/** Until the end of the test, every statement loses its conditions by company; their values stay. */
function dropConditions(): void {
  const restore = observeCalls(Query.prototype, 'submit', (query) => {
    const submitted = query as SubmittedQuery
    submitted.text = submitted.text.replaceAll(condition, '$<value>::bigint is not null')
    // The text of a prepared statement must not change.
    submitted.name = ''
  })
  onTestFinished(restore)
}

const condition = /(?:"?\w+"?\.)?"companyId" = (?<value>\$\d+)/g

/** What `pg` sends; its types do not have the members. */
interface SubmittedQuery {
  text: string
  name: string
}

async function admin(url: string, text: string): Promise<void> {
  await adminRows(url, text)
}

async function adminRows(url: string, text: string): Promise<{ text: string }[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ text: string }>(text)
  await client.end()
  return rows
}
