// The clients of a hand-off: a manager who withdraws, a plain client, clients with claims, and one receiver.
import type { Claim, Client as Integration } from '../../src/client/client.ts'
import type { SimClient } from './client.ts'
import type { SeededRandom } from '../support/random.ts'

/** The lines that a client retrieved, and the results of its reports. */
export interface RetrievedLine {
  readonly line: number
  readonly clientName: string
}

/** The period in which a claiming client relied on holding a line; milliseconds. */
interface HeldPeriod {
  readonly line: number
  readonly clientName: string
  readonly from: number
  readonly until: number
}

/** Ignores repeats by their key; records who delivered what. */
export class Receiver {
  readonly keys = new Set<string>()
  readonly retrieved: RetrievedLine[] = []
  readonly held: HeldPeriod[] = []
  /** How often a reply said that a line is newly exported. */
  readonly newlyExportedCounts = new Map<number, number>()
  readonly violations: string[] = []

  receive(line: { readonly Id: number; readonly Eksportnokkel: string }, clientName: string): void {
    this.keys.add(line.Eksportnokkel)
    this.retrieved.push({ line: line.Id, clientName })
  }

  recordResults(results: readonly ItemResult[], clientName: string): void {
    for (const { id, code } of results) {
      const line = Number(id)
      if (code === 'exported') this.newlyExportedCounts.set(line, (this.newlyExportedCounts.get(line) ?? 0) + 1)
      else if (code !== 'already_exported') this.violations.push(`${clientName} retrieved ${line} and got ${code}`)
    }
  }
}

interface ItemResult {
  readonly id?: unknown
  readonly code: string
}

/** Runs until it is stopped. */
export interface StopSignal {
  isStopped: boolean
}

/** GET, import, acknowledge: the endpoints of the specification. */
export async function runPlainClient(client: SimClient, receiver: Receiver): Promise<number> {
  const { effect, json } = await client.call('GET', '/prosjekt/TransaksjonsEksport')
  if (effect !== 'ok') return pause(30).then(() => -1)
  const lines: { Id: number; Eksportnokkel: string }[] = json.value
  for (const line of lines) receiver.receive(line, 'plain')
  const ids = lines.map(({ Id }) => Id)
  while (ids.length > 0) {
    const path = '/prosjekt/Transaksjonseksport/Eksportert'
    const acknowledged = await client.call('POST', path, { json: { ids } })
    if (acknowledged.effect === 'ok') {
      receiver.recordResults(acknowledged.json.resultater, 'plain')
      break
    }
    if (acknowledged.status >= 400 && acknowledged.status < 500) {
      receiver.violations.push(`plain: ${acknowledged.text}`)
      break
    }
    await pause(30)
  }
  return ids.length
}

/** Claims, imports, sometimes waits beyond the end of its lease, and reports. */
export async function runClaimingClient(
  client: Integration,
  receiver: Receiver,
  { random, clientName, stop }: { random: SeededRandom; clientName: string; stop: StopSignal },
): Promise<void> {
  while (!stop.isStopped) {
    const claim = await client.claim({ max: 1 + random.below(6), leaseSeconds: 1 }).catch(isBusy)
    if (claim === null) {
      await pause(10 + random.below(30))
      continue
    }
    const from = Date.now()
    for (const line of claim.lines) receiver.receive(line, clientName)
    await pause(random.below(12) === 0 ? 1200 : random.below(30))
    recordHeldPeriod(receiver, claim, clientName, from)
    const items = claim.lines.map(({ Id, Revisjon }) => ({ id: Id, revision: Revisjon }))
    try {
      const { results } = await client.report(claim.id, { items })
      receiver.recordResults(results, clientName)
      await client.release(claim.id)
    } catch (error) {
      receiver.violations.push(`${clientName} was rejected: ${String(error)}`)
    }
  }
}

/** Reporting, or the end of the lease, ends the period in which it holds its lines. */
function recordHeldPeriod(receiver: Receiver, claim: Claim, clientName: string, from: number): void {
  const until = Math.min(Date.now(), Date.parse(claim.claimedUntil))
  for (const { Id } of claim.lines) receiver.held.push({ line: Id, clientName, from, until })
}

function isBusy(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ClaimAlreadyOpen') return null
  throw error
}

/** Registers, approves, withdraws and approves again; the ids that were registered. */
export async function runManager(
  client: SimClient,
  { random, stop }: { random: SeededRandom; stop: StopSignal },
): Promise<number[]> {
  const ids: number[] = []
  for (let round = 0; !stop.isStopped; round++) {
    const rows = Array.from({ length: 1 + random.below(4) }, (_, index) => ({
      Dato: '2026-11-02',
      VareId: 'A1',
      Antall: 1 + random.below(9),
      EksternId: `R${round}.${index}`,
    }))
    const registered = await client.call('POST', '/prosjekt/Transaksjon/Batch', { json: rows })
    if (registered.effect === 'ok') ids.push(...registered.json.resultater.map(({ id }: { id: number }) => id))
    else await pause(30)
    if (ids.length === 0) continue
    const some = () => Array.from({ length: 1 + random.below(5) }, () => random.pick(ids.slice(-20)))
    await decide(client, 'Godkjenn', some())
    await decide(client, 'TrekkGodkjenning', some())
    await decide(client, 'Godkjenn', some())
    await pause(random.below(20))
  }
  return ids
}

export function decide(client: SimClient, action: string, ids: readonly number[]) {
  return client.call('POST', `/prosjekt/Transaksjon/${action}`, { json: { ids: [...new Set(ids)] } })
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
