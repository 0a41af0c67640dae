// Server status, support bundle and backups, for the operator.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { administered } from '../audited-action.ts'
import { json, type Asked, type System } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import { limits } from '../../http/limits.ts'
import { writeStamp } from '../../lib/timestamp.ts'
import type { Reply } from '../../http/request.ts'
import { backUp, backupName } from '../../store/archive/backup.ts'
import { companiesShown, databaseBytes, mailShown } from '../../store/server-overview.ts'
import { listMail } from '../../store/notifications/mail.ts'
import { lastBackup, noteBackup } from '../../store/last-backup.ts'

/** Timestamps are microseconds. */
export async function systemStatus({ store, system, outbox }: Asked): Promise<Reply> {
  const { listBytesMax, bodyBytesMax, bodyBytesInFlightMax, urlBytesMax } = limits
  return json({
    version: system.version,
    database: store.dialect,
    databaseBytes: await databaseBytes(store),
    degraded: system.degraded(),
    backup: await lastBackup(store),
    backupFolder: system.backupFolder,
    mail: { isSet: outbox !== null, ...(await mailShown(store)) },
    limits: {
      rateLimit: system.rateLimit,
      listBytesMax,
      bodyBytesMax,
      bodyBytesInFlightMax,
      urlBytesMax,
    },
  })
}

/** Configuration and health of the server for support, without secrets, company names or company data. */
export async function supportBundle(asked: Asked): Promise<Reply> {
  const { store, system, outbox, clock } = asked
  const companies = await companiesShown(store)
  const { node, openssl, sqlite } = process.versions
  const letters = (await listMail(store)).filter(({ problem }) => problem !== null)
  const bundle = {
    at: writeStamp(clock()),
    version: system.version,
    platform: `${process.platform} ${process.arch}`,
    versions: { node, openssl, sqlite },
    settings: system.settings,
    degraded: system.degraded(),
    database: { kind: store.dialect, bytes: await databaseBytes(store), load: store.load() },
    backup: await lastBackup(store),
    mail: { isSet: outbox !== null, ...(await mailShown(store)), letters },
    companies: companies.length,
    people: companies.reduce((sum, { people }) => sum + people, 0),
    credentials: companies.reduce((sum, { credentials }) => sum + credentials, 0),
  }
  const name = `dagsverk-support-${bundle.at.slice(0, 10)}.json`
  return json(bundle, { 'Content-Disposition': `attachment; filename="${name}"` })
}

/** Writes a backup while requests continue, and replies after verifying it. Throws `BackupRunning`. */
export async function makeBackup(asked: Asked): Promise<Reply> {
  const { system, clock } = asked
  if (running.has(system)) throw new Fault('BackupRunning')
  running.add(system)
  try {
    const at = clock()
    const file = backupName(at)
    mkdirSync(system.backupFolder, { recursive: true, mode: 0o700 })
    const { rows } = await backUp({
      url: system.databaseUrl,
      path: join(system.backupFolder, file),
      version: system.version,
      at,
      onProgress: () => {},
    })
    return await administered(asked, 'backup', async (transaction) => {
      await noteBackup(transaction, { at, rows, file })
      return { answer: { at, rows, file }, about: { backup: file } }
    })
  } finally {
    running.delete(system)
  }
}

/** One backup at a time, because each reads all data. */
const running = new WeakSet<System>()
