// Audited actions: an action and its audit entry in one transaction.
import { textIn, type Fields } from './body.ts'
import { json, type Asked } from './route.ts'
import { deedOf } from '../auth/action-context.ts'
import { Fault } from '../errors/catalog.ts'
import type { Reply } from '../http/request.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { writeAudit, type AuditAction } from '../store/audit/audit.ts'
import type { Awaitable, Transaction } from '../store/store.ts'

export interface Administered {
  readonly answer: object
  /** The data of the audit entry: ids, counts and names of settings. */
  readonly about: object
}

/** Stores the action and its audit entry together, or neither. */
export async function administered(
  { store, request, visitor, clock }: Asked,
  action: AuditAction,
  act: (transaction: Transaction, now: number) => Awaitable<Administered>,
): Promise<Reply> {
  const { caller } = visitor
  const { actor, requestId, now } = deedOf(caller, request.id, clock())
  const { answer } = await store.inTransaction(caller.companyId, async (transaction) => {
    const done = await act(transaction, now)
    const entry = { at: now, actor, action, target: 'Firma', requestId, data: done.about }
    await writeAudit(transaction, entry)
    return done
  })
  return json(answer)
}

export function numberIn(fields: Fields, name: string): number {
  const text = textIn(fields, name)
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, phrase('noSuchChoice'))
  return Number(text)
}

export function checked(
  field: string,
  text: string,
  problemOf: (text: string) => Phrase | null,
): string {
  const problem = problemOf(text)
  if (problem !== null) throw invalid(field, problem)
  return text
}

export function invalid(field: string, problem: Phrase): Fault {
  return new Fault('InvalidValue', { target: field, says: { field, problem } })
}
