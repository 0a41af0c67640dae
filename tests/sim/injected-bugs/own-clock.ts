// Injected bug: timestamps come from the server's own clock, slightly late, not from the company's sequences.
import { Counters } from '../../../src/store/sequences.ts'

let last = 0

Counters.prototype.nextStamp = (now) => (last = Math.max(now - 30_000, last + 1))
