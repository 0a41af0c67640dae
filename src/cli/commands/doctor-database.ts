// Database checks of `dagsverk doctor`: schema, integrity, log size, clock, keys, credentials.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { checkJournal, checkLastBackup, checkMail } from './doctor-operation.ts'
import { listAllowedNetworks } from '../../auth/authenticator/allowed-networks.ts'
import { describeBrokenLine, findMissingCompanies, readAuditAnchors } from '../support/audit-anchors.ts'
import { advice, ok, wrong, type Finding } from '../support/finding.ts'
import { describeVerification } from '../support/log-verification.ts'
import { hasMasterKey, loadMasterKey, masterKeyPath } from '../../server/master-key-file.ts'
import { withDatabaseErrors, withOpenStore } from '../../server/with-store.ts'
import type { Runtime } from '../../server/environment.ts'
import type { Config } from '../../config/settings.ts'
import { companyKey, listCompanies } from '../../store/accounts/companies.ts'
import { microsecondsPerDay, microsecondsPerMinute } from '../../lib/timestamp.ts'
import { listCredentials } from '../../store/accounts/credentials.ts'
import { verifyLogs } from '../../store/audit/verify-logs.ts'
import { isSetUp } from '../../store/accounts/settings.ts'
import { describeUnknownMigrations } from '../../store/migrations/list.ts'
import { getSchemaState, sqlitePath } from '../../store/open-store.ts'
import { getDurability, evaluateDurability } from '../../store/postgres/durability.ts'
import { findPooling, sharedConnections } from '../../store/postgres/pooling.ts'
import { findRowSecurityProblem } from '../../store/postgres/row-security.ts'
import type { Store } from '../../store/store.ts'
import type { CompanyTable, CredentialTable } from '../../store/tables/accounts.ts'
import { messageOf } from '../../lib/operator-error.ts'

/** Opening the database performs further checks: durable commits, and other users of the file. */
export async function checkDatabase(config: Config, runtime: Runtime): Promise<Finding[]> {
  const { databaseUrl: url } = config
  try {
    const pooling = sqlitePath(url) === null ? [await checkPooling(url)] : []
    if (pooling.some(({ verdict }) => verdict === 'wrong')) return pooling
    const schema = checkSchema(await withDatabaseErrors(getSchemaState(url)))
    if (schema.verdict === 'wrong') return [schema]
    return await withOpenStore({ url, canCreate: false, connectionsMax: 2 }, async (store) => [
      ok('database', sqlitePath(url) ?? 'PostgreSQL'),
      ...pooling,
      schema,
      ...checkWriteAheadLog(sqlitePath(url)),
      await checkIntegrity(sqlitePath(url), store),
      ...(store.dialect === 'postgres' ? [await checkRowSecurity(store)] : []),
      await masterKey(store, config, runtime),
      await checkLastBackup(store, runtime.clock()),
      await checkJournal(store, config),
      await checkMail(store, config),
      ...(await checkLogs(store, config.auditAnchors)),
      ...(await accounts(store, runtime.clock())),
    ])
  } catch (error) {
    return [wrong('database', messageOf(error))]
  }
}

function checkSchema({ done, waiting }: Awaited<ReturnType<typeof getSchemaState>>): Finding {
  const check = 'schema'
  const problem = describeUnknownMigrations('the database', done)
  if (problem !== null) return wrong(check, problem)
  if (waiting.length > 0) return wrong(check, `missing migrations ${waiting.join(', ')}: run dagsverk migrate`)
  return ok(check, done.at(-1) ?? '')
}

/** SQLite has no checksums, so its integrity check cannot detect all damage. PostgreSQL checks its own pages. */
async function checkIntegrity(path: string | null, store: Store): Promise<Finding> {
  if (path === null) return { check: 'durability', ...evaluateDurability(await getDurability(store)) }
  const [first] = await store.checkIntegrity()
  return first === undefined ? ok('pages', 'no damage found') : wrong('pages', `damaged, restore a backup: ${first}`)
}

async function checkRowSecurity(store: Store): Promise<Finding> {
  const check = 'row security'
  const problem = await findRowSecurityProblem(store)
  return problem === null
    ? ok(check, "a company's connection sees its own rows only")
    : advice(check, `does not apply: ${problem}`)
}

async function checkPooling(url: string): Promise<Finding> {
  const check = 'connections'
  const pooling = await withDatabaseErrors(findPooling(url))
  if (pooling === 'transaction') return wrong(check, sharedConnections)
  return pooling === 'none'
    ? ok(check, 'to PostgreSQL itself')
    : advice(check, 'through a connection pooler: what a client has given up runs on until its time limit')
}

/** The first problem of every log that has one, also by comparison with the anchors that a server appends to the file. */
async function checkLogs(store: Store, file: string | null): Promise<Finding[]> {
  const check = 'logs'
  let entries = 0
  const problems: Finding[] = []
  try {
    const { anchors, brokenLines } = readAuditAnchors(
      file !== null && existsSync(file) ? readFileSync(file, 'utf8') : '',
    )
    if (file !== null && anchors.size === 0)
      problems.push(
        advice(
          check,
          `${file} has no anchors: a server adds them when it starts and daily, and its log says why it could not`,
        ),
      )
    // A crash may have cut a line, which the server adds again.
    for (const line of brokenLines) problems.push(advice(check, describeBrokenLine(file ?? '', line)))
    const companies = await listCompanies(store)
    for (const name of findMissingCompanies(anchors, companies))
      problems.push(wrong(check, `"${name}" has anchors in ${file}, and is missing in the database`))
    for (const { id, name } of companies)
      for (const found of await verifyLogs(store, id, anchors.get(companyKey(name))?.hashes ?? new Map(), () => {})) {
        const { log, verdict, message } = describeVerification(found)
        entries += found.entries
        if (verdict === 'wrong') problems.push(wrong(check, `${log} of "${name}": ${message}`))
      }
  } catch (error) {
    // A damaged page, which must not hide the other findings.
    problems.push(wrong(check, messageOf(error)))
  }
  return problems.length > 0 ? problems : [ok(check, `${entries} entries are unchanged`)]
}

/** Checkpoints shrink the log; only a reader that never ends lets it grow this large. */
function checkWriteAheadLog(path: string | null): Finding[] {
  if (path === null) return []
  const check = 'write-ahead log'
  const log = `${path}-wal`
  const MiB = existsSync(log) ? Math.ceil(statSync(log).size / 2 ** 20) : 0
  return MiB > writeAheadMiBMax
    ? [advice(check, `${MiB} MiB: restart the server to shrink it`)]
    : [ok(check, `${MiB} MiB`)]
}

const writeAheadMiBMax = 256

/** The first use binds a key to the database, so this check never causes it. */
async function masterKey(store: Store, config: Config, runtime: Runtime): Promise<Finding> {
  const check = 'master key'
  if (!(await hasMasterKey(store))) return ok(check, 'not used yet')
  try {
    await loadMasterKey(store, config, runtime)
    const path = masterKeyPath(config)
    return ok(check, config.masterKey === '' ? path : 'as configured')
  } catch (error) {
    return wrong(check, messageOf(error))
  }
}

/** `now` in microseconds. */
async function accounts(store: Store, now: number): Promise<Finding[]> {
  const companies = await listCompanies(store)
  const credentials = await Promise.all(
    companies.map(async (company) => {
      const all = await listCredentials(store, { companyId: company.id })
      return { company, live: all.filter(({ revokedAt }) => revokedAt === null) }
    }),
  )
  const problems = credentials.flatMap(({ company, live }) => adviseOnCredentials(company, live, now))
  return [
    ...((await isSetUp(store)) ? [] : [advice('owner', 'none: open the set-up link, or run dagsverk company add')]),
    clock(credentials, now),
    ...(problems.length === 0
      ? [ok('credentials', 'none is weak or expires soon')]
      : problems.map((problem) => advice('credentials', problem))),
  ]
}

function adviseOnCredentials({ name }: CompanyTable, live: readonly CredentialTable[], now: number): string[] {
  const expiring = live.flatMap(({ kind, id, expiresAt }) =>
    expiresAt !== null && expiresAt < now + expiryWarning
      ? [`${kind} ${id} of "${name}" expires ${new Date(expiresAt / 1000).toISOString()}`]
      : [],
  )
  const weak = live
    .filter(({ secretKind }) => secretKind === 'weak')
    .map((one) => `"${name}" has a weak legacy password, accepted only from ${listAllowedNetworks(one)?.join(', ')}`)
  const none = live.length === 0 ? [`"${name}" has no password and no key`] : []
  return [...none, ...expiring, ...weak]
}

/** Expiry and change tracking depend on the clock, so it must not be before stored timestamps. */
function clock(known: readonly { company: CompanyTable; live: readonly CredentialTable[] }[], now: number): Finding {
  const newest = known
    .flatMap(({ company, live }) => [
      company.createdAt,
      ...live.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? 0]),
    ])
    .reduce((latest, at) => Math.max(latest, at), 0)
  const check = 'clock'
  const message = new Date(now / 1000).toISOString()
  return newest > now + microsecondsPerMinute
    ? wrong(check, `${message} is before ${new Date(newest / 1000).toISOString()}, the last use of the database`)
    : ok(check, message)
}

const expiryWarning = 14 * microsecondsPerDay
