// Database checks of `dagsverk doctor`: schema, integrity, log size, clock, keys, credentials.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { checkJournal, checkLastBackup, checkMail } from './doctor-operation.ts'
import { listAllowedNetworks } from '../../auth/authenticator/allowed-networks.ts'
import { describeBrokenLine, findMissingCompanies, readAuditAnchors } from '../support/audit-anchors.ts'
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
import { advice, ok, wrong, type Verdict, type Verdicts } from '../../lib/verdict.ts'

/** Opening the database performs further checks: durable commits, and other users of the file. */
export async function checkDatabase(config: Config, runtime: Runtime): Promise<Verdicts> {
  const { databaseUrl: url } = config
  try {
    const path = sqlitePath(url)
    const connections = path === null ? await checkPooling(url) : null
    if (connections?.verdict === 'wrong') return { connections }
    const schema = checkSchema(await withDatabaseErrors(getSchemaState(url)))
    if (schema.verdict === 'wrong') return { schema }
    return await withOpenStore({ url, canCreate: false, connectionsMax: 2 }, async (store) => ({
      database: ok(path ?? 'PostgreSQL'),
      connections: connections ?? [],
      schema,
      ...(path === null
        ? { durability: evaluateDurability(await getDurability(store)), 'row security': await checkRowSecurity(store) }
        : { 'write-ahead log': checkWriteAheadLog(path), pages: await checkIntegrity(store) }),
      'master key': await checkMasterKey(store, config, runtime),
      backup: await checkLastBackup(store, runtime.clock()),
      'export journal': await checkJournal(store, config),
      mail: await checkMail(store, config),
      logs: await checkLogs(store, config.auditAnchors),
      owner: (await isSetUp(store)) ? [] : advice('none: open the set-up link, or run dagsverk company add'),
      ...(await checkAccounts(store, runtime.clock())),
    }))
  } catch (error) {
    return { database: wrong(messageOf(error)) }
  }
}

function checkSchema({ done, waiting }: Awaited<ReturnType<typeof getSchemaState>>): Verdict {
  const problem = describeUnknownMigrations('the database', done)
  if (problem !== null) return wrong(problem)
  if (waiting.length > 0) return wrong(`missing migrations ${waiting.join(', ')}: run dagsverk migrate`)
  return ok(done.at(-1) ?? '')
}

/** SQLite has no checksums, so its integrity check cannot detect all damage. PostgreSQL checks its own pages. */
async function checkIntegrity(store: Store): Promise<Verdict> {
  const [first] = await store.checkIntegrity()
  return first === undefined ? ok('no damage found') : wrong(`damaged, restore a backup: ${first}`)
}

async function checkRowSecurity(store: Store): Promise<Verdict> {
  const problem = await findRowSecurityProblem(store)
  return problem === null ? ok("a company's connection sees its own rows only") : advice(`does not apply: ${problem}`)
}

async function checkPooling(url: string): Promise<Verdict> {
  const pooling = await withDatabaseErrors(findPooling(url))
  if (pooling === 'transaction') return wrong(sharedConnections)
  return pooling === 'none'
    ? ok('to PostgreSQL itself')
    : advice(
        'through a connection pooler: if it ignores statement_timeout, PostgreSQL does not end a read after 10 seconds',
      )
}

/** The first problem of every log that has one, also by comparison with the anchors that a server appends to the file. */
async function checkLogs(store: Store, file: string | null): Promise<Verdict[]> {
  let entries = 0
  const problems: Verdict[] = []
  try {
    const { anchors, brokenLines } = readAuditAnchors(
      file !== null && existsSync(file) ? readFileSync(file, 'utf8') : '',
    )
    if (file !== null && anchors.size === 0)
      problems.push(
        advice(
          `${file} has no anchors: a server adds them when it starts and daily, and its log says why it could not`,
        ),
      )
    // A crash may have cut a line, which the server adds again.
    for (const line of brokenLines) problems.push(advice(describeBrokenLine(file ?? '', line)))
    const companies = await listCompanies(store)
    for (const name of findMissingCompanies(anchors, companies))
      problems.push(wrong(`"${name}" has anchors in ${file}, and is missing in the database`))
    for (const { id, name } of companies)
      for (const found of await verifyLogs(store, id, anchors.get(companyKey(name))?.hashes ?? new Map(), () => {})) {
        const { log, verdict, message } = describeVerification(found)
        entries += found.entries
        if (verdict === 'wrong') problems.push(wrong(`${log} of "${name}": ${message}`))
      }
  } catch (error) {
    // A damaged page, which must not hide the other findings.
    problems.push(wrong(messageOf(error)))
  }
  return problems.length > 0 ? problems : [ok(`${entries} entries are unchanged`)]
}

/** Checkpoints shrink the log; only a reader that never ends lets it grow this large. */
function checkWriteAheadLog(path: string): Verdict {
  const log = `${path}-wal`
  const MiB = existsSync(log) ? Math.ceil(statSync(log).size / 2 ** 20) : 0
  return MiB > writeAheadMiBMax ? advice(`${MiB} MiB: restart the server to shrink it`) : ok(`${MiB} MiB`)
}

const writeAheadMiBMax = 256

/** The first use binds a key to the database, so this check never causes it. */
async function checkMasterKey(store: Store, config: Config, runtime: Runtime): Promise<Verdict> {
  if (!(await hasMasterKey(store))) return ok('not used yet')
  try {
    await loadMasterKey(store, config, runtime)
    const path = masterKeyPath(config)
    return ok(config.masterKey === '' ? path : 'as configured')
  } catch (error) {
    return wrong(messageOf(error))
  }
}

/** `now` in microseconds. */
async function checkAccounts(store: Store, now: number) {
  const companies = await listCompanies(store)
  const credentials = await Promise.all(
    companies.map(async (company) => {
      const all = await listCredentials(store, { companyId: company.id })
      return { company, live: all.filter(({ revokedAt }) => revokedAt === null) }
    }),
  )
  const problems = credentials.flatMap(({ company, live }) => adviseOnCredentials(company, live, now))
  return {
    clock: checkClock(credentials, now),
    credentials: problems.length === 0 ? ok('none is weak or expires soon') : problems.map(advice),
  }
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
function checkClock(
  known: readonly { company: CompanyTable; live: readonly CredentialTable[] }[],
  now: number,
): Verdict {
  const newest = known
    .flatMap(({ company, live }) => [
      company.createdAt,
      ...live.flatMap(({ createdAt, lastUsedAt }) => [createdAt, lastUsedAt ?? 0]),
    ])
    .reduce((latest, at) => Math.max(latest, at), 0)
  const message = new Date(now / 1000).toISOString()
  return newest > now + microsecondsPerMinute
    ? wrong(`${message} is before ${new Date(newest / 1000).toISOString()}, the last use of the database`)
    : ok(message)
}

const expiryWarning = 14 * microsecondsPerDay
