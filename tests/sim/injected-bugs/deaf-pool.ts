// A planted bug: nobody listens for the connections of the pool that break, and the first one ends the process.
import { Pool } from 'pg'

// oxlint-disable-next-line typescript/unbound-method -- called with its pool below
const { on } = Pool.prototype
Pool.prototype.on = function (...[event, listener]: Parameters<typeof on>) {
  return event === 'error' ? this : on.call(this, event, listener)
}
