// The store of a server with its export journal, each brought to where the other is before anybody is served.
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

/** Works with the store, and closes the journal after it. */
export async function withJournal<T>(
  store: Store,
  config: Config,
  world: World,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const journal = await journalOf(store, config, world)
  if (journal === null) return work(store)
  try {
    return await work(await keptIn(journal, store, world))
  } finally {
    await journal.close()
  }
}

/** None on PostgreSQL unless a folder for it is named: there is no place that is surely outside the database. */
async function journalOf(
  store: Store,
  { exportJournal: folder }: Config,
  world: World,
): Promise<ExportJournal | null> {
  if (folder === null) return null
  const database = await databaseName(store, world)
  const host = hostname()
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
  return openExportJournal({ folder, database, server: `${host}-${thisWorker()?.id ?? 0}` })
}

/** Made once, and kept in every backup: it tells this database from all others. */
function databaseName(store: Store, { random }: Pick<World, 'random'>): Promise<string> {
  return store.inHouseTransaction(async (writer) => {
    const known = await readSetting(writer, 'database')
    if (known !== undefined) return known
    const made = random(16).toString('hex')
    await writeSetting(writer, 'database', made)
    return made
  })
}

async function keptIn(journal: ExportJournal, store: Store, world: World): Promise<Store> {
  const { extents, folder } = journal
  const records = () => recordsIn(folder)
  const done = await replayJournal({ store, extents, records, clock: world.clock })
  if (done > 0) world.tell(`The export journal knew ${done} exports that the database had lost.\n`)
  const keeper = new JournalKeeper(journal, store)
  await keeper.keepAll()
  return new JournaledStore(store, keeper)
}
