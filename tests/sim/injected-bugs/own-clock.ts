// Injected bug: timestamps come from the server's own clock, slightly late, not from the company's sequences.
import { Sequences } from '../../../src/store/sequences.ts'

let last = 0

Sequences.prototype.nextStamp = (now) => (last = Math.max(now - 30_000, last + 1))
