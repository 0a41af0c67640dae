// Opens the export journal of a server and reconciles it with the database before serving.
import { hostname } from 'node:os'
import { thisWorker } from './workers/worker.ts'
import type { World } from './environment.ts'
import { openExportJournal, recordsIn, type ExportJournal } from '../journal/export-journal.ts'
import { replayJournal } from '../export/replay-journal.ts'
import type { Config } from '../config/settings.ts'
import { JournaledStore } from '../store/export/journaled-store.ts'
import { JournalKeeper } from '../store/export/journal-writer.ts'
import { readSetting, writeSetting } from '../store/accounts/settings.ts'
import type { Store } from '../store/store.ts'

/** Runs the work with a journaled store, and closes the journal afterwards. */
export async function withJournal<T>(
  store: Store,
  config: Config,
  world: World,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const journal = await openJournal(store, config, world)
  if (journal === null) return work(store)
  try {
    return await work(await connectJournal(journal, store, world))
  } finally {
    await journal.close()
  }
}

/** Null on PostgreSQL without a configured folder, because no default folder is certain to be outside the database. */
async function openJournal(
  store: Store,
  { exportJournal: folder }: Config,
  world: World,
): Promise<ExportJournal | null> {
  if (folder === null) return null
  const database = await getDatabaseName(store, world)
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
  return openExportJournal({ folder, database, server: `${host}-${thisWorker()?.id ?? 0}` })
}

/** The unique name of this database; created once and included in every backup. */
function getDatabaseName(store: Store, { random }: Pick<World, 'random'>): Promise<string> {
  return store.inHouseTransaction(async (writer) => {
    const known = await readSetting(writer, 'database')
    if (known !== undefined) return known
    const made = random(16).toString('hex')
    await writeSetting(writer, 'database', made)
    return made
  })
}

async function connectJournal(journal: ExportJournal, store: Store, world: World): Promise<Store> {
  const { extents, folder } = journal
  const records = () => recordsIn(folder)
  const done = await replayJournal({ store, extents, records, clock: world.clock })
  if (done > 0)
    world.tell(
      `Replayed ${done} exports from the export journal that were missing in the database.\n`,
    )
  const keeper = new JournalKeeper(journal, store)
  await keeper.keepAll()
  return new JournaledStore(store, keeper)
}
