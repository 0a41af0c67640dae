// Material entry in the app: users register, change and delete their own transactions.
import { actorNames } from '../actors.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import { dayAt } from '../date-range.ts'
import { itemsFor } from './items.ts'
import { once } from '../idempotent.ts'
import { json, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { amountLimit, readDecimal, writeDecimal } from '../../lib/decimal.ts'
import { changeMaterial, removeMaterial } from '../../material/change.ts'
import type { SentContent } from '../../material/content.ts'
import { deedOf } from '../../material/action-context.ts'
import { registerBatch } from '../../material/register-batch.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { phrase } from '../../errors/messages.ts'
import { materialsById } from '../../store/material/materials.ts'
import { ownRows } from '../../store/material/own-material.ts'
import type { Transaction } from '../../store/store.ts'
import { isUnknown } from '../../store/directory/references.ts'

/** The user's transactions with their state, and item suggestions. */
export async function ownMaterial({ store, visitor }: Asked): Promise<Reply> {
  const { companyId, actor } = visitor.caller
  const name = await actorNames(store, visitor)
  const rows = await ownRows(store, companyId, actor)
  const department = rows.find(({ departmentId }) => departmentId !== null)?.departmentId ?? null
  return json({
    rows: rows.map((row) => ({ ...row, decidedBy: name(row.decidedBy) })),
    items: await itemsFor(store, visitor, department),
  })
}

/** Idempotent with an Idempotency-Key, because a phone may lose the reply. */
export async function registerOwn(asked: Asked): Promise<Reply> {
  const { request, visitor, clock } = asked
  const fields = await readFields(request)
  const values = contentIn(fields)
  const deed = deedOf(visitor.caller, request.id, clock())
  const { answer, headers } = await once(asked, fields, async (transaction) => {
    await requireKnownPlace(transaction, values)
    const [outcome] = await registerBatch(transaction, [{ place: '', values }], deed)
    if (outcome === undefined) throw new Error('a batch of one without an outcome')
    if ('material' in outcome) return { id: outcome.material.id }
    const [detail] = outcome.refused
    throw new Fault(detail?.code ?? 'InvalidValue', {
      target: detail?.target ?? '',
      says: detail?.says ?? {},
    })
  })
  return json(answer, headers)
}

/** A rejected transaction awaits approval again. */
export async function changeOwn(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const values = contentIn(await readFields(request))
  const deed = deedOf(visitor.caller, request.id, clock())
  const id = await store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const own = await requireOwn(asked, transaction)
    await requireKnownPlace(transaction, values)
    return (await changeMaterial(transaction, own, values, deed)).id
  })
  return json({ id })
}

export async function removeOwn(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const deed = deedOf(visitor.caller, request.id, clock())
  await store.inTransaction(visitor.caller.companyId, async (transaction) =>
    removeMaterial(transaction, await requireOwn(asked, transaction), deed),
  )
  return { status: 204, headers: {}, body: null }
}

/** Throws `NotFound`, also for another user's transaction. */
async function requireOwn({ request, visitor }: Asked, transaction: Transaction): Promise<number> {
  const id = Number(request.path.slice(words.ownMaterialLine.indexOf(':')))
  const missing = new Fault('NotFound', { says: { what: phrase('theRecord') } })
  if (!Number.isSafeInteger(id)) throw missing
  const stored = (await materialsById(transaction, [id])).get(id)
  if (stored?.registeredBy !== visitor.caller.actor) throw missing
  return id
}

/**
 * Throws `ReferenceNotFound`: users choose from the directory, so an unknown code is a mistake, even if the company lets
 * integrations send any. Not checked for a company without projects or departments.
 */
async function requireKnownPlace(transaction: Transaction, content: SentContent): Promise<void> {
  for (const subject of ['projectId', 'departmentId'] as const) {
    const value = content[subject] ?? null
    if (value === null || !(await isUnknown(transaction, subject, value))) continue
    const field = materialTransaction.fields[subject].wire
    throw new Fault('ReferenceNotFound', { target: subject, says: { field, value } })
  }
}

function contentIn(fields: Fields): SentContent {
  return {
    date: dayAt(textIn(fields, 'date'), 'date'),
    quantity: quantityIn(textIn(fields, 'quantity')),
    itemId: optional(fields, 'itemId', itemId.lengthMax),
    itemName: optional(fields, 'itemName', itemName.lengthMax),
    unit: optional(fields, 'unit', unit.lengthMax),
    salesPrice: priceIn(optional(fields, 'salesPrice', 30)),
    projectId: optional(fields, 'projectId', projectId.lengthMax),
    departmentId: optional(fields, 'departmentId', departmentId.lengthMax),
    remark: optional(fields, 'remark', remark.lengthMax),
  }
}

const { itemId, itemName, unit, projectId, departmentId, remark } = materialTransaction.fields

/** Throws `ValueTooLong`. */
function optional(fields: Fields, name: string, max: number): string | null {
  const text = (fields.get(name) ?? '').trim()
  if (text.length > max)
    throw new Fault('ValueTooLong', { target: name, says: { field: name, max } })
  return text === '' ? null : text
}

function quantityIn(text: string): number {
  return decimalIn(text, 'quantity')
}

function priceIn(text: string | null): number | null {
  return text === null ? null : decimalIn(text, 'salesPrice')
}

function decimalIn(text: string, name: string): number {
  const number = readDecimal(text)
  if (number === 'malformed')
    throw new Fault('InvalidNumber', { target: name, says: { field: name } })
  if (number !== 'outOfRange') return number
  const max = writeDecimal(amountLimit)
  throw new Fault('NumberOutOfRange', { target: name, says: { field: name, min: `-${max}`, max } })
}
