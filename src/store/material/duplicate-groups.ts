// Duplicate groups: the lines of one write that may be one and the same, with each other or with stored ones (ADR 0049).
import { transactionStates } from '../../model/transaction.ts'
import type { Transaction } from '../store.ts'
import {
  anomalyBits,
  findDuplicates,
  listFlaggedLines,
  type DuplicateKey,
  type FlaggedLine,
  type NewFlags,
} from './anomaly-flags.ts'
import { itemOf } from './item-usage.ts'
import type { LineChange, StoredMaterial } from './materials.ts'
import { toIdRows } from '../statement.ts'

interface DuplicateGroup extends DuplicateKey {
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
    const keys = all.map(({ item, date, employeeId, quantity, projectId }, ordinal) => ({
      ordinal,
      item,
      date,
      employeeId,
      quantity,
      projectId,
    }))
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
  async findOthers(transaction: Transaction): Promise<{ readonly line: FlaggedLine; readonly flags: NewFlags }[]> {
    const single = new Map<number, DuplicateGroup>()
    for (const group of this.#byKey.values())
      if (group.others === 1 && group.otherId !== null) single.set(group.otherId, group)
    const lines = await listFlaggedLines(transaction, [...single.keys()])
    return lines.flatMap((line) => {
      const flag = (single.get(line.id)?.written ?? 0) > 0 ? anomalyBits.duplicate : 0
      const isChanged =
        line.state === transactionStates.registered && (line.anomalyFlags & anomalyBits.duplicate) !== flag
      return isChanged
        ? [{ line, flags: { id: line.id, anomalyFlags: line.anomalyFlags ^ anomalyBits.duplicate } }]
        : []
    })
  }

  #add(line: StoredMaterial, written: 0 | 1): void {
    const key = toText(line)
    const found = this.#byKey.get(key)
    if (found !== undefined) found.written += written
    else {
      const { date, employeeId, quantity, projectId } = line
      const item = itemOf(line) ?? ''
      this.#byKey.set(key, { item, date, employeeId, quantity, projectId, written, others: 0, otherId: null })
    }
  }
}

function toText(line: StoredMaterial): string {
  const { date, employeeId, quantity, projectId } = line
  return `${date} ${employeeId} ${quantity} ${projectId === null ? '' : `${projectId.length} ${projectId}`} ${itemOf(line)}`
}
