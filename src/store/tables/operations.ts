// What is noted and told, as Kysely sees it.

/** The answer of a request that carried an Idempotency-Key (ADR 0015). */
export interface IdempotencyTable {
  companyId: number
  owner: string
  key: string
  requestHash: string
  createdAt: number
  status: number
  /** JSON of the answer: its headers, and its body or the ids of its records. */
  answer: string
}

/** Who did what, each entry chained to the one before it by its hash. */
export interface AuditTable {
  companyId: number
  id: number
  at: number
  actor: string
  action: string
  target: string
  requestId: string
  /** JSON of ids and counts; nothing personal, so that forgetting a person leaves the chain whole. */
  data: string
  previousHash: string
  hash: string
}

/** A letter on its way; what it says is sealed, and gone when it is over. */
export interface MailTable {
  id: number
  /** What it is about, in a word. */
  kind: string
  content: string
  createdAt: number
  /** When it is worth trying; null when it is over. */
  dueAt: number | null
  /** Afterwards it says nothing that still holds. */
  untilAt: number
  attempts: number
  sentAt: number | null
  /** Why it did not go the last time, in the words of the protocol. */
  problem: string | null
}

/** Somebody who is told of what happens in a company. */
export interface WebhookTable {
  id: number
  companyId: number
  url: string
  /** Of which events, with commas between them; '' for all. */
  types: string
  /** Sealed, like the one before it, which signs as well for a while. */
  secret: string
  secretBefore: string | null
  secretBeforeUntil: number | null
  createdAt: number
  /** Since when it is not told any more. */
  disabledAt: number | null
}

/** Something that happened, as it is told. */
export interface EventTable {
  id: number
  companyId: number
  type: string
  at: number
  /** JSON. */
  data: string
}

/** An event on its way to a webhook, or how that went. */
export interface DeliveryTable {
  id: number
  companyId: number
  webhookId: number
  eventId: number
  createdAt: number
  /** When it is worth trying; null when it is over. */
  dueAt: number | null
  attempts: number
  deliveredAt: number | null
  /** Of the last answer. */
  status: number | null
  problem: string | null
}

/** How long something may take before administrators are told. */
export interface WatchTable {
  companyId: number
  /** The owner of keys, or `export` for lines that wait. */
  subject: string
  /** Zero is for ever. */
  hours: number
  /** Since when the alarm stands. */
  raisedAt: number | null
}

/** When a call of a credential was last answered well, to about a minute. */
export interface LastSuccessTable {
  companyId: number
  credentialId: string
  at: number
}

/** A call that was refused to a known credential, in the words of both languages. */
export interface RefusedCallTable {
  companyId: number
  at: number
  requestId: string
  credentialId: string
  method: string
  /** The template of the address. */
  route: string
  status: number
  code: string
  nb: string
  en: string
}
