// Registers transactions from other systems (interface 3); an identical row changes nothing.
import { Fault, type Detail } from '../errors/catalog.ts'
import { inSlices } from '../lib/yield-to-event-loop.ts'
import { stateConflict } from './change.ts'
import { Changes } from './changes.ts'
import { completed, differing, type SentContent, revisionUnknown } from './content.ts'
import { audit, told, type Deed } from './action-context.ts'
import { strangersIn } from './check-references.ts'
import { materialTransaction } from '../model/transaction.ts'
import {
  contentOfRow,
  materialsBySource,
  sourceKey,
  type StoredContent,
  type StoredMaterial,
} from '../store/material/materials.ts'
import type { Transaction } from '../store/store.ts'

/** A valid row and its position in the body: `[3]`, or '' for a single object. */
export interface SentRow {
  readonly place: string
  readonly values: SentContent
}

export interface Registered {
  readonly code: 'registered' | 'unchanged' | 'updated'
  readonly material: StoredMaterial
}

export interface Refused {
  readonly refused: readonly Detail[]
}

export type RegisterOutcome = Registered | Refused

/** Registers every valid row, in order; the caller decides whether a failed row rolls back all (ADR 0007). */
export async function registerBatch(
  transaction: Transaction,
  rows: readonly SentRow[],
  deed: Deed,
): Promise<readonly RegisterOutcome[]> {
  const outcomes: RegisterOutcome[] = []
  await inSlices(rows, sliceRows, async (slice) => {
    outcomes.push(...(await registerSlice(transaction, slice, deed)))
  })
  const ids = (code: Registered['code']) =>
    outcomes.flatMap((one) => ('code' in one && one.code === code ? one.material.id : []))
  await audit(transaction, deed, 'register', ids('registered'))
  await told(transaction, deed, 'transaction.registered', ids('registered'))
  await audit(transaction, deed, 'edit', ids('updated'))
  return outcomes
}

/** Small enough to yield to other requests, large enough to make one statement worthwhile. */
const sliceRows = 1000

async function registerSlice(
  transaction: Transaction,
  rows: readonly SentRow[],
  deed: Deed,
): Promise<RegisterOutcome[]> {
  const changes = new Changes(transaction, deed)
  const whole = await soundContents(transaction, rows, deed)
  const keys = whole.flatMap((content) => ('date' in content ? (keyOf(content) ?? []) : []))
  const known = await materialsBySource(transaction, keys)

  const outcomes = whole.map((content, index): RegisterOutcome => {
    if (!('date' in content)) return { refused: content }
    const key = keyOf(content)
    const stored = key === null ? undefined : known.get(sourceKey(key))
    const outcome = registerOne(changes, content, stored, rows[index]?.place ?? '')
    if (key !== null && 'code' in outcome) known.set(sourceKey(key), outcome.material)
    return outcome
  })
  await changes.store()
  return outcomes
}

/** The content of each row, or its errors. */
async function soundContents(
  transaction: Transaction,
  rows: readonly SentRow[],
  deed: Deed,
): Promise<readonly (StoredContent | readonly Detail[])[]> {
  const whole = rows.map(({ values, place }) => completed(values, deed.source, place))
  const sound = whole.flatMap((content, index) =>
    'date' in content ? { content, place: rows[index]?.place ?? '' } : [],
  )
  const strangers = (await strangersIn(transaction, sound, deed)).values()
  return whole.map((content) => {
    if (!('date' in content)) return content
    const details = strangers.next().value ?? []
    return details.length > 0 ? details : content
  })
}

function registerOne(
  changes: Changes,
  content: Parameters<Changes['register']>[0],
  stored: StoredMaterial | undefined,
  place: string,
): RegisterOutcome {
  if (stored === undefined) return { code: 'registered', material: changes.register(content) }
  if (stored.revision === revisionUnknown)
    return { code: 'unchanged', material: changes.complete(stored, content) }
  if (differing(content, contentOfRow(stored)).length === 0)
    return { code: 'unchanged', material: stored }
  const material = changes.edit(stored, content)
  if (material !== null) return { code: 'updated', material }
  const { code, says } = stateConflict(stored)
  const target = materialTransaction.fields.externalId.wire
  return { refused: [new Fault(code, { target, existing: stored.id, says }).detail(place)] }
}

function keyOf({ source, externalId }: { source: string; externalId: string | null }) {
  return externalId === null ? null : { source, externalId }
}
