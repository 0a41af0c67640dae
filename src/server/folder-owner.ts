// Folder owner: root runs no command on the files of another user, who could not open the new ones.
import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Config } from '../config/settings.ts'
import { configurationError } from '../lib/operator-error.ts'
import { sqlitePath } from '../store/open-store.ts'

type Folders = Pick<Config, 'dataDir' | 'databaseUrl' | 'exportJournal'>

/**
 * Throws an `OperatorError` (78) with the command to use, if this is root and a folder of the server belongs to another
 * user. Reading is rejected too: SQLite creates files beside the database to read it.
 */
export function rejectRootOnForeignFolder(folders: Folders, command: string): void {
  if (process.geteuid?.() !== 0) return
  const database = sqlitePath(folders.databaseUrl)
  const paths = [folders.dataDir, folders.exportJournal, database && dirname(database)]
  for (const path of paths.filter((one) => one !== null)) {
    const uid = statSync(path, { throwIfNoEntry: false })?.uid ?? 0
    if (uid === 0) continue
    const user = userName(uid)
    throw configurationError(
      `${path} belongs to ${user}, whose server could not open the files that root creates there. Run this command as that user: sudo -E -u ${user} dagsverk ${command} …, beside a service: dagsverk-service ${command} …`,
    )
  }
}

/** As sudo accepts it: the name, or `#` and the number of a user that this machine does not list. */
function userName(uid: number): string {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const names = users.map((line) => line.split(':')).filter((fields) => fields[2] === String(uid))
  return names[0]?.[0] ?? `'#${uid}'`
}
