// Tables: idempotency keys, audit, webhooks and their deliveries, mail, alert rules, API call log.
import { autoincrement, companyTable, index, integer, serverTable, text, type RowOf } from './define-table.ts'

/** The stored reply to a request with an Idempotency-Key (ADR 0009). */
export const idempotency = companyTable('idempotency', {
  columns: {
    owner: text(),
    key: text(),
    requestHash: text(),
    createdAt: integer(),
    status: integer(),
    /** JSON of the reply: its headers, and its body or the ids of its records. */
    reply: text(),
  },
  primaryKey: ['owner', 'key'],
  indexes: { idempotencyAge: index(['createdAt'], { isServerWide: true }) },
})
export type IdempotencyTable = RowOf<typeof idempotency>

/** The audit log: each entry contains the hash of the previous one. */
export const audit = companyTable('audit', {
  columns: {
    id: integer(),
    at: integer(),
    actor: text(),
    action: text(),
    target: text(),
    requestId: text(),
    /** JSON of ids and counts, without personal data, so that erasing a person keeps the chain valid. */
    data: text(),
    previousHash: text(),
    hash: text(),
  },
  isAppendOnly: true,
})
export type AuditTable = RowOf<typeof audit>

export const webhook = serverTable('webhook', {
  columns: {
    id: autoincrement(),
    companyId: integer(),
    url: text(),
    /** Event types, separated by commas; '' for all. */
    types: text(),
    /** Encrypted; after a rotation the previous secret signs too for a while. */
    secret: text(),
    previousSecret: text().orNull(),
    previousSecretUntil: integer().orNull(),
    createdAt: integer(),
    disabledAt: integer().orNull(),
  },
  indexes: { webhookCompany: index(['companyId']) },
  references: { companyId: 'company' },
  hasRowSecurity: true,
})
export type WebhookTable = RowOf<typeof webhook>

/** An event of the outbox. */
export const event = serverTable('event', {
  columns: {
    id: autoincrement(),
    companyId: integer(),
    type: text(),
    at: integer(),
    /** JSON. */
    data: text(),
  },
  indexes: { eventAge: index(['at']) },
  references: { companyId: 'company' },
  hasRowSecurity: true,
})
export type EventTable = RowOf<typeof event>

/** The delivery of an event to a webhook. */
export const delivery = serverTable('delivery', {
  columns: {
    id: autoincrement(),
    companyId: integer(),
    webhookId: integer(),
    eventId: integer(),
    createdAt: integer(),
    /** Time of the next attempt; null when it was sent or given up. */
    nextAttemptAt: integer().orNull(),
    attempts: integer(),
    deliveredAt: integer().orNull(),
    /** HTTP status of the last attempt. */
    status: integer().orNull(),
    lastError: text().orNull(),
  },
  indexes: {
    deliveryNextAttempt: index(['nextAttemptAt', 'createdAt']),
    deliveryWaiting: index(['webhookId', 'nextAttemptAt', 'createdAt'], { where: `"nextAttemptAt" is not null` }),
    deliveryEvent: index(['companyId', 'eventId']),
    deliveryWebhook: index(['companyId', 'webhookId', 'id']),
  },
  references: { companyId: 'company' },
  hasRowSecurity: true,
})
export type DeliveryTable = RowOf<typeof delivery>

/** A queued e-mail; its content is encrypted, and deleted when it was sent or given up. */
export const mail = serverTable('mail', {
  columns: {
    id: autoincrement(),
    /** Its template. */
    kind: text(),
    content: text(),
    createdAt: integer(),
    /** Time of the next attempt; null when it was sent or given up. */
    nextAttemptAt: integer().orNull(),
    /** When its content expires. */
    expiresAt: integer(),
    attempts: integer(),
    sentAt: integer().orNull(),
    /** Error of the last attempt, from the mail server. */
    lastError: text().orNull(),
  },
  indexes: { mailNextAttempt: index(['nextAttemptAt', 'createdAt']) },
})
export type MailTable = RowOf<typeof mail>

/** An alert rule: after how many hours administrators are alerted. */
export const alertRule = companyTable('alertRule', {
  columns: {
    /** An integration (owner of keys), or `export` for waiting lines. */
    subject: text(),
    /** 0 disables the rule. */
    hours: integer(),
    /** When the alert was raised; null while there is none. */
    raisedAt: integer().orNull(),
  },
  primaryKey: ['subject'],
})
export type AlertRuleTable = RowOf<typeof alertRule>

/** The last successful call of a credential, to about a minute. */
export const lastSuccess = companyTable('lastSuccess', {
  columns: { credentialId: text(), at: integer() },
  primaryKey: ['credentialId'],
})

/** A rejected call of a known credential, with its error message in both languages. */
export const rejectedCall = companyTable('rejectedCall', {
  columns: {
    at: integer(),
    requestId: text(),
    credentialId: text(),
    method: text(),
    /** Route template. */
    route: text(),
    status: integer(),
    code: text(),
    nb: text(),
    en: text(),
  },
  primaryKey: ['at', 'requestId'],
  indexes: { rejectedCallRequest: index(['requestId']) },
})
export type RejectedCallTable = RowOf<typeof rejectedCall>
