// Bursts of connections: accepts them all before it handles their requests.
import type { Server } from 'node:http'
import { deferLongWork } from '../lib/yield-to-event-loop.ts'

export interface AcceptFirstOptions {
  /** Milliseconds of a clock that never goes back. */
  readonly monotonicMs: () => number
  /** The longest time that a request waits for connections to be accepted. */
  readonly waitMsMax?: number
}

/** Turns of the event loop in a row that must accept a connection: fewer are no burst. */
const turnsOfBurst = 4

/**
 * Node accepts one connection in a turn of the event loop. In a burst, the last connection would therefore wait for
 * the requests of all others (ADR 0013). Returns a function that calls `handle` now, or in a burst as soon as a turn
 * accepts no connection, at the latest after `waitMsMax`. Calls keep their order. Slices of long work wait too: with one in
 * each turn, a company that reads long pages on new connections would let those of others wait for seconds.
 */
export function acceptFirst(
  server: Pick<Server, 'on'>,
  { monotonicMs, waitMsMax = 20 }: AcceptFirstOptions,
): (handle: () => void) => void {
  let turns = 0
  let accepted = false
  let waiting: (() => void)[] = []
  let waitingSince = 0
  const endTurn = () => {
    turns = accepted ? turns + 1 : 0
    accepted = false
    if (turns > 0) setImmediate(endTurn)
    if (waiting.length === 0 || (turns > 0 && monotonicMs() - waitingSince < waitMsMax)) return
    const handled = waiting
    waiting = []
    for (const handle of handled) handle()
  }
  server.on('connection', () => {
    if (turns === 0 && !accepted) setImmediate(endTurn)
    accepted = true
    deferLongWork()
  })
  return (handle) => {
    if (turns < turnsOfBurst) return handle()
    if (waiting.length === 0) waitingSince = monotonicMs()
    waiting.push(handle)
  }
}
