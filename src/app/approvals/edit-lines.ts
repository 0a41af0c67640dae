// Edit of lines by an approver: project, department, quantity and price.
import type { DecisionResult } from '../contract/approvals.ts'
import { createActorNames } from '../actors.ts'
import { readFields } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { isVisible } from './approval-queue.ts'
import { idsIn, readAtIn } from './decision-fields.ts'
import { lineEditIn, requireKnownReferences } from '../material-entry/line-fields.ts'
import type { AppRequest } from '../route.ts'
import { message } from '../../errors/messages.ts'
import { updateMaterialsById } from '../../material/change.ts'
import type { StoredMaterial } from '../../store/material/materials.ts'
import { ApiError, notFoundError } from '../../errors/api-error.ts'

/**
 * Changes the sent fields of every line it can, and keeps the content before as a revision; a rejected line awaits
 * approval again. Replies with a code for each other id, as a decision does: `not_found` also for a line of another
 * department, `changed` for one that was changed after `readAt`. Throws `ReferenceNotFound` and `NothingToChange`.
 */
export async function editLines(appRequest: AppRequest): Promise<DecisionResult> {
  const { store, request, sessionUser, companyId } = appRequest
  const fields = await readFields(request)
  const ids = idsIn(fields)
  const values = lineEditIn(fields)
  // An update of a rejected line makes it await approval again.
  if (Object.keys(values).length === 0) throw new ApiError('NothingToChange')
  const readAt = readAtIn(fields)
  const what = message('theRecord')
  const check = ({ departmentId, changedAt }: StoredMaterial) => {
    if (!isVisible(sessionUser, departmentId)) return notFoundError(what)
    if (readAt === null || changedAt <= readAt) return null
    const actor = message('somebodyElse')
    return new ApiError('ConcurrentModification', { params: { what, actor } })
  }
  const outcomes = await inCompanyTransaction(appRequest, async (transaction, context) => {
    await requireKnownReferences(transaction, values)
    return updateMaterialsById(transaction, ids, { values, check }, context)
  })
  const outcomesById = new Map(outcomes.map((outcome) => [outcome.material.id, outcome]))
  const nameActor = await createActorNames(store, companyId)
  return {
    done: ids.filter((id) => outcomesById.get(id)?.error === null),
    others: ids.flatMap((id) => {
      const { material, error } = outcomesById.get(id) ?? unknownLine
      if (error === null) return []
      const code = codes[error.code] ?? error.code
      // Only a line that its state locks has a decision to name.
      const decided = code === 'not_allowed' ? material : undefined
      return {
        id,
        code,
        state: decided?.state ?? null,
        by: nameActor(decided?.decidedBy ?? null),
        at: decided?.decidedAt ?? null,
      }
    }),
  }
}

const unknownLine = { material: undefined, error: { code: 'NotFound' } }

/** Those of decisions. */
const codes: Readonly<Record<string, string>> = {
  NotFound: 'not_found',
  ConcurrentModification: 'changed',
  StateConflict: 'not_allowed',
}
