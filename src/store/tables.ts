// The tables as Kysely sees them; the migrations make them, the same columns in both databases.
import type { Generated } from 'kysely'
import type { Action } from '#model/revenue-log.ts'

/**
 * Revenue, clustered by its cell (ADR 0012): `extra` is 0 for the record that leads the cell and the
 * record's own id for every other. `date` and `departmentId` are '' where the record has none.
 */
export interface RevenueTable {
  companyId: number
  date: string
  departmentId: string
  kind: string
  extra: number
  id: number
  /** Ten-thousandths. */
  amount: number | null
  remark: string | null
  /** Microseconds UTC, as all stamps. */
  changedAt: number
  createdAt: number
}

/** The journal: one row for every change of a record's amount or place, never changed itself. */
export interface RevenueLogTable {
  companyId: number
  id: number
  at: number
  revenueId: number
  date: string
  departmentId: string
  kind: string
  action: Action
  amount: number | null
  before: number | null
  after: number | null
  reference: string | null
  actor: string
  requestId: string
}

/** The last numbers given out in a company; whoever holds the row is the company's only writer (ADR 0013). */
export interface CounterTable {
  companyId: number
  stamp: number
  revenueId: number
  revenueLogId: number
}

export interface CompanyTable {
  id: number
  name: string
  /** The name as it is compared: lower case. */
  nameKey: string
  timezone: string
  currency: string
  /** JSON of the settings that differ from their defaults. */
  settings: string
  createdAt: number
  disabledAt: number | null
}

/** A password of a company or an API key. */
export interface CredentialTable {
  companyId: number
  id: string
  kind: 'password' | 'key'
  name: string
  /** Whose it is: two keys of one owner share their idempotency keys. */
  owner: string
  /** How `secretHash` was made; a weak one is a short password taken over, and bound to its addresses. */
  secretKind: 'generated' | 'chosen' | 'weak'
  secretHash: string
  /** Separated by blanks. */
  scopes: string
  /** JSON list of networks it may be used from, or null for everywhere. */
  addresses: string | null
  /** Raised by every change, so that caches notice. */
  version: number
  createdAt: number
  expiresAt: number | null
  lastUsedAt: number | null
  revokedAt: number | null
}

/** An address that a company's secret was right from; it is not limited by the errors of others. */
export interface KnownAddressTable {
  companyId: number
  address: string
  succeededAt: number
}

export interface UserTable {
  id: number
  email: string
  emailKey: string
  passwordHash: string
  isOperator: number
  version: number
  createdAt: number
  disabledAt: number | null
}

export interface MembershipTable {
  companyId: number
  userId: number
  role: string
  /** JSON list of department ids for an approver of some, or null for all. */
  departments: string | null
}

/** Somebody signed in to the browser app. */
export interface SessionTable {
  /** Of the id in the cookie, which is kept nowhere. */
  idHash: string
  /** The company that is looked at. */
  companyId: number
  userId: number
  /** The user's version when the session began: a change of the user ends it. */
  userVersion: number
  createdAt: number
  seenAt: number
}

/** What the server itself remembers: the check value of the master key, the set-up link. */
export interface SettingTable {
  name: string
  value: string
}

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

/** The database counts the ids. */
type Numbered<Row extends { id: number }> = Omit<Row, 'id'> & { id: Generated<number> }

export interface Tables {
  revenue: RevenueTable
  revenueLog: RevenueLogTable
  counter: CounterTable
  company: Numbered<CompanyTable>
  credential: CredentialTable
  knownAddress: KnownAddressTable
  user: Numbered<UserTable>
  membership: MembershipTable
  session: SessionTable
  setting: SettingTable
  idempotency: IdempotencyTable
}
