// Duplicate groups: the lines of one write that may be one and the same, with each other or with stored ones (ADR 0049).
import { transactionStates } from '../../model/transaction.ts'
import type { Transaction } from '../store.ts'
import { anomalyBits, findDuplicates, listFlaggedLines, type DuplicateKey, type FlaggedLine } from './anomaly-flags.ts'
import { itemOf } from './item-usage.ts'
import type { LineChange, StoredMaterial } from './materials.ts'
import { toIdRows } from '../statement.ts'

interface DuplicateGroup {
  readonly key: DuplicateKey
  /** How many lines of the write have the key after it. */
  written: number
  /** How many others have it: 2 stands for more. */
  others: 0 | 1 | 2
  /** The other, if there is one. */
  otherId: number | null
}

/** Rejected lines repeat nothing. */
export function isCompared(line: StoredMaterial | null): line is StoredMaterial {
  return line !== null && line.state !== transactionStates.rejected && itemOf(line) !== null
}

export class DuplicateGroups {
  readonly #byKey = new Map<string, DuplicateGroup>()

  /** Of the keys that lines have before or after the changes. */
  static async find(transaction: Transaction, changes: readonly LineChange[]): Promise<DuplicateGroups> {
    const groups = new DuplicateGroups()
    for (const { before, after } of changes) {
      if (isCompared(before)) groups.#add(before, 0)
      if (isCompared(after)) groups.#add(after, 1)
    }
    const all = [...groups.#byKey.values()]
    const keys = all.map(({ key }, ordinal) => ({ ordinal, ...key }))
    const except = toIdRows(changes.flatMap(({ before }) => before?.id ?? []))
    for (const { ordinal, first, second } of await findDuplicates(transaction, keys, { except })) {
      const group = all[ordinal]
      if (group === undefined) continue
      group.others = second === null ? 1 : 2
      group.otherId = first
    }
    return groups
  }

  flagOf(line: StoredMaterial): number {
    const group = isCompared(line) ? this.#byKey.get(toText(line)) : undefined
    return group !== undefined && group.written + group.others > 1 ? anomalyBits.duplicate : 0
  }

  /** Stored lines that become duplicates, or no longer are: two others with the same key were duplicates before. */
  async findOthers(transaction: Transaction): Promise<FlaggedLine[]> {
    const single = new Map<number, DuplicateGroup>()
    for (const group of this.#byKey.values())
      if (group.others === 1 && group.otherId !== null) single.set(group.otherId, group)
    const lines = await listFlaggedLines(transaction, [...single.keys()])
    return lines.filter(({ id, state, anomalyFlags }) => {
      const flag = (single.get(id)?.written ?? 0) > 0 ? anomalyBits.duplicate : 0
      return state === transactionStates.registered && (anomalyFlags & anomalyBits.duplicate) !== flag
    })
  }

  #add(line: StoredMaterial, written: 0 | 1): void {
    const text = toText(line)
    const found = this.#byKey.get(text)
    if (found !== undefined) found.written += written
    else {
      const { date, employeeId, quantity, projectId } = line
      const key = { item: itemOf(line) ?? '', date, employeeId, quantity, projectId }
      this.#byKey.set(text, { key, written, others: 0, otherId: null })
    }
  }
}

function toText(line: StoredMaterial): string {
  const { date, employeeId, quantity, projectId } = line
  return `${date} ${employeeId} ${quantity} ${projectId === null ? '' : `${projectId.length} ${projectId}`} ${itemOf(line)}`
}
