// The clients of a hand-off: a manager who withdraws, a plain client, clients with claims, and one receiver.
import type { Claim, Client as Integration } from '../../src/client/client.ts'
import type { Client } from './client.ts'
import type { Dice } from '../support/random.ts'

/** The lines that a client retrieved, and the results of its reports. */
export interface Fetched {
  readonly line: number
  readonly party: string
}

/** The period in which a claiming client relied on holding a line; milliseconds. */
interface Held {
  readonly line: number
  readonly party: string
  readonly from: number
  readonly until: number
}

/** Ignores repeats by their key; records who delivered what. */
export class Receiver {
  readonly keys = new Set<string>()
  readonly fetched: Fetched[] = []
  readonly held: Held[] = []
  /** How often a client was told that a line is newly exported. */
  readonly newly = new Map<number, number>()
  readonly violations: string[] = []

  take(line: { readonly Id: number; readonly Eksportnokkel: string }, party: string): void {
    this.keys.add(line.Eksportnokkel)
    this.fetched.push({ line: line.Id, party })
  }

  told(results: readonly Result[], party: string): void {
    for (const { id, code } of results) {
      const line = Number(id)
      if (code === 'exported') this.newly.set(line, (this.newly.get(line) ?? 0) + 1)
      else if (code !== 'already_exported')
        this.violations.push(`${party} retrieved ${line} and got ${code}`)
    }
  }
}

interface Result {
  readonly id?: unknown
  readonly code: string
}

/** Runs until it is stopped. */
export interface Stop {
  isOver: boolean
}

/** GET, import, acknowledge: the endpoints of the specification. */
export async function plainPass(client: Client, receiver: Receiver): Promise<number> {
  const { effect, json } = await client.call('GET', '/prosjekt/TransaksjonsEksport')
  if (effect !== 'ok') return pause(30).then(() => -1)
  const lines: { Id: number; Eksportnokkel: string }[] = json.value
  for (const line of lines) receiver.take(line, 'plain')
  const ids = lines.map(({ Id }) => Id)
  while (ids.length > 0) {
    const path = '/prosjekt/Transaksjonseksport/Eksportert'
    const marked = await client.call('POST', path, { json: { ids } })
    if (marked.effect === 'ok') {
      receiver.told(marked.json.resultater, 'plain')
      break
    }
    if (marked.status >= 400 && marked.status < 500) {
      receiver.violations.push(`plain: ${marked.text}`)
      break
    }
    await pause(30)
  }
  return ids.length
}

/** Claims, imports, sometimes waits beyond the end of its lease, and reports. */
export async function claimerUntil(
  client: Integration,
  receiver: Receiver,
  { dice, party, stop }: { dice: Dice; party: string; stop: Stop },
): Promise<void> {
  while (!stop.isOver) {
    const claim = await client.claim({ max: 1 + dice.below(6), leaseSeconds: 1 }).catch(isBusy)
    if (claim === null) {
      await pause(10 + dice.below(30))
      continue
    }
    const from = Date.now()
    for (const line of claim.lines) receiver.take(line, party)
    await pause(dice.below(12) === 0 ? 1200 : dice.below(30))
    hold(receiver, claim, party, from)
    const items = claim.lines.map(({ Id, Revisjon }) => ({ id: Id, revision: Revisjon }))
    try {
      const { results } = await client.report(claim.id, { items })
      receiver.told(results, party)
      await client.release(claim.id)
    } catch (error) {
      receiver.violations.push(`${party} was rejected: ${String(error)}`)
    }
  }
}

/** Reporting, or the end of the lease, ends the period in which it holds its lines. */
function hold(receiver: Receiver, claim: Claim, party: string, from: number): void {
  const until = Math.min(Date.now(), Date.parse(claim.heldUntil))
  for (const { Id } of claim.lines) receiver.held.push({ line: Id, party, from, until })
}

function isBusy(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'BatchOpen') return null
  throw error
}

/** Registers, approves, withdraws and approves again; the ids that were registered. */
export async function managerUntil(
  client: Client,
  { dice, stop }: { dice: Dice; stop: Stop },
): Promise<number[]> {
  const ids: number[] = []
  for (let round = 0; !stop.isOver; round++) {
    const rows = Array.from({ length: 1 + dice.below(4) }, (_, index) => ({
      Dato: '2026-11-02',
      VareId: 'A1',
      Antall: 1 + dice.below(9),
      EksternId: `R${round}.${index}`,
    }))
    const registered = await client.call('POST', '/prosjekt/Transaksjon/Batch', { json: rows })
    if (registered.effect === 'ok')
      ids.push(...registered.json.resultater.map(({ id }: { id: number }) => id))
    else await pause(30)
    if (ids.length === 0) continue
    const some = () => Array.from({ length: 1 + dice.below(5) }, () => dice.pick(ids.slice(-20)))
    await decide(client, 'Godkjenn', some())
    await decide(client, 'TrekkGodkjenning', some())
    await decide(client, 'Godkjenn', some())
    await pause(dice.below(20))
  }
  return ids
}

export function decide(client: Client, act: string, ids: readonly number[]) {
  return client.call('POST', `/prosjekt/Transaksjon/${act}`, { json: { ids: [...new Set(ids)] } })
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms)
  })
}
