// Server status, support bundle and backups, for the operator.
import type { SystemStatus } from '../contract/administration.ts'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { auditedAction } from '../company-transaction.ts'
import { JsonReply, toReply, type AppRequest, type ServerInfo } from '../route.ts'
import { limits } from '../../http/limits.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import type { Reply } from '../../http/request.ts'
import { WriteError } from '../../lib/operator-error.ts'
import { createBackup, backupFileName } from '../../store/archive/backup.ts'
import { listCompanySummaries, getDatabaseBytes, getMailSummary } from '../../store/server-overview.ts'
import { listMail } from '../../store/notifications/mail.ts'
import { getLastBackup, recordBackup, type LastBackup } from '../../store/last-backup.ts'
import { ApiError } from '../../errors/api-error.ts'

/** Timestamps are microseconds. */
export async function getSystemStatus({ store, system, mailQueue }: AppRequest): Promise<SystemStatus> {
  const { listBytesMax, bodyBytesMax, bodyBytesInFlightMax, urlBytesMax } = limits
  return {
    version: system.version,
    database: store.dialect,
    databaseBytes: await getDatabaseBytes(store),
    degraded: system.degraded(),
    backup: await getLastBackup(store),
    backupFolder: system.backupFolder,
    mail: { isConfigured: mailQueue !== null, ...(await getMailSummary(store)) },
    limits: { rateLimit: system.rateLimit, listBytesMax, bodyBytesMax, bodyBytesInFlightMax, urlBytesMax },
  }
}

/** Configuration and health of the server for support, without secrets, company names or company data. */
export async function createSupportBundle(appRequest: AppRequest): Promise<Reply> {
  const { store, system, mailQueue, clock } = appRequest
  const companies = await listCompanySummaries(store)
  const { node, openssl, sqlite } = process.versions
  const failedMail = (await listMail(store)).filter(({ lastError }) => lastError !== null)
  const bundle = {
    at: formatTimestamp(clock()),
    version: system.version,
    platform: `${process.platform} ${process.arch}`,
    versions: { node, openssl, sqlite },
    settings: system.settings,
    degraded: system.degraded(),
    database: { kind: store.dialect, bytes: await getDatabaseBytes(store), load: store.load() },
    backup: await getLastBackup(store),
    mail: { isConfigured: mailQueue !== null, ...(await getMailSummary(store)), failedMail },
    companies: companies.length,
    people: companies.reduce((sum, { people }) => sum + people, 0),
    credentials: companies.reduce((sum, { credentials }) => sum + credentials, 0),
  }
  const name = `dagsverk-support-${bundle.at.slice(0, 10)}.json`
  return toReply(new JsonReply(bundle, { headers: { 'Content-Disposition': `attachment; filename="${name}"` } }))
}

/** Writes a backup while requests continue, and replies after verifying it. Throws `BackupRunning`. */
export async function makeBackup(appRequest: AppRequest): Promise<LastBackup> {
  const { system, clock } = appRequest
  if (running.has(system)) throw new ApiError('BackupRunning')
  running.add(system)
  try {
    const at = clock()
    const file = backupFileName(at)
    mkdirSync(system.backupFolder, { recursive: true, mode: 0o700 })
    const { rows } = await createBackup({
      url: system.databaseUrl,
      path: join(system.backupFolder, file),
      version: system.version,
      at,
    }).catch((error: unknown) => {
      if (!(error instanceof WriteError)) throw error
      throw new ApiError(error.isDiskFull ? 'StorageFull' : 'StorageError', { cause: error })
    })
    return await auditedAction(appRequest, 'backup', async (transaction) => {
      await recordBackup(transaction, { at, rows, file })
      return { result: { at, rows, file }, auditData: { backup: file } }
    })
  } finally {
    running.delete(system)
  }
}

/** One backup at a time, because each reads all data. */
const running = new WeakSet<ServerInfo>()
