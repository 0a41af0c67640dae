// Material entry in the app: users register, change and delete their own transactions.
import type { OwnMaterial } from '../contract/material-entry.ts'
import { createActorNames } from '../actors.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import { parseDay } from '../date-range.ts'
import { itemsFor } from './items.ts'
import { runIdempotent } from '../idempotent.ts'
import { JsonReply, type AppRequest } from '../route.ts'
import { appPaths } from '../contract/paths.ts'
import { amountLimit, parseDecimal, formatDecimal } from '../../lib/decimal.ts'
import { updateMaterialById, deleteMaterialById } from '../../material/change.ts'
import type { SentContent } from '../../material/content.ts'
import { writeContext } from '../../auth/action-context.ts'
import { registerBatch } from '../../material/register-batch.ts'
import { materialTransaction } from '../../model/transaction.ts'
import { message } from '../../errors/messages.ts'
import { findMaterials } from '../../store/material/materials.ts'
import { listOwnMaterial } from '../../store/material/own-material.ts'
import type { Transaction } from '../../store/store.ts'
import { isUnknownReference } from '../../store/directory/references.ts'
import { ApiError } from '../../errors/api-error.ts'

/** The user's transactions with their state, and item suggestions. */
export async function getOwnMaterial({ store, sessionUser }: AppRequest): Promise<OwnMaterial> {
  const { companyId, actor } = sessionUser.caller
  const nameActor = await createActorNames(store, sessionUser)
  const rows = await listOwnMaterial(store, companyId, actor)
  const department = rows.find(({ departmentId }) => departmentId !== null)?.departmentId ?? null
  return {
    rows: rows.map((row) => ({ ...row, decidedBy: nameActor(row.decidedBy) })),
    items: await itemsFor(store, sessionUser, department),
  }
}

/** Idempotent with an Idempotency-Key, because a phone may lose the reply. */
export async function registerOwnMaterial(
  appRequest: AppRequest,
): Promise<JsonReply<{ id: number }>> {
  const { request, sessionUser, clock } = appRequest
  const fields = await readFields(request)
  const values = contentIn(fields)
  const context = writeContext(sessionUser.caller, request.id, clock())
  const { result, headers } = await runIdempotent(appRequest, fields, async (transaction) => {
    await requireKnownReferences(transaction, values)
    const [outcome] = await registerBatch(transaction, [{ location: '', values }], context)
    if (outcome === undefined) throw new Error('a batch of one without an outcome')
    if ('material' in outcome) return { id: outcome.material.id }
    const [detail] = outcome.details
    throw new ApiError(detail?.code ?? 'InvalidValue', {
      target: detail?.target ?? '',
      params: detail?.params ?? {},
    })
  })
  return new JsonReply(result, { headers })
}

/** A rejected transaction awaits approval again. */
export async function updateOwnMaterial(appRequest: AppRequest): Promise<{ id: number }> {
  const { store, request, sessionUser, clock } = appRequest
  const values = contentIn(await readFields(request))
  const context = writeContext(sessionUser.caller, request.id, clock())
  const id = await store.inTransaction(sessionUser.caller.companyId, async (transaction) => {
    const own = await requireOwn(appRequest, transaction)
    await requireKnownReferences(transaction, values)
    return (await updateMaterialById(transaction, own, { values }, context)).id
  })
  return { id }
}

export async function deleteOwnMaterial(appRequest: AppRequest): Promise<null> {
  const { store, request, sessionUser, clock } = appRequest
  const context = writeContext(sessionUser.caller, request.id, clock())
  await store.inTransaction(sessionUser.caller.companyId, async (transaction) =>
    deleteMaterialById(transaction, await requireOwn(appRequest, transaction), context),
  )
  return null
}

/** Throws `NotFound`, also for another user's transaction. */
async function requireOwn(
  { request, sessionUser }: AppRequest,
  transaction: Transaction,
): Promise<number> {
  const id = Number(request.path.slice(appPaths.ownMaterialLine.indexOf(':')))
  const missing = new ApiError('NotFound', { params: { what: message('theRecord') } })
  if (!Number.isSafeInteger(id)) throw missing
  const stored = (await findMaterials(transaction, [id])).get(id)
  if (stored?.registeredBy !== sessionUser.caller.actor) throw missing
  return id
}

/**
 * Throws `ReferenceNotFound`: users choose from the directory, so an unknown code is a mistake, even if the company lets
 * integrations send any. Not checked for a company without projects or departments.
 */
async function requireKnownReferences(
  transaction: Transaction,
  content: SentContent,
): Promise<void> {
  for (const subject of ['projectId', 'departmentId'] as const) {
    const value = content[subject] ?? null
    if (value === null || !(await isUnknownReference(transaction, subject, value))) continue
    const field = materialTransaction.fields[subject].wire
    throw new ApiError('ReferenceNotFound', { target: subject, params: { field, value } })
  }
}

function contentIn(fields: Fields): SentContent {
  return {
    date: parseDay(textIn(fields, 'date'), 'date'),
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
    throw new ApiError('ValueTooLong', { target: name, params: { field: name, max } })
  return text === '' ? null : text
}

function quantityIn(text: string): number {
  return decimalIn(text, 'quantity')
}

function priceIn(text: string | null): number | null {
  return text === null ? null : decimalIn(text, 'salesPrice')
}

function decimalIn(text: string, name: string): number {
  const number = parseDecimal(text)
  if (number === 'malformed')
    throw new ApiError('InvalidNumber', { target: name, params: { field: name } })
  if (number !== 'outOfRange') return number
  const max = formatDecimal(amountLimit)
  throw new ApiError('NumberOutOfRange', {
    target: name,
    params: { field: name, min: `-${max}`, max },
  })
}
