// Generated material transactions in all states: registered, rejected, approved, exported.
import type { Caller } from '../auth/caller.ts'
import { formatDay } from '../lib/calendar.ts'
import { decideTransactions } from '../material/decide.ts'
import { writeContext, type WriteContext } from '../auth/action-context.ts'
import { logFullRetrieval } from '../export/retrieval.ts'
import { applyAcknowledgements, evaluateAcknowledgements } from '../export/acknowledge.ts'
import { newAcknowledgement } from '../export/evaluate-acknowledgement.ts'
import type { MaterialRowInput } from '../material/content.ts'
import { registerBatch } from '../material/register-batch.ts'
import { departments } from './departments.ts'
import { pick, randomInteger, seededRandom } from './seeded-random.ts'
import type { InsertUntil, DayRange } from './history.ts'
import { listDestinations } from '../store/export/destinations.ts'
import type { Transaction } from '../store/store.ts'

/** Number of generated transactions of a company; their ids start at 1. */
export function materialCount(company: string): number {
  return counts[company] ?? 0
}

const counts: Readonly<Record<string, number>> = { TEST: 300, TEST2: 40 }

/** Each week transactions are registered and decided, and those approved the week before are exported. */
export function createMaterialInserter(caller: Caller, { end }: DayRange): InsertUntil {
  const count = materialCount(caller.company.name)
  const weekCount = Math.ceil(count / weeks)
  let week = 0
  return async (transaction, day) => {
    for (; week * weekCount < count; week++) {
      const friday = end - 1 - 7 * (weeks - 1 - week)
      if (friday > day) return
      const ids = { first: week * weekCount, count: Math.min(weekCount, count - week * weekCount) }
      await insertWeek(transaction, caller, friday, ids)
    }
  }
}

const weeks = 6

async function insertWeek(
  transaction: Transaction,
  caller: Caller,
  day: number,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  const { name } = caller.company
  const at = (hour: number): WriteContext =>
    writeContext(caller, `sandbox-${formatDay(day)}-${hour}`, (day * 24 + hour) * 3600 * 1_000_000)
  // On Friday noon the approved lines are retrieved, and most of them are acknowledged.
  await exportApproved(transaction, at(12), name)
  const rows = Array.from({ length: count }, (_, index) => transactionRow(name, first + index, day))
  const outcomes = await registerBatch(transaction, rows, at(13))
  const ids = outcomes.flatMap((one) => {
    if ('details' in one) throw new Error(`sandbox data was rejected: ${one.details[0]?.code}`)
    return one.material.id
  })
  const idsByState = Map.groupBy(ids, (id) => stateOf(name, id))
  await decideTransactions(transaction, idsByState.get('approved') ?? [], approval, at(15))
  await decideTransactions(transaction, idsByState.get('rejected') ?? [], rejection, at(16))
}

const approval = { action: 'approve', reason: null } as const
const rejection = { action: 'reject', reason: 'Feil prosjekt, se ordren' } as const

function stateOf(company: string, id: number): 'approved' | 'rejected' | 'registered' {
  const random = seededRandom('fate', company, id)
  if (random < 0.7) return 'approved'
  return random < 0.8 ? 'rejected' : 'registered'
}

async function exportApproved(transaction: Transaction, context: WriteContext, company: string): Promise<void> {
  const [found] = await listDestinations(transaction)
  if (found === undefined) throw new Error('a company without a destination')
  const { lastLineId, at } = await logFullRetrieval(transaction, found, context)
  const destination = { ...found, retrievedThrough: at }
  const received = Array.from({ length: lastLineId }, (_, index) => index + 1).filter(
    (id) => stateOf(company, id) === 'approved' && seededRandom('taken', company, id) < 0.9,
  )
  const acknowledgements = received.map((id) => newAcknowledgement(id, `B-${10_000 + id}`))
  const results = await evaluateAcknowledgements(transaction, destination, acknowledgements, context)
  const exported = results.filter(({ code }) => code === 'exported')
  await applyAcknowledgements(transaction, destination, exported, { context, externalBatchId: context.requestId })
}

function transactionRow(company: string, index: number, day: number): MaterialRowInput {
  const of = ['material', company, index]
  const [itemId, itemName, unit, price] = pick(items, 'item', ...of)
  const department = pick(departments[company] ?? [], 'department', ...of)
  return {
    location: '',
    values: {
      date: formatDay(day - randomInteger(0, 4, 'day', ...of)),
      employeeId: randomInteger(1, 18, 'employee', ...of),
      departmentId: department.id,
      // Some transactions have anomalies for the approval queue.
      projectId:
        seededRandom('no project', ...of) < 0.03
          ? null
          : `P${String(randomInteger(1, 6, 'project', ...of)).padStart(3, '0')}`,
      itemId,
      itemName,
      unit,
      // Some quantities are negative (returns).
      quantity:
        randomInteger(1, 40, 'quantity', ...of) *
        (seededRandom('back', ...of) < 0.05 ? -5_000 : 5_000) *
        (seededRandom('huge', ...of) < 0.03 ? 40 : 1),
      costPrice: price * 6_000,
      salesPrice: seededRandom('no price', ...of) < 0.02 ? null : price * 10_000,
      isBillable: seededRandom('billable', ...of) < 0.8,
      remark: seededRandom('remark', ...of) < 0.1 ? 'Hentet av "Kari" & Co' : null,
      source: 'lager',
      externalId: `L-${index + 1}`,
    },
  }
}

const items = [
  ['4711', 'Skrue 4x40, eske', 'eske', 89],
  ['4720', 'Kabel PN 3G1,5', 'm', 14],
  ['5100', 'Gipsplate 13 mm', 'stk', 129],
  ['5210', 'Lim, hurtigtørkende', 'tube', 75],
  ['6003', 'Koblingsboks IP65', 'stk', 48],
  ['7001', 'Isolasjon 10 cm', 'm2', 62],
] as const
