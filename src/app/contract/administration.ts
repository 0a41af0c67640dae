// Administration: keys, users, webhooks, companies, the server and the audit log.
import type { CredentialState } from '../../auth/companies/company-credentials.ts'
import type { SettingValue } from '../../auth/companies/company-settings.ts'
import type { MembershipRole } from '../../auth/companies/company-people.ts'
import type { CompanyMember } from '../../store/accounts/users.ts'
import type { AuditRow } from '../../store/audit/audit.ts'
import type { InvitationSummary } from '../../store/accounts/invitations.ts'
import type { LastBackup } from '../../store/last-backup.ts'
import type { LoggedDelivery } from '../../store/notifications/deliveries.ts'
import type { CompanySummary, MailSummary } from '../../store/server-overview.ts'
import type { CredentialTable } from '../../store/tables/accounts.ts'
import type { AlertRuleTable, RejectedCallTable } from '../../store/tables/operations.ts'

export type { AuditRow, CompanySummary, LastBackup }

/** A rule that alerts administrators by e-mail: the allowed hours without activity (0 for off), and since when it is active. */
export type AlertRule = Pick<AlertRuleTable, 'hours' | 'raisedAt'>

export type RejectedCallSummary = Pick<RejectedCallTable, 'at' | 'requestId' | 'status' | 'code'> & {
  /** The error message, in the reader's language. */
  readonly text: string
}

export interface RejectedCall extends RejectedCallSummary, Pick<RejectedCallTable, 'method' | 'route'> {
  /** The name is null for a deleted key. */
  readonly credential: { readonly id: string; readonly name: string | null }
}

/** An API key or a password. */
export interface Credential extends Pick<CredentialTable, 'id' | 'kind' | 'createdAt' | 'expiresAt' | 'lastUsedAt'> {
  /** The integration; null for a password of the company itself. */
  readonly name: string | null
  readonly state: CredentialState
  readonly scopes: readonly string[]
  readonly allowedNetworks: readonly string[] | null
  /** Last successful call, accurate to about a minute. */
  readonly succeededAt: number | null
  readonly lastRejectedCall: RejectedCallSummary | null
  /** Null without an alert rule. */
  readonly alertRule: AlertRule | null
}

export type Person = Omit<CompanyMember, keyof MembershipRole> & MembershipRole

/** A pending invitation. */
export type Invitation = Omit<InvitationSummary, keyof MembershipRole> & MembershipRole

export interface Administration {
  /** By kind of credential: the scopes that it can have. */
  readonly scopes: Readonly<Record<Credential['kind'], readonly string[]>>
  readonly credentials: readonly Credential[]
  readonly people: readonly Person[]
  readonly invitations: readonly Invitation[]
  readonly sendsMail: boolean
  readonly exportAlertRule: AlertRule
  readonly zone: string
  readonly currency: string
  readonly settings: Readonly<Record<string, SettingValue>>
}

/** Shown once; the server does not store it. */
export interface CreatedCredential extends Pick<Credential, 'id' | 'kind' | 'name'> {
  readonly secret: string
}

export interface InvitedPerson {
  readonly email: string
  /** To pass on; null when it was sent by e-mail. */
  readonly link: string | null
}

/** `status` is the HTTP status of the last response. */
export type Delivery = Pick<LoggedDelivery, 'id' | 'type' | 'at' | 'attempts' | 'status' | 'deliveredAt'> & {
  /** Of the last attempt. */
  readonly problem: string | null
  /** Null when no further attempt is made. */
  readonly nextAt: number | null
}

export interface Webhook {
  readonly id: number
  /** Without the query string. */
  readonly url: string
  /** Empty for all. */
  readonly events: readonly string[]
  readonly createdAt: number
  readonly disabledAt: number | null
  /** Until when the previous secret also signs. */
  readonly bothUntil: number | null
  readonly last: Delivery | null
}

export interface WebhookList {
  /** All event types. */
  readonly events: readonly string[]
  readonly webhooks: readonly Webhook[]
}

/** Shown once; the server stores it encrypted. */
export interface CreatedWebhookSecret {
  readonly id: number
  readonly url: string
  readonly secret: string
}

export interface RotatedWebhookSecret extends CreatedWebhookSecret {
  readonly bothUntil: number
}

export interface CompanyList {
  readonly companies: readonly CompanySummary[]
  readonly sendsMail: boolean
}

/** Shown once; the server does not store it. */
export interface CreatedCompany {
  readonly company: string
  /** Null when the password was chosen in the form. */
  readonly password: string | null
  readonly email: string
  /** To pass on; null when it was sent by e-mail. */
  readonly link: string | null
}

export interface SystemStatus {
  readonly version: string
  readonly database: 'sqlite' | 'postgres'
  readonly databaseBytes: number
  readonly degraded: readonly string[]
  readonly backup: LastBackup | null
  readonly backupFolder: string
  readonly mail: MailSummary & { readonly isConfigured: boolean }
  readonly limits: {
    /** Null: unlimited. */
    readonly rateLimit: number | null
    readonly listBytesMax: number
    readonly bodyBytesMax: number
    readonly bodyBytesInFlightMax: number
    readonly urlBytesMax: number
  }
}

export interface AuditPage {
  readonly rows: readonly AuditRow[]
  /** Cursor of the next page; null at the end. A page may have fewer rows although more follow. */
  readonly next: number | null
}
