// Export loop: passes each waiting line to a handler and reports the result at least once.
import type { Claim, Client, FailedItem, LineHandler, ExportedItem, LoopOptions, LoopOutcome } from './calls.ts'
import { DagsverkError, type ElementResult } from './error.ts'
import { startLease, type Lease } from './lease.ts'
import { afterId, type ExportLine } from './line.ts'
import { pause } from './pause.ts'

/** Thrown by handlers to report a failure with a code of their own. */
export class LineRejected extends Error {
  override readonly name = 'LineRejected'
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/**
 * Processes lines by ascending id, so that a failed line is retried in the next round and not immediately. Throws
 * `DagsverkError` when a call fails permanently; lines handled but not reported are passed again later.
 */
export async function runExportLoop(client: Client, handle: LineHandler, options: LoopOptions): Promise<LoopOutcome> {
  const { signal, idleSeconds } = options
  const counts: Record<string, number> = {}
  const reported = (results: readonly ElementResult[]) => {
    for (const { code } of results) counts[code] = (counts[code] ?? 0) + 1
    options.onReport?.(results)
  }
  const round = { client, handle, options, reported, areClaimed: options.claims ?? true }
  try {
    for (;;) {
      await runRound(round)
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
  readonly handle: LineHandler
  readonly options: LoopOptions
  readonly reported: (results: readonly ElementResult[]) => void
  areClaimed: boolean
}

async function runRound(round: Round): Promise<void> {
  for (let last = 0; !round.options.signal?.aborted;) {
    const claim = round.areClaimed ? await claimBeyond(last, round) : null
    // The first claim may have shown that the server has no claims.
    const lines = round.areClaimed ? (claim?.lines ?? []) : await listBeyond(last, round)
    if (lines.length === 0) return
    // When the lease was lost, the remaining lines are claimed again.
    last = (await processLines(lines, claim, round)) ?? last
  }
}

/** Waits while other workers hold the maximum number of claims. */
async function claimBeyond(last: number, round: Round): Promise<Claim | null> {
  const { signal, max = defaultChunkSize, leaseSeconds = defaultLeaseSeconds, filter } = round.options
  for (;;)
    try {
      return await round.client.claim({ max, leaseSeconds, filter: afterId(last, filter), signal })
    } catch (error) {
      if (!(error instanceof DagsverkError)) throw error
      if (error.code === 'ClaimAlreadyOpen') await pause(claimRetryMs, signal)
      else if (withoutClaims.has(error.status)) {
        round.areClaimed = false
        return null
      } else throw error
    }
}

/** Statuses of a server without claims. */
const withoutClaims: ReadonlySet<number> = new Set([404, 405, 501])

async function listBeyond(last: number, { client, options }: Round): Promise<ExportLine[]> {
  const { filter, max: pageSize = defaultChunkSize, signal } = options
  const lines: ExportLine[] = []
  for await (const line of client.exportable({ after: last, filter, pageSize, signal })) {
    lines.push(line)
    if (lines.length === pageSize) break
  }
  return lines
}

const defaultChunkSize = 100
const defaultLeaseSeconds = 120
const claimRetryMs = 1000

/** Handles the lines; returns the id of the last one, or null. */
async function processLines(lines: readonly ExportLine[], claim: Claim | null, round: Round): Promise<number | null> {
  const { client, options } = round
  const { leaseSeconds = defaultLeaseSeconds } = options
  if (claim === null) return handleLines(lines, null, null, round)
  const lease = startLease(() => client.extend(claim.id, { leaseSeconds }), leaseSeconds)
  const last = await handleLines(lines, claim, lease, round).finally(() => lease.end())
  // Releases failed and unprocessed lines for other workers.
  await client.release(claim.id)
  return last
}

async function handleLines(
  lines: readonly ExportLine[],
  claim: Claim | null,
  lease: Lease | null,
  round: Round,
): Promise<number | null> {
  const { handle, options } = round
  const { signal, reportEvery = 10 } = options
  let items: ExportedItem[] = []
  let failed: FailedItem[] = []
  let last: number | null = null
  for (const line of lines) {
    if (signal?.aborted || lease?.isLost) break
    last = line.Id
    try {
      const takenIn = await handle(line, { signal })
      items.push({ id: line.Id, revision: line.Revisjon, ...takenIn })
    } catch (error) {
      // Interrupted: the result is unknown, so the line is not reported and is passed again.
      if (signal?.aborted) break
      failed.push(toFailure(line, error))
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

function toFailure({ Id: id }: ExportLine, error: unknown): FailedItem {
  const message = error instanceof Error ? error.message : String(error)
  const code = error instanceof LineRejected ? error.code : 'handler_failed'
  return { id, code, message: message.slice(0, messageMax) }
}

const messageMax = 1000

/** Not aborted by the signal, because handled lines must be reported. */
async function report(
  items: readonly ExportedItem[],
  failed: readonly FailedItem[],
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
    // All lines were rejected, such as withdrawn ones: the results have details, and the loop goes on.
    if (!(error instanceof DagsverkError) || error.code !== 'NothingMarked') throw error
    reported(error.results)
  }
}
