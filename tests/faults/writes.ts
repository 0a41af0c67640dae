// Crash consistency: writers that record every call, and a check that none is lost, doubled or partial.
import type { SimReply, SimClient } from '../sim/client.ts'
import type { SeededRandom } from '../support/random.ts'

/** One call of a writer, identified in the log by its request id. */
export interface Write {
  readonly id: string
  readonly path: string
  readonly rows: readonly RevenueRow[]
  readonly headers: Readonly<Record<string, string>>
  /** Whether a repeat is safe. */
  readonly isRepeatable: boolean
  reply: SimReply
}

interface RevenueRow {
  readonly InntektsPlanId?: number
  readonly Dato: string
  readonly AvdelingID: string
  readonly Omsetning: number
  readonly Merknad?: string
  readonly Referanse?: string
}

/** The writes of one date, which no other writers use. */
export class DayWrites {
  readonly date: string
  readonly writes: Write[] = []
  readonly #client: SimClient
  readonly #random: SeededRandom

  constructor(date: string, client: SimClient, random: SeededRandom) {
    this.date = date
    this.#client = client
    this.#random = random
  }

  /**
   * Many concurrent writers, each call after call, until the server is gone or the target is
   * reached.
   */
  async writeUntil(isOver: (reply: SimReply) => boolean, writers = 16): Promise<void> {
    await Promise.all(
      Array.from({ length: writers }, async (_, writer) => {
        for (let number = 0; ; number++) {
          const write = this.#newWrite(writer, number)
          this.writes.push(write)
          write.reply = await this.#send(write)
          if (isOver(write.reply)) return
        }
      }),
    )
  }

  get answered(): Write[] {
    return this.writes.filter(({ reply }) => reply !== noReply)
  }

  /** Waits until one has its reply: from then on the server is under load. */
  async untilAnswered(): Promise<void> {
    while (this.answered.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  /** Repeats the calls with unknown outcome, as a careful client does. */
  async repeatUnknown(): Promise<void> {
    const unknown = this.writes.filter((one) => one.isRepeatable && one.reply.effect === 'unknown')
    for (const write of unknown) write.reply = await this.#send(write)
  }

  /** The problems of the stored data; empty when there are none. */
  async violations(): Promise<string[]> {
    const $filter = `Dato eq ${this.date}`
    const [entries, records] = await Promise.all([
      this.#client.read('/omsetning/OmsetningLogg', { $filter, $orderby: 'Id' }),
      this.#client.read('/dev/Omsetning/Finn', { $filter }),
    ])
    return [...compareLogWithWrites(entries, this.writes), ...compareRecordsWithLog(records, entries)].map(
      (violation) => `${this.date}: ${violation}`,
    )
  }

  #send({ path, rows, headers, id }: Write): Promise<SimReply> {
    const json = path === paths.insert ? rows[0] : rows
    return this.#client.call('POST', path, { json, headers: { ...headers, 'x-request-id': id } })
  }

  #newWrite(writer: number, number: number): Write {
    const id = `${this.date}.${writer}.${number}`
    const Dato = this.date
    const amount = () => this.#random.below(1_000_000) / 100
    const common = { id, headers: {}, isRepeatable: false, reply: noReply }
    switch (this.#random.below(5)) {
      case 0:
        return {
          ...common,
          path: paths.setPerDate,
          rows: this.#some(3, (index) => ({ Dato, AvdelingID: `P${writer}.${index}`, Omsetning: amount() })),
        }
      case 1:
        return {
          ...common,
          path: paths.insert,
          rows: [{ Dato, AvdelingID: `L${writer}`, Omsetning: amount(), Merknad: id }],
        }
      case 2:
        return {
          ...common,
          path: paths.saveList,
          rows: this.#some(40, () => ({ Dato, AvdelingID: `L${writer}`, Omsetning: amount(), Merknad: id })),
        }
      case 3:
        return {
          ...common,
          path: paths.accumulate,
          rows: this.#some(3, (index) => ({
            Dato,
            AvdelingID: 'FELLES',
            Omsetning: amount(),
            Referanse: `${id}.${index}`,
          })),
          isRepeatable: true,
        }
      default:
        return {
          ...common,
          path: paths.accumulate,
          rows: [{ Dato, AvdelingID: 'FELLES', Omsetning: amount() }],
          headers: { 'idempotency-key': id },
          isRepeatable: true,
        }
    }
  }

  #some(most: number, row: (index: number) => RevenueRow): RevenueRow[] {
    return Array.from({ length: 1 + this.#random.below(most) }, (_, index) => row(index))
  }
}

const paths = {
  setPerDate: '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
  insert: '/dev/Omsetning/Lagre',
  saveList: '/dev/Omsetning/LagreEllerOppdaterListe',
  accumulate: '/dev/Omsetning/AggsertOmsetning',
}

const noReply: SimReply = { effect: 'unknown', status: 0, headers: {}, text: 'no reply', json: undefined }

interface RevenueLogEntry {
  readonly Id: number
  readonly InntektsPlanId: number
  readonly AvdelingID: string
  readonly Belop: number
  readonly For: number | null
  readonly Etter: number | null
  readonly ForesporselId: string
}

/**
 * Every acknowledged call once and whole, in the order of its writer; no rejected one; nothing
 * else.
 */
function compareLogWithWrites(entries: readonly RevenueLogEntry[], writes: readonly Write[]): string[] {
  const violations: string[] = []
  const byRequest = Map.groupBy(entries, ({ ForesporselId }) => ForesporselId)
  const byId = new Map(writes.map((write) => [write.id, write]))
  for (const { id, rows, reply } of writes) {
    const found = byRequest.get(id) ?? []
    byRequest.delete(id)
    const summary = `${id} (${reply.effect}) has ${found.length} of ${rows.length} rows`
    if (found.length !== 0 && found.length !== rows.length) violations.push(`${summary}: stored in part`)
    else if (reply.effect === 'ok' && found.length === 0) violations.push(`${summary}: lost`)
    else if (reply.effect === 'refused' && found.length > 0) violations.push(`${summary}: rejected but stored`)
    else if (found.some(({ Belop }, index) => Belop !== rows[index]?.Omsetning))
      violations.push(`${id} has other amounts in the revenue log`)
  }
  for (const id of byRequest.keys()) violations.push(`${id} was never sent`)
  const lastOf = new Map<string, number>()
  for (const { ForesporselId } of entries) {
    const [, writer = '', number = ''] = ForesporselId.split('.')
    // A call repeated after a crash comes later than those that followed it.
    if (byId.get(ForesporselId)?.isRepeatable === true) continue
    if (Number(number) < (lastOf.get(writer) ?? 0)) violations.push(`${ForesporselId} is out of order`)
    lastOf.set(writer, Number(number))
  }
  return violations
}

/** The log, replayed from its beginning, results in the stored records. */
function compareRecordsWithLog(
  records: readonly { InntektsPlanId: number; AvdelingID: string; Omsetning: number }[],
  entries: readonly RevenueLogEntry[],
): string[] {
  const violations: string[] = []
  const amounts = new Map<number, number | null>()
  for (const { Id, InntektsPlanId, For, Etter } of entries) {
    if ((amounts.get(InntektsPlanId) ?? null) !== For)
      violations.push(`entry ${Id} starts from ${For}, expected ${amounts.get(InntektsPlanId)}`)
    amounts.set(InntektsPlanId, Etter)
  }
  for (const { InntektsPlanId, Omsetning } of records) {
    if (amounts.get(InntektsPlanId) !== Omsetning)
      violations.push(`record ${InntektsPlanId} differs from the revenue log`)
    amounts.delete(InntektsPlanId)
  }
  for (const id of amounts.keys()) violations.push(`record ${id} of the revenue log is missing`)
  return violations
}
