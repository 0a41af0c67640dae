// Export actions of administrators: undo, close, retry, send back, break a claim.
import { readFields, textIn, type Fields } from '../body.ts'
import { idsIn, reasonIn } from '../approvals/decision-fields.ts'
import { jsonReply, type AppRequest } from '../route.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Reply } from '../../http/request.ts'
import { breakClaim } from '../../export/claim.ts'
import { materialActionContext } from '../../material/action-context.ts'
import {
  evaluateReturns,
  reasonCodes,
  returnLines,
  type ReturnAction,
  type ReturnOutcome,
} from '../../export/undo.ts'
import { message } from '../../errors/messages.ts'
import { listDestinations, type Destination } from '../../store/export/destinations.ts'
import type { Transaction } from '../../store/store.ts'

/** Previews the result of an action for each line; changes nothing. Amounts are ten-thousandths. */
export async function previewReturns({ store, request, sessionUser }: AppRequest): Promise<Reply> {
  const fields = await readFields(request)
  const named = textIn(fields, 'act')
  const act = returnActs.find((one) => one === named)
  if (act === undefined) throw noChoice('act')
  const ids = idsIn(fields)
  return store.inTransaction(sessionUser.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const evaluated = await evaluateReturns(transaction, destination, ids, act)
    return jsonReply({ lines: evaluated.map((one) => describeOutcome(one, destination)) })
  })
}

const returnActs: readonly ReturnAction[] = ['undone', 'closed', 'retried', 'sent_back']

/** Undoes exports: lines get a new export key and are exported again. */
export function undoLines(appRequest: AppRequest): Promise<Reply> {
  return runReturnAction(appRequest, 'undone')
}

/** Closes lines that were handled elsewhere. */
export function closeLines(appRequest: AppRequest): Promise<Reply> {
  return runReturnAction(appRequest, 'closed')
}

/** Clears failures, so that claims include the lines again. */
export function retryLines(appRequest: AppRequest): Promise<Reply> {
  return runReturnAction(appRequest, 'retried')
}

/** Sends lines back to approval. */
export function sendBackLines(appRequest: AppRequest): Promise<Reply> {
  return runReturnAction(appRequest, 'sent_back')
}

/** Revokes a claim. Throws `ClaimClosed` for a closed claim. */
export async function breakClaimOfWorker({
  store,
  request,
  sessionUser,
  clock,
}: AppRequest): Promise<Reply> {
  const fields = await readFields(request)
  const id = numberIn(fields, 'claim')
  const reason = reasonIn(fields)
  const context = materialActionContext(sessionUser.caller, request.id, clock())
  return store.inTransaction(sessionUser.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const { state } = await breakClaim(transaction, destination, { id, reason }, context)
    return jsonReply({ state })
  })
}

/** Applies the action to every line it can, and replies with the reason for each other line. */
async function runReturnAction(
  { store, request, sessionUser, clock }: AppRequest,
  act: ReturnAction,
): Promise<Reply> {
  const fields = await readFields(request)
  const reason = { code: reasonCodeIn(fields), text: reasonIn(fields) }
  const ids = idsIn(fields)
  const context = materialActionContext(sessionUser.caller, request.id, clock())
  return store.inTransaction(sessionUser.caller.companyId, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const outcomes = await returnLines(transaction, destination, ids, {
      action: act,
      reason,
      context,
    })
    return jsonReply({
      done: outcomes.filter(({ code }) => code === act).map(({ id }) => id),
      others: outcomes
        .filter(({ code }) => code !== act)
        .map((outcome) => describeOutcome(outcome, destination)),
    })
  })
}

function describeOutcome({ id, code, line }: ReturnOutcome, { lockDate }: Destination) {
  return {
    id,
    code,
    state: line?.state ?? null,
    quantity: line?.quantity ?? null,
    amount: line?.amount ?? null,
    externalId: line?.externalId ?? null,
    isCorrected: line?.isCorrected === 1,
    isLocked: line !== undefined && lockDate !== null && line.postingDate <= lockDate,
  }
}

/** Throws `NotFound`. */
async function destinationIn(transaction: Transaction, fields: Fields): Promise<Destination> {
  const id = numberIn(fields, 'destination')
  const found = (await listDestinations(transaction)).find((one) => one.id === id)
  if (found === undefined) throw new ApiError('NotFound', { params: { what: `destination ${id}` } })
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

function noChoice(field: string): ApiError {
  return new ApiError('InvalidValue', {
    target: field,
    params: { field, problem: message('notAnAllowedValue') },
  })
}
