// Injected bug: SQLite transactions begin deferred: they read before they take the lock, and then fail.
import Database from 'better-sqlite3'

// oxlint-disable-next-line typescript/unbound-method -- called with its database below
const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  return prepare.call(this, sql === 'begin immediate' ? 'begin' : sql)
} as typeof prepare
