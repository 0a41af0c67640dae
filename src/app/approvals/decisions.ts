// Approval decisions in the app: as in the API, limited to the user's departments.
import { actorNames } from '../actors.ts'
import { readFields, textIn } from '../body.ts'
import { idsIn, reasonIn } from './decision-fields.ts'
import { once } from '../idempotent.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { decideOn, type Decision, type DecisionOutcome } from '../../material/decide.ts'
import { deedOf } from '../../material/action-context.ts'
import { phrase } from '../../errors/messages.ts'
import { idsWithin } from '../../store/material/material-rows.ts'

/**
 * Applies the decision to every id it can; replies with code, state and previous actor of each other id. `ids` is text
 * such as `3-7,12`. Idempotent with an Idempotency-Key.
 */
export async function decide(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const fields = await readFields(request)
  const act = actIn(textIn(fields, 'act'))
  const reason = act === 'reject' ? reasonIn(fields) : null
  const ids = idsIn(fields)
  const deed = deedOf(visitor.caller, request.id, clock())
  const { companyId } = visitor.caller
  const { answer, headers } = await once(asked, fields, async (transaction) => {
    const within =
      visitor.departments === null
        ? null
        : await idsWithin(transaction, companyId, ids, JSON.stringify(visitor.departments))
    const own = within === null ? ids : ids.filter((id) => within.has(id))
    const others = within === null ? [] : ids.filter((id) => !within.has(id))
    return answerOf(act, [
      ...(await decideOn(transaction, own, { act, reason }, deed)),
      ...others.map((id): DecisionOutcome => ({ id, code: 'not_found' })),
    ])
  })
  const name = await actorNames(store, visitor)
  const others = answer.others.map((one) => ({ ...one, by: name(one.by) }))
  return json({ ...answer, others }, headers)
}

function answerOf(act: Decision['act'], outcomes: readonly DecisionOutcome[]) {
  return {
    done: outcomes.filter(({ code }) => code === done[act]).map(({ id }) => id),
    others: outcomes
      .filter(({ code }) => code !== done[act])
      .map(({ id, code, met, fault }) => ({
        id,
        code: fault?.code ?? code,
        state: met?.state ?? null,
        by: met?.decidedBy ?? null,
        at: met?.decidedAt ?? null,
      })),
  }
}

const done: Readonly<Record<Decision['act'], DecisionOutcome['code']>> = {
  approve: 'approved',
  reject: 'rejected',
  withdraw: 'withdrawn',
}

function actIn(text: string): Decision['act'] {
  if (text === 'approve' || text === 'reject' || text === 'withdraw') return text
  throw new Fault('InvalidValue', {
    target: 'act',
    says: { field: 'act', problem: phrase('noSuchChoice') },
  })
}
