// Audit: entries are inserted in the transaction of the audited action, in a hash chain.
import { createHash } from 'node:crypto'
import { insertRow } from '../row-statements.ts'
import { command, rowQuery, rowsQuery } from '../queries.ts'
import { sql } from 'kysely'
import type { CompanyId } from '../../engine/model/resource.ts'
import type { Transaction } from '../store.ts'
import { audit, type AuditTable } from '../tables/operations.ts'

/** The audited actions by what they change. */
const actionsBySubject = {
  lines: ['register', 'edit', 'delete', 'approve', 'reject', 'withdraw'],
  exports: ['retrieve', 'acknowledge', 'fail', 'closed', 'undone', 'retried', 'sent_back'],
  claims: ['claim', 'released', 'done', 'broken'],
  keys: ['key-add', 'key-trial', 'key-rotate', 'key-revoke'],
  invitations: ['person-invite', 'invitation-withdraw', 'person-join'],
  people: ['person-add', 'person-change', 'person-disable', 'person-enable'],
  records: ['import', 'record-add', 'record-change', 'record-remove', 'import-undo'],
  factors: ['factor-on', 'factor-off', 'factor-codes'],
  accounts: [
    'password-change',
    'session-end',
    'device-end',
    'identity-on',
    'identity-off',
    'passkey-add',
    'passkey-end',
  ],
  settings: ['settings', 'alert-rule'],
  webhooks: ['webhook-add', 'webhook-rotate', 'webhook-remove', 'webhook-enable', 'webhook-test', 'webhook-resend'],
  server: ['backup', 'company-add', 'company-close', 'company-open', 'loss-accept'],
  signIns: ['sign-in', 'sign-in-failed', 'sign-out', 'password-link', 'first-use'],
} as const

export type AuditAction = (typeof actionsBySubject)[keyof typeof actionsBySubject][number]

/** Every audited action; the browser app has a text for each, in both languages. */
export const auditActions: readonly AuditAction[] = Object.values(actionsBySubject).flat()

/** Who acts, and when in microseconds UTC. */
export interface AuditContext extends Pick<AuditTable, 'actor' | 'requestId'> {
  readonly now: number
}

/** An entry to insert; `data` contains ids and counts only. */
export interface NewAuditEntry {
  readonly action: AuditAction
  /** What the action is on; default: the company. */
  readonly target?: string | undefined
  readonly data: unknown
}

/** Inserts one entry per action, however many records it changed. A company has one writer, so the chain has one end. */
export async function insertAuditEntry(
  transaction: Transaction,
  { actor, requestId, now }: AuditContext,
  { action, target = 'company', data }: NewAuditEntry,
): Promise<void> {
  const { companyId } = transaction
  const last = await findLastAuditEntry(transaction, { companyId })
  const entry = {
    id: transaction.sequences.next('auditId'),
    at: now,
    actor,
    action,
    target,
    requestId,
    data: JSON.stringify(data),
    previousHash: last?.hash ?? '',
  }
  await insertEntry(transaction, { companyId, ...entry, hash: auditHash(entry) })
}

/** The hash of the previous hash and every column, in a fixed order. */
export function auditHash(entry: Omit<AuditTable, 'companyId' | 'hash'>): string {
  const { previousHash, id, at, actor, action, target, requestId, data } = entry
  const content = JSON.stringify([previousHash, id, at, actor, action, target, requestId, data])
  return createHash('sha256').update(content).digest('base64url')
}

/** The last entry of the audit log; undefined without entries. */
export const findLastAuditEntry = rowQuery<{ companyId: number }, Pick<AuditTable, 'id' | 'at' | 'hash'>>(
  ({ value }) => sql`
    select id, at, hash from audit where "companyId" = ${value('companyId')} order by id desc limit 1`,
)

export type AuditRow = Omit<AuditTable, 'companyId' | 'previousHash'>

/** Entries for display, the latest first: at most `top` with ids below `before`. */
export const listAuditRows = rowsQuery<{ companyId: CompanyId; before: number; top: number }, AuditRow>(
  ({ value }) => sql`
    select id, at, actor, action, target, "requestId", data, hash from audit
    where "companyId" = ${value('companyId')} and id < ${value('before')} order by id desc limit ${value('top')}`,
)

const insertEntry = command(insertRow(audit))
