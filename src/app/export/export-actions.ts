// Export actions of administrators: undo, close, retry, send back, break a claim.
import { readFields, textIn, type Fields } from '../body.ts'
import { idsIn, reasonIn } from '../approvals/decision-fields.ts'
import { json, type Asked } from '../route.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { breakClaim } from '../../export/claim.ts'
import { deedOf } from '../../material/action-context.ts'
import {
  judgeReturns,
  reasonCodes,
  returnLines,
  type ReturnAct,
  type Returned,
} from '../../export/undo.ts'
import { phrase } from '../../errors/messages.ts'
import { destinationsOf, type Destination } from '../../store/export/destinations.ts'
import type { Transaction } from '../../store/store.ts'

/** Previews the result of an action for each line; changes nothing. Amounts are ten-thousandths. */
export async function previewReturns({ store, request, visitor }: Asked): Promise<Reply> {
  const fields = await readFields(request)
  const named = textIn(fields, 'act')
  const act = returnActs.find((one) => one === named)
  if (act === undefined) throw noChoice('act')
  const ids = idsIn(fields)
  return store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const judged = await judgeReturns(transaction, destination, ids, act)
    return json({ lines: judged.map((one) => shown(one, destination)) })
  })
}

const returnActs: readonly ReturnAct[] = ['undone', 'closed', 'retried', 'sent_back']

/** Undoes exports: lines get a new export key and are exported again. */
export function undoLines(asked: Asked): Promise<Reply> {
  return returned(asked, 'undone')
}

/** Closes lines that were handled elsewhere. */
export function closeLines(asked: Asked): Promise<Reply> {
  return returned(asked, 'closed')
}

/** Clears failures, so that claims include the lines again. */
export function retryLines(asked: Asked): Promise<Reply> {
  return returned(asked, 'retried')
}

/** Sends lines back to approval. */
export function sendBackLines(asked: Asked): Promise<Reply> {
  return returned(asked, 'sent_back')
}

/** Revokes a claim. Throws `BatchEnded` for a closed claim. */
export async function breakLease({ store, request, visitor, clock }: Asked): Promise<Reply> {
  const fields = await readFields(request)
  const id = numberIn(fields, 'claim')
  const reason = reasonIn(fields)
  const deed = deedOf(visitor.caller, request.id, clock())
  return store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const { state } = await breakClaim(transaction, destination, { id, reason }, deed)
    return json({ state })
  })
}

/** Applies the action to every line it can, and replies with the reason for each other line. */
async function returned({ store, request, visitor, clock }: Asked, act: ReturnAct): Promise<Reply> {
  const fields = await readFields(request)
  const reason = { code: reasonCodeIn(fields), text: reasonIn(fields) }
  const ids = idsIn(fields)
  const deed = deedOf(visitor.caller, request.id, clock())
  return store.inTransaction(visitor.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const outcomes = await returnLines(transaction, destination, ids, { act, reason, deed })
    return json({
      done: outcomes.filter(({ code }) => code === act).map(({ id }) => id),
      others: outcomes
        .filter(({ code }) => code !== act)
        .map((outcome) => shown(outcome, destination)),
    })
  })
}

function shown({ id, code, met }: Returned, { lockDate }: Destination) {
  return {
    id,
    code,
    state: met?.state ?? null,
    quantity: met?.quantity ?? null,
    amount: met?.amount ?? null,
    externalId: met?.externalId ?? null,
    isCorrected: met?.isCorrected === 1,
    isLocked: met !== undefined && lockDate !== null && met.postingDate <= lockDate,
  }
}

/** Throws `NotFound`. */
async function destinationIn(transaction: Transaction, fields: Fields): Promise<Destination> {
  const id = numberIn(fields, 'destination')
  const found = (await destinationsOf(transaction)).find((one) => one.id === id)
  if (found === undefined) throw new Fault('NotFound', { says: { what: `destination ${id}` } })
  return found
}

function numberIn(fields: Fields, name: string): number {
  const text = textIn(fields, name)
  if (!/^\d{1,15}$/.test(text)) throw noChoice(name)
  return Number(text)
}

function reasonCodeIn(fields: Fields): string {
  const code = fields.get('code') ?? 'other'
  if (!reasonCodes.includes(code)) throw noChoice('code')
  return code
}

function noChoice(field: string): Fault {
  return new Fault('InvalidValue', {
    target: field,
    says: { field, problem: phrase('noSuchChoice') },
  })
}
