// A planted bug: transactions of SQLite read before they ask for the lock, and then cannot have it.
import Database from 'better-sqlite3'

// oxlint-disable-next-line typescript/unbound-method -- called with its database below
const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  return prepare.call(this, sql === 'begin immediate' ? 'begin' : sql)
} as typeof prepare
