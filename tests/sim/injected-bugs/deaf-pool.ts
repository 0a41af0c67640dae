// Injected bug: the pool has no error listener, so that the first broken connection ends the process.
import { Pool } from 'pg'

// oxlint-disable-next-line typescript/unbound-method -- called with its pool below
const { on } = Pool.prototype
Pool.prototype.on = function (...[event, listener]: Parameters<typeof on>) {
  return event === 'error' ? this : on.call(this, event, listener)
}
