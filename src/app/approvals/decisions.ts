// Approval decisions in the app: as in the API, limited to the user's departments.
import type { DecisionResult } from '../contract/approvals.ts'
import { createActorNames, type NameActor } from '../actors.ts'
import { readFields, textIn } from '../body.ts'
import { idsIn, readAtIn, reasonIn } from './decision-fields.ts'
import { runIdempotent } from '../idempotent.ts'
import { parseChoice } from '../request-values.ts'
import type { AppRequest, JsonReply } from '../route.ts'
import { decideTransactions, appliedCodes, type DecisionOutcome } from '../../material/decide.ts'
import { ListWriter, serializeList } from '../../engine/formats/write/long-list.ts'
import { writeContext } from '../../auth/action-context.ts'
import type { Transaction } from '../../store/store.ts'
import { manyLines } from '../../store/export/retrievals.ts'
import { filterIdsByChange, filterIdsByDepartment } from '../../store/material/material-rows.ts'

/**
 * Applies the decision to every id it can; replies with code, state and previous actor of each other id. `ids` is text
 * such as `3-7,12`. A line that was changed after `readAt` is not what the user decided on. Idempotent with an
 * Idempotency-Key.
 */
export async function decide(appRequest: AppRequest): Promise<JsonReply<DecisionResult>> {
  const { store, request, sessionUser, clock, companyId } = appRequest
  const fields = await readFields(request)
  const action = parseChoice(textIn(fields, 'action'), actions, 'action')
  const reason = action === 'reject' ? reasonIn(fields) : null
  const ids = idsIn(fields)
  const readAt = readAtIn(fields)
  const context = writeContext(sessionUser.caller, request.id, clock())
  const nameActor = await createActorNames(store, companyId)
  const execute = async (transaction: Transaction) => {
    const { departments } = sessionUser
    const within =
      departments === null
        ? new Set(ids)
        : await filterIdsByDepartment(transaction, ids, { departments: JSON.stringify(departments) })
    const own = ids.filter((id) => within.has(id))
    const hidden = ids.filter((id) => !within.has(id))
    const changed = readAt === null ? new Set<number>() : await filterIdsByChange(transaction, own, { since: readAt })
    const read = own.filter((id) => !changed.has(id))
    const outcomes: readonly LineOutcome[] = [
      ...(await decideTransactions(transaction, read, { action, reason }, context)),
      ...[...changed].map((id) => ({ id, code: 'changed' }) as const),
      ...hidden.map((id) => ({ id, code: 'not_found' }) as const),
    ]
    const isDone = ({ code }: LineOutcome) => code === appliedCodes[action]
    const done: DecisionResult['done'] = outcomes.filter(isDone).map(({ id }) => id)
    const others = outcomes.filter((one) => !isDone(one))
    const serialize = (one: LineOutcome) => JSON.stringify(describeOutcome(one, nameActor))
    const frame = { start: `{"done":${JSON.stringify(done)},"others":[`, between: ',', end: ']}' }
    return serializeList(others, new ListWriter(others.length, serialize, frame))
  }
  return runIdempotent(appRequest, fields, execute, ids.length > manyLines)
}

interface LineOutcome extends Omit<DecisionOutcome, 'code'> {
  readonly code: DecisionOutcome['code'] | 'changed'
}

function describeOutcome(
  { id, code, current, error }: LineOutcome,
  nameActor: NameActor,
): DecisionResult['others'][number] {
  return {
    id,
    code: error?.code ?? code,
    state: current?.state ?? null,
    by: nameActor(current?.decidedBy ?? null),
    at: current?.decidedAt ?? null,
  }
}

const actions = ['approve', 'reject', 'withdraw'] as const
