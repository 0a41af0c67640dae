// What `dagsverk doctor` finds in the database: its schema, its files, its clock, its secrets.
import { existsSync, statSync } from 'node:fs'
import { addressesOf } from '../../auth/authenticator/allowed-networks.ts'
import { hasMasterKey, masterKeyOf, masterKeyPath } from '../../server/master-key-file.ts'
import { reached } from '../../server/with-store.ts'
import type { World } from '../../server/environment.ts'
import type { Config } from '../../config/settings.ts'
import { listCompanies } from '../../store/accounts/companies.ts'
import { listCredentials } from '../../store/accounts/credentials.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { inspectSchema, openStore, sqlitePath } from '../../store/open-store.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'

/** `advice` is worth reading and fails nothing. */
type Verdict = 'ok' | 'advice' | 'wrong'

export interface Finding {
  readonly check: string
  readonly verdict: Verdict
  readonly says: string
}

/** Opening it checks more than is told here: that what is committed is durable, and who else has used it. */
export async function examineDatabase(config: Config, world: World): Promise<Finding[]> {
  const { databaseUrl: url } = config
  try {
    const schema = schemaFinding(await reached(inspectSchema(url)))
    if (schema.verdict === 'wrong') return [schema]
    const store = await reached(openStore({ url, isCreating: false, connectionsMax: 2 }))
    try {
      return [
        { check: 'database', verdict: 'ok', says: sqlitePath(url) ?? 'PostgreSQL' },
        schema,
        ...writeAheadLog(sqlitePath(url)),
        await safety(sqlitePath(url), store),
        await masterKey(store, config, world),
        ...(await accounts(store, world.clock())),
      ]
    } finally {
      await store.close()
    }
  } catch (error) {
    return [{ check: 'database', verdict: 'wrong', says: reason(error) }]
  }
}

function schemaFinding({
  done,
  waiting,
  unknown,
}: Awaited<ReturnType<typeof inspectSchema>>): Finding {
  const check = 'schema'
  if (unknown.length > 0)
    return { check, verdict: 'wrong', says: `a newer dagsverk made ${unknown.join(', ')}` }
  if (waiting.length > 0)
    return { check, verdict: 'wrong', says: `lacks ${waiting.join(', ')}: dagsverk migrate` }
  return { check, verdict: 'ok', says: done.at(-1) ?? '' }
}

/** Of SQLite the damage that it can see: it has no checksums, so this is not all there can be. */
async function safety(path: string | null, store: Store): Promise<Finding> {
  const [first] = await store.examine()
  if (path === null)
    return first === undefined
      ? {
          check: 'durability',
          verdict: 'ok',
          says: 'commits are on the disk when they are answered',
        }
      : { check: 'durability', verdict: 'wrong', says: first }
  return first === undefined
    ? { check: 'pages', verdict: 'ok', says: 'no damage found' }
    : { check: 'pages', verdict: 'wrong', says: `damaged, put a backup in its place: ${first}` }
}

/** It shrinks at checkpoints; only a reader that never ends lets it grow so far. */
function writeAheadLog(path: string | null): Finding[] {
  if (path === null) return []
  const check = 'write-ahead log'
  const log = `${path}-wal`
  const MiB = existsSync(log) ? Math.ceil(statSync(log).size / 2 ** 20) : 0
  return MiB > writeAheadMiBMax
    ? [{ check, verdict: 'advice', says: `${MiB} MiB: restart the server, so that it shrinks` }]
    : [{ check, verdict: 'ok', says: `${MiB} MiB` }]
}

const writeAheadMiBMax = 256

/** A key is bound to the database by its first use, which is not ours to make. */
async function masterKey(store: Store, config: Config, world: World): Promise<Finding> {
  const check = 'master key'
  if (!(await hasMasterKey(store))) return { check, verdict: 'ok', says: 'not used yet' }
  try {
    await masterKeyOf(store, config, world)
    const path = masterKeyPath(config)
    return { check, verdict: 'ok', says: config.masterKey === '' ? path : 'as configured' }
  } catch (error) {
    return { check, verdict: 'wrong', says: reason(error) }
  }
}

/** `now` in microseconds. */
async function accounts(store: Store, now: number): Promise<Finding[]> {
  const companies = await listCompanies(store)
  const credentials = await Promise.all(
    companies.map(async (company) => {
      const all = await listCredentials(store, company.id)
      return { company, live: all.filter(({ revokedAt }) => revokedAt === null) }
    }),
  )
  const advice = credentials.flatMap(({ company, live }) => adviceOn(company, live, now))
  const owner: Finding[] = (await isSetUp(store))
    ? []
    : [{ check: 'owner', verdict: 'advice', says: 'nobody: open the set-up link, or company add' }]
  return [
    ...owner,
    clock(credentials, now),
    ...(advice.length > 0 ? advice : ['none is weak, none expires soon']).map((says): Finding => ({
      check: 'credentials',
      verdict: advice.length > 0 ? 'advice' : 'ok',
      says,
    })),
  ]
}

function adviceOn({ name }: CompanyTable, live: readonly CredentialTable[], now: number): string[] {
  const expiring = live.flatMap(({ kind, id, expiresAt }) =>
    expiresAt !== null && expiresAt < now + soon
      ? [`${kind} ${id} of "${name}" expires ${new Date(expiresAt / 1000).toISOString()}`]
      : [],
  )
  const weak = live
    .filter(({ secretKind }) => secretKind === 'weak')
    .map(
      (one) =>
        `"${name}" has a weak password that was taken over; it opens from ${addressesOf(one)?.join(', ')} alone`,
    )
  const none = live.length === 0 ? [`"${name}" has neither password nor key`] : []
  return [...none, ...expiring, ...weak]
}

/** Expiry and what is read since when hang on it, so it must not stand before what happened already. */
function clock(
  known: readonly { company: CompanyTable; live: readonly CredentialTable[] }[],
  now: number,
): Finding {
  const newest = known
    .flatMap(({ company, live }) => [
      company.createdAt,
      ...live.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? 0]),
    ])
    .reduce((latest, at) => Math.max(latest, at), 0)
  const check = 'clock'
  const says = new Date(now / 1000).toISOString()
  return newest > now + minute
    ? {
        check,
        verdict: 'wrong',
        says: `${says} is before ${new Date(newest / 1000).toISOString()}, when the database was used`,
      }
    : { check, verdict: 'ok', says }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Microseconds. */
const minute = 60_000_000
const soon = 14 * 24 * 60 * minute
