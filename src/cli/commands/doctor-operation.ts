// Operation checks of `dagsverk doctor`: the last backup, the export journal, the mail.
import { existsSync } from 'node:fs'
import { variableName, type Config } from '../../config/settings.ts'
import { readJournalRecords, readWatermarks } from '../../journal/read-journal.ts'
import { microsecondsPerHour } from '../../lib/timestamp.ts'
import { entriesMax, listJournaledEntries, listLedgerPositions } from '../../store/export/journaled-entries.ts'
import { getLastBackup } from '../../store/last-backup.ts'
import { getMailSummary } from '../../store/server-overview.ts'
import type { Store } from '../../store/store.ts'
import { messageOf } from '../../lib/operator-error.ts'
import { advice, ok, wrong, type Verdict } from '../../lib/verdict.ts'

/** `now` in microseconds. */
export async function checkLastBackup(store: Store, now: number): Promise<Verdict> {
  const last = await getLastBackup(store)
  if (last === null) return advice('none was made: run dagsverk backup, from a timer')
  const age = `${last.file}, ${formatAge(now - last.at)} old`
  return now - last.at > backupAgeMaxMicroseconds ? advice(`${age}: make one every night`) : ok(age)
}

/** Exports that the journal lacks would be exported again after a restore. */
export async function checkJournal(store: Store, { exportJournal: folder }: Config): Promise<Verdict> {
  if (folder === null)
    return advice(
      `none, so exports are suspended after a restore or a failover that lost some: set ${variableName('exportJournal')} to a folder outside the database`,
    )
  try {
    const missing = await countMissing(store, folder)
    if (missing === 0) return ok(`${folder}, complete`)
    const count = missing < entriesMax ? `${missing}` : `${missing} or more`
    return advice(`${folder}, missing exports: ${count}; a server adds them at its start`)
  } catch (error) {
    return wrong(messageOf(error))
  }
}

/** Reading all records verifies the files. */
async function countMissing(store: Store, folder: string): Promise<number> {
  const hasJournal = existsSync(folder)
  if (hasJournal) for await (const _ of readJournalRecords(folder));
  const watermarks = hasJournal ? (await readWatermarks(folder)).all : []
  let missing = 0
  for (const { companyId } of await listLedgerPositions(store)) {
    const through = watermarks.find((one) => one.companyId === companyId)?.through ?? 0
    missing += (await listJournaledEntries(store, { companyId, after: through })).length
  }
  return missing
}

/** Sends nothing: that is `dagsverk mail test`. */
export async function checkMail(store: Store, { smtpUrl }: Config): Promise<Verdict> {
  if (smtpUrl === '') return ok('no mail server: links are printed, and shown in the app')
  const { waiting, givenUp } = await getMailSummary(store)
  const state = `${new URL(smtpUrl).host}, ${waiting} waiting`
  return givenUp === 0 ? ok(state) : advice(`${state}, ${givenUp} given up: see dagsverk mail list`)
}

/** Microseconds; hours up to two days, then days. */
function formatAge(age: number): string {
  const hours = Math.floor(age / microsecondsPerHour)
  return hours < 48 ? `${hours} hours` : `${Math.floor(hours / 24)} days`
}

/** A nightly backup that failed once. */
const backupAgeMaxMicroseconds = 48 * microsecondsPerHour
