// Keeps the export journal in step with the ledger: what was committed is written down before anybody is told.
import { Fault } from '../../errors/catalog.ts'
import type { ExportJournal } from '../../journal/export-journal.ts'
import type { JournalAct, JournalRecord } from '../../journal/record.ts'
import {
  decidingSince,
  entriesMost,
  journalled,
  numbersOf,
  numbersOfAll,
  type DecidingEntry,
  type Numbers,
} from './ledger-since.ts'
import type { Reader } from '../store.ts'

export class JournalKeeper {
  readonly #journal: ExportJournal
  readonly #reader: Reader
  /** By company: how far its ledger was looked through, and the round that is at work and the one behind it. */
  readonly #looked = new Map<number, number>()
  readonly #running = new Map<number, Promise<void>>()
  readonly #next = new Map<number, Promise<void>>()

  constructor(journal: ExportJournal, reader: Reader) {
    this.#journal = journal
    this.#reader = reader
  }

  /**
   * Resolves once what the company has committed by now is written down. Throws `StorageFull`, outcome unknown: it
   * is in the database, and the next round tries again.
   */
  keep(companyId: number): Promise<void> {
    const waiting = this.#next.get(companyId)
    if (waiting !== undefined) return waiting
    const before = this.#running.get(companyId) ?? Promise.resolve()
    const round = before
      .catch(() => undefined)
      .then(() => {
        this.#next.delete(companyId)
        this.#running.set(companyId, round)
        return this.#round(companyId)
      })
    this.#next.set(companyId, round)
    return round
  }

  /** The same for every company: what a server before this one could not write any more. */
  async keepAll(): Promise<void> {
    for (const numbers of await numbersOfAll(this.#reader)) await this.#catchUp(numbers)
  }

  async #round(companyId: number): Promise<void> {
    try {
      const numbers = await numbersOf(this.#reader, companyId)
      if (numbers !== undefined) await this.#catchUp(numbers)
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      throw new Fault('StorageFull', { outcome: 'unknown', cause })
    }
  }

  async #catchUp({ companyId, ledgerId, materialId }: Numbers): Promise<void> {
    const { through, ceiling } = this.#journal.extentOf(companyId)
    if (materialId > ceiling)
      await this.#append([{ kind: 'ceiling', companyId, ceiling: ceilingOver(materialId) }])
    let looked = Math.max(through, this.#looked.get(companyId) ?? 0)
    while (looked < ledgerId) {
      const entries = await decidingSince(this.#reader, companyId, looked)
      await this.#append(actsOf(companyId, entries))
      looked = entries.length < entriesMost ? ledgerId : (entries.at(-1)?.ledger ?? ledgerId)
      this.#looked.set(companyId, looked)
    }
  }

  async #append(records: readonly JournalRecord[]): Promise<void> {
    if (records.length > 0) await this.#journal.append(records)
  }
}

/** Ids are given out in blocks of so many: a restored database begins behind the block. */
const block = 10_000

function ceilingOver(id: number): number {
  return (Math.floor(id / block) + 2) * block
}

/** Neighbours of one request are one act. */
function actsOf(companyId: number, entries: readonly DecidingEntry[]): JournalAct[] {
  const groups: DecidingEntry[][] = []
  for (const entry of entries) {
    const group = groups.at(-1)
    if (group?.[0] !== undefined && isOfOneAct(group[0], entry)) group.push(entry)
    else groups.push([entry])
  }
  return groups.flatMap((group) => {
    const [first, last] = [group[0], group.at(-1)]
    if (first === undefined || last === undefined) return []
    const { act, at, destinationId, requestId } = first
    const kind = journalled[act]
    const written = group.map(({ ledger, lineId, revision, generation, source, externalId }) => ({
      ledger,
      lineId,
      revision,
      generation,
      source,
      externalId,
    }))
    return [
      { kind, companyId, through: last.ledger, at, destinationId, requestId, entries: written },
    ]
  })
}

function isOfOneAct(one: DecidingEntry, other: DecidingEntry): boolean {
  return (
    one.act === other.act &&
    one.requestId === other.requestId &&
    one.destinationId === other.destinationId
  )
}
