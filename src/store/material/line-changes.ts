// Line changes: writes transactions with what depends on their content and state (ADR 0049).
import { pick } from '../../lib/pick.ts'
import { transactionStates } from '../../model/transaction.ts'
import type { Transaction } from '../store.ts'
import { anomalyBits, findUnusualChanges, toggleFlag, updateFlags } from './anomaly-flags.ts'
import { DuplicateGroups, isCompared } from './duplicate-groups.ts'
import {
  addUsage,
  findItemUsages,
  itemOf,
  saveItemUsages,
  sizeOf,
  unusualSizeOf,
  type ItemUsage,
  type UsageChange,
} from './item-usage.ts'
import { deleteMaterials, insertMaterials, updateMaterials, type LineChange, type StoredMaterial } from './materials.ts'
import { findUnknownFlags } from './unknown-references.ts'
import { WaitingDayChanges } from './waiting-days.ts'

/**
 * Writes changes of different transactions, and keeps item usage, anomaly flags and waiting days as if they were computed
 * from all transactions. `write` replaces the statements that write the transactions, except for their flags.
 */
export async function saveLineChanges(
  transaction: Transaction,
  changes: readonly LineChange[],
  write?: () => Promise<void>,
): Promise<void> {
  if (changes.length === 0) return
  const waiting = changes.flatMap(({ after }) => (isWaiting(after) ? after : []))
  const [usages, duplicates, unknownFlagsOf] = await Promise.all([
    findUsageChanges(transaction, changes),
    DuplicateGroups.find(transaction, changes),
    findUnknownFlags(transaction, waiting),
  ])
  const flagged = changes.map(({ before, after }): LineChange => {
    if (after === null) return { before, after }
    const anomalyFlags = isWaiting(after)
      ? flagsOfContent(after, usages.byItem) + duplicates.flagOf(after) + unknownFlagsOf(after)
      : 0
    return { before, after: { ...after, anomalyFlags } }
  })
  if (write === undefined) await writeLines(transaction, flagged)
  else {
    await write()
    const anomalous = flagged.flatMap(({ after }) =>
      after !== null && after.anomalyFlags > 0 ? pick(after, ['id', 'anomalyFlags']) : [],
    )
    await updateFlags(transaction, anomalous)
  }
  const changedUsages = usages.changes.map(({ after }) => after)
  await saveItemUsages(transaction, changedUsages)
  const days = new WaitingDayChanges()
  for (const { before, after } of flagged) {
    if (isWaiting(before)) days.count(before, -1)
    if (isWaiting(after)) days.count(after, 1)
  }
  // Other lines than those of the write.
  await toggleFlag(transaction, await duplicates.findOthers(transaction), anomalyBits.duplicate, days)
  await toggleFlag(transaction, await findUnusualChanges(transaction, usages.changes), anomalyBits.unusual, days)
  await days.save(transaction)
}

function isWaiting(line: StoredMaterial | null): line is StoredMaterial {
  return line !== null && line.state === transactionStates.registered
}

function flagsOfContent(line: StoredMaterial, usages: ReadonlyMap<string, ItemUsage>): number {
  return (
    (line.projectId === null ? anomalyBits.noProject : 0) +
    (line.salesPrice === null ? anomalyBits.noPrice : 0) +
    (Math.abs(line.quantity) >= unusualSizeOf(usages.get(itemOf(line) ?? '')) ? anomalyBits.unusual : 0)
  )
}

interface UsageChanges {
  readonly changes: readonly UsageChange[]
  /** After the write, for the items of all waiting lines. */
  readonly byItem: ReadonlyMap<string, ItemUsage>
}

async function findUsageChanges(transaction: Transaction, changes: readonly LineChange[]): Promise<UsageChanges> {
  const added = new Map<string, { lines: number; size: number }>()
  const add = (line: StoredMaterial, sign: 1 | -1) => {
    const item = itemOf(line) ?? ''
    const sum = added.get(item) ?? { lines: 0, size: 0 }
    sum.lines += sign
    sum.size += sign * sizeOf(line)
    added.set(item, sum)
  }
  for (const { before, after } of changes) {
    if (isCompared(before)) add(before, -1)
    if (isCompared(after)) add(after, 1)
  }
  const byItem = await findItemUsages(transaction, added.keys())
  const usageChanges: UsageChange[] = []
  for (const [item, sum] of added) {
    if (sum.lines === 0 && sum.size === 0) continue
    const before = byItem.get(item)
    const after = addUsage(item, before, sum)
    usageChanges.push({ before, after })
    byItem.set(item, after)
  }
  return { changes: usageChanges, byItem }
}

async function writeLines(transaction: Transaction, changes: readonly LineChange[]): Promise<void> {
  const of = (hasBefore: boolean) =>
    changes.flatMap(({ before, after }) => (after !== null && (before !== null) === hasBefore ? after : []))
  const deletedIds = changes.flatMap(({ before, after }) => (after === null && before !== null ? before.id : []))
  await deleteMaterials(transaction, deletedIds)
  await insertMaterials(transaction, of(false))
  await updateMaterials(transaction, of(true))
}
