// Every line that waits is handed to a function, and what came of it is reported: nothing is lost, and what is repeated carries its key.
import type { Claim, Client, Failure, Handle, Item, LoopOptions, LoopOutcome } from './calls.ts'
import { DagsverkError, type ElementResult } from './error.ts'
import { keepLease, type Lease } from './lease.ts'
import { beyond, type ExportLine } from './line.ts'
import { pause } from './pause.ts'

/** Thrown by a handler that can tell why, by a code of its own, a line cannot be taken in. */
export class LineRefused extends Error {
  override readonly name = 'LineRefused'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Goes through what waits by ascending id, so that a line that failed is tried again in the next round and not at
 * once. Throws `DagsverkError` when a call has failed for good; what was handled and not reported comes again.
 */
export async function runExportLoop(
  client: Client,
  handle: Handle,
  options: LoopOptions,
): Promise<LoopOutcome> {
  const { signal, idleSeconds } = options
  const counts: Record<string, number> = {}
  const reported = (results: readonly ElementResult[]) => {
    for (const { code } of results) counts[code] = (counts[code] ?? 0) + 1
    options.onReport?.(results)
  }
  const round = { client, handle, options, reported, areClaimed: options.claims ?? true }
  try {
    for (;;) {
      await goThrough(round)
      if (idleSeconds === undefined || signal?.aborted) break
      await pause(idleSeconds * 1000, signal)
    }
  } catch (error) {
    if (!signal?.aborted || error !== signal.reason) throw error
  }
  return { counts }
}

interface Round {
  readonly client: Client
  readonly handle: Handle
  readonly options: LoopOptions
  readonly reported: (results: readonly ElementResult[]) => void
  areClaimed: boolean
}

async function goThrough(round: Round): Promise<void> {
  for (let last = 0; !round.options.signal?.aborted;) {
    const claim = round.areClaimed ? await claimBeyond(last, round) : null
    // Whether there are claims may only just have turned out.
    const lines = round.areClaimed ? (claim?.lines ?? []) : await listBeyond(last, round)
    if (lines.length === 0) return
    // Of a claim that was lost on the way, the rest is still to be done.
    last = (await work(lines, claim, round)) ?? last
  }
}

/** Where others hold as many claims as there may be, it waits: a claim ends by itself. */
async function claimBeyond(last: number, round: Round): Promise<Claim | null> {
  const { signal, max = linesAtOnce, leaseSeconds = leaseLength, filter } = round.options
  for (;;)
    try {
      return await round.client.claim({ max, leaseSeconds, filter: beyond(last, filter), signal })
    } catch (error) {
      if (!(error instanceof DagsverkError)) throw error
      if (error.code === 'BatchOpen') await pause(claimPause, signal)
      else if (withoutClaims.has(error.status)) {
        round.areClaimed = false
        return null
      } else throw error
    }
}

/** What a server answers that has no such address. */
const withoutClaims: ReadonlySet<number> = new Set([404, 405, 501])

async function listBeyond(last: number, { client, options }: Round): Promise<ExportLine[]> {
  const { filter, max: pageSize = linesAtOnce, signal } = options
  const lines: ExportLine[] = []
  for await (const line of client.exportable({ after: last, filter, pageSize, signal })) {
    lines.push(line)
    if (lines.length === pageSize) break
  }
  return lines
}

const linesAtOnce = 100
const leaseLength = 120
const claimPause = 1000

/** The id of the last line that was handed over; null where none was. */
async function work(
  lines: readonly ExportLine[],
  claim: Claim | null,
  round: Round,
): Promise<number | null> {
  const { client, options } = round
  const { leaseSeconds = leaseLength } = options
  if (claim === null) return handOver(lines, null, null, round)
  const lease = keepLease(() => client.extend(claim.id, { leaseSeconds }), leaseSeconds)
  const last = await handOver(lines, claim, lease, round).finally(() => lease.end())
  // Lines that failed, or were not come to, are others' now.
  await client.release(claim.id)
  return last
}

async function handOver(
  lines: readonly ExportLine[],
  claim: Claim | null,
  lease: Lease | null,
  round: Round,
): Promise<number | null> {
  const { handle, options } = round
  const { signal, reportEvery = 10 } = options
  let items: Item[] = []
  let failed: Failure[] = []
  let last: number | null = null
  for (const line of lines) {
    if (signal?.aborted || lease?.isLost) break
    last = line.Id
    try {
      const takenIn = await handle(line, { signal })
      items.push({ id: line.Id, revision: line.Revisjon, ...takenIn })
    } catch (error) {
      // Cut short: nobody knows what came of it, and it comes again.
      if (signal?.aborted) break
      failed.push(failureOf(line, error))
    }
    if (items.length + failed.length >= reportEvery) {
      await report(items, failed, claim, round)
      items = []
      failed = []
    }
  }
  if (items.length + failed.length > 0) await report(items, failed, claim, round)
  return last
}

function failureOf({ Id: id }: ExportLine, error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof LineRefused ? error.code : 'handler_failed'
  return { id, code, message: message.slice(0, messageMax) }
}

const messageMax = 1000

/** Also after the signal: what was handled must be known. */
async function report(
  items: readonly Item[],
  failed: readonly Failure[],
  claim: Claim | null,
  { client, reported }: Round,
): Promise<void> {
  try {
    if (claim !== null) {
      reported((await client.report(claim.id, { items, failed })).results)
      return
    }
    if (items.length > 0) reported((await client.markExported(items)).results)
    if (failed.length > 0) reported((await client.reportFailed(failed)).results)
  } catch (error) {
    // A withdrawn line that nobody was served, for one: it tells of each, and is no reason to stop.
    if (!(error instanceof DagsverkError) || error.code !== 'NothingMarked') throw error
    reported(error.results)
  }
}
