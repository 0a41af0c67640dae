// Edit of a line by an approver: project, department, quantity and price.
import { readFields } from '../body.ts'
import { isVisible, lineIdOf } from './approval-queue.ts'
import { readAtIn } from './decision-fields.ts'
import { lineEditIn, requireKnownReferences } from '../material-entry/line-fields.ts'
import type { AppRequest } from '../route.ts'
import { writeContext } from '../../auth/action-context.ts'
import { message } from '../../errors/messages.ts'
import { updateMaterialById } from '../../material/change.ts'
import { findMaterials } from '../../store/material/materials.ts'
import { ApiError } from '../../errors/api-error.ts'

/**
 * Changes the sent fields and keeps the content before as a revision; a rejected line awaits approval again. Throws
 * `NotFound`, also for a line of another department, `ConcurrentModification` for one that was changed after `readAt`,
 * `ReferenceNotFound`, `StateConflict` and `NothingToChange`.
 */
export async function editLine({
  store,
  request,
  sessionUser,
  clock,
}: AppRequest): Promise<{ id: number }> {
  const fields = await readFields(request)
  const values = lineEditIn(fields)
  // An update of a rejected line makes it await approval again.
  if (Object.keys(values).length === 0) throw new ApiError('NothingToChange')
  const readAt = readAtIn(fields)
  const id = lineIdOf(request)
  const context = writeContext(sessionUser.caller, request.id, clock())
  await store.inTransaction(sessionUser.caller.companyId, async (transaction) => {
    const stored = (await findMaterials(transaction, [id])).get(id)
    const what = message('theRecord')
    if (stored === undefined || !isVisible(sessionUser, stored.departmentId))
      throw new ApiError('NotFound', { params: { what } })
    if (readAt !== null && stored.changedAt > readAt)
      throw new ApiError('ConcurrentModification', {
        params: { what, actor: message('somebodyElse') },
      })
    await requireKnownReferences(transaction, values)
    await updateMaterialById(transaction, id, { values }, context)
  })
  return { id }
}
