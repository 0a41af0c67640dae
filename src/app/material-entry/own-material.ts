// Material entry in the app: users register, change and delete their own transactions.
import type { OwnMaterial } from '../contract/material-entry.ts'
import { createActorNames } from '../actors.ts'
import { readFields } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { itemsFor } from './items.ts'
import { runIdempotent } from '../idempotent.ts'
import { idInPath } from '../request-values.ts'
import { completeLineIn, requireKnownReferences } from './line-fields.ts'
import type { AppRequest, JsonReply } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { updateMaterialById, deleteMaterialById } from '../../material/change.ts'
import { writeContext } from '../../auth/action-context.ts'
import { registerBatch } from '../../material/register-batch.ts'
import { message } from '../../errors/messages.ts'
import { findMaterials } from '../../store/material/materials.ts'
import { listOwnMaterial } from '../../store/material/own-material.ts'
import type { Transaction } from '../../store/store.ts'
import { errorOfDetails, notFoundError } from '../../errors/api-error.ts'

/** The user's transactions with their state, and item suggestions. */
export async function getOwnMaterial({ store, sessionUser }: AppRequest): Promise<OwnMaterial> {
  const { companyId, actor } = sessionUser.caller
  const nameActor = await createActorNames(store, companyId)
  const rows = await listOwnMaterial(store, { companyId, actor })
  const department = rows.find(({ departmentId }) => departmentId !== null)?.departmentId ?? null
  return {
    rows: rows.map((row) => ({ ...row, decidedBy: nameActor(row.decidedBy) })),
    items: await itemsFor(store, sessionUser, department),
  }
}

/** Idempotent with an Idempotency-Key, because a phone may lose the reply. */
export async function registerOwnMaterial(appRequest: AppRequest): Promise<JsonReply<{ id: number }>> {
  const { request, sessionUser, clock } = appRequest
  const fields = await readFields(request)
  const values = completeLineIn(fields)
  const context = writeContext(sessionUser.caller, request.id, clock())
  return runIdempotent(appRequest, fields, async (transaction) => {
    await requireKnownReferences(transaction, values)
    const [outcome] = await registerBatch(transaction, [{ location: '', values }], context)
    if (outcome === undefined) throw new Error('a batch of one without an outcome')
    if ('material' in outcome) return JSON.stringify({ id: outcome.material.id })
    throw errorOfDetails(outcome.details)
  })
}

/** A rejected transaction awaits approval again. */
export async function updateOwnMaterial(appRequest: AppRequest): Promise<{ id: number }> {
  const values = completeLineIn(await readFields(appRequest.request))
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const own = await requireOwn(appRequest, transaction)
    await requireKnownReferences(transaction, values)
    const { id } = await updateMaterialById(transaction, own, { values }, context)
    return { id }
  })
}

export async function deleteOwnMaterial(appRequest: AppRequest): Promise<null> {
  await inCompanyTransaction(appRequest, async (transaction, context) =>
    deleteMaterialById(transaction, await requireOwn(appRequest, transaction), context),
  )
  return null
}

/** Throws `NotFound`, also for another user's transaction. */
async function requireOwn({ request, sessionUser }: AppRequest, transaction: Transaction): Promise<number> {
  const id = idInPath(request, appPaths.ownMaterialLine)
  const stored = (await findMaterials(transaction, [id])).get(id)
  if (stored?.registeredBy !== sessionUser.caller.actor) throw notFoundError(message('theRecord'))
  return id
}
