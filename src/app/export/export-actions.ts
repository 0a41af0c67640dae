// Export actions of administrators: undo, close, retry, send back, break a claim.
import type { LineActionPreview, LineActionResult } from '../contract/export.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import { idsIn, reasonIn } from '../approvals/decision-fields.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import type { AppRequest } from '../route.ts'
import { breakClaim } from '../../export/claim.ts'
import {
  evaluateLineAction,
  reasonCodes,
  applyLineAction,
  type LineAction,
  type EvaluatedLineAction,
} from '../../export/line-actions.ts'
import { listDestinations, type Destination } from '../../store/export/destinations.ts'
import type { Transaction } from '../../store/store.ts'
import { notFoundError } from '../../errors/api-error.ts'
import { parseChoice, parseId } from '../request-values.ts'

/** Previews the result of an action for each line; changes nothing. Amounts are ten-thousandths. */
export async function previewLineAction(appRequest: AppRequest): Promise<{ lines: LineActionPreview[] }> {
  const fields = await readFields(appRequest.request)
  const action = parseChoice(textIn(fields, 'action'), returnActions, 'action')
  const ids = idsIn(fields)
  return inCompanyTransaction(appRequest, async (transaction) => {
    const destination = await destinationIn(transaction, fields)
    const evaluated = await evaluateLineAction(transaction, destination, ids, action)
    return { lines: evaluated.map((one) => describeOutcome(one, destination)) }
  })
}

const returnActions = ['undone', 'closed', 'retried', 'sent_back'] as const

/** Revokes a claim. Throws `ClaimClosed` for a closed claim. */
export async function breakClaimOfWorker(appRequest: AppRequest): Promise<{ state: string }> {
  const fields = await readFields(appRequest.request)
  const id = parseId(textIn(fields, 'claim'), 'claim')
  const reason = reasonIn(fields)
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const destination = await destinationIn(transaction, fields)
    const { state } = await breakClaim(transaction, destination, { id, reason }, context)
    return { state }
  })
}

/** Applies the action to every line it can, and replies with the reason for each other line. */
export async function handleLineAction(appRequest: AppRequest, action: LineAction): Promise<LineActionResult> {
  const fields = await readFields(appRequest.request)
  const reason = { code: parseChoice(fields.get('code') ?? 'other', reasonCodes, 'code'), text: reasonIn(fields) }
  const ids = idsIn(fields)
  return inCompanyTransaction(appRequest, async (transaction, context) => {
    const destination = await destinationIn(transaction, fields)
    const decision = { action, reason, context }
    const outcomes = await applyLineAction(transaction, destination, ids, decision)
    return {
      done: outcomes.filter(({ code }) => code === action).map(({ id }) => id),
      others: outcomes.filter(({ code }) => code !== action).map((outcome) => describeOutcome(outcome, destination)),
    }
  })
}

function describeOutcome({ id, code, line }: EvaluatedLineAction, { lockDate }: Destination): LineActionPreview {
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
async function destinationIn(transaction: Transaction, fields: BodyFields): Promise<Destination> {
  const id = parseId(textIn(fields, 'destination'), 'destination')
  const found = (await listDestinations(transaction)).find((one) => one.id === id)
  if (found === undefined) throw notFoundError(`destination ${id}`)
  return found
}
