// Opens the export journal of a server and reconciles it with the database before serving.
import { hostname } from 'node:os'
import { join } from 'node:path'
import { currentWorker } from './workers/worker.ts'
import type { Runtime } from './environment.ts'
import { openExportJournal, type ExportJournal } from '../journal/export-journal.ts'
import { readJournalRecords } from '../journal/read-journal.ts'
import { findCompaniesBehind, replayJournal, skipLostIds, type ReplayOptions } from '../export/replay-journal.ts'
import { exportsSuspendedSince, suspendExportsSince } from '../store/export/export-suspension.ts'
import type { LostData } from './lost-data.ts'
import type { Config } from '../config/settings.ts'
import { JournalWriter } from '../store/export/journal-writer.ts'
import { SeenLedger } from '../store/export/seen-ledger.ts'
import { getDatabaseName } from '../store/database-name.ts'
import type { CommitJournal, Store } from '../store/store.ts'

/** What the journal of a server belongs to. */
interface JournalContext {
  readonly config: Config
  readonly runtime: Runtime
  readonly lostData: LostData
}

/** Runs the work with the store connected to its journal, which is closed afterwards; SQLite may have none. */
export async function withJournal<T>(
  store: Store,
  context: JournalContext,
  work: (journal: CommitJournal | null) => Promise<T>,
): Promise<T> {
  const { config, runtime } = context
  if (config.exportJournal === null) return work(store.dialect === 'sqlite' ? null : await seeLedger(store, context))
  const database = await getDatabaseName(store, runtime)
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
  const server = `${host}-${currentWorker()?.id ?? 0}`
  const journal = await openExportJournal({ folder: config.exportJournal, database, server })
  try {
    return await work(await connectJournal(journal, store, context))
  } finally {
    await journal.close()
  }
}

/** On PostgreSQL without a configured folder, because no default folder is certain to be outside the database. */
async function seeLedger(store: Store, { config, runtime }: JournalContext): Promise<CommitJournal> {
  const seenLedger = new SeenLedger({
    reader: store,
    path: join(config.dataDir, `seen-ledger-${currentWorker()?.id ?? 0}.json`),
    database: await getDatabaseName(store, runtime),
    skipLostIds: () => skipLostIds(store),
    suspend: async () => {
      await suspendExportsSince(store, runtime.clock())
      runtime.printMessage(
        'The database lacks exports that this server has seen: a failover has lost them. All exports are suspended. Acknowledge what the receivers have, and run "dagsverk export release".\n',
      )
    },
  })
  await seenLedger.flushAll()
  store.journalCommits(seenLedger)
  return seenLedger
}

async function connectJournal(
  journal: ExportJournal,
  store: Store,
  { runtime, lostData }: JournalContext,
): Promise<CommitJournal> {
  await checkLedger(journal, store, lostData)
  const records = () => readJournalRecords(journal.folder)
  const replay = async (hasLostIds?: ReplayOptions['hasLostIds']) => {
    const { watermarks } = journal
    const done = await replayJournal({ store, watermarks, records, clock: runtime.clock, hasLostIds })
    if (done > 0)
      runtime.printMessage(`Replayed ${done} exports from the export journal that were missing in the database.\n`)
  }
  await replay()
  const journalWriter = new JournalWriter(journal, store, replay)
  await journalWriter.flushAll()
  store.journalCommits(journalWriter)
  return journalWriter
}

/**
 * Reports exports that a SQLite database has lost: it commits before the journal is written, and only a restore suspends
 * exports. PostgreSQL may lack them after a failover (ADR 0034).
 */
async function checkLedger({ watermarks, folder }: ExportJournal, store: Store, lostData: LostData): Promise<void> {
  if (store.dialect === 'postgres' || (await exportsSuspendedSince(store)) !== null) return
  if ((await findCompaniesBehind(store, watermarks)).length > 0)
    lostData.report(
      `The export journal in ${folder} has exports that the database lacks, although no backup was restored.`,
      { lost: 'exports' },
    )
}
