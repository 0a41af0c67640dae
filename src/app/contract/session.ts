// Session: the bodies of signing in, by password, passkey, identity provider or a mailed link.
import type { Role } from '../../auth/roles.ts'
import type { Scope } from '../../auth/scopes.ts'
import type { Language } from '../../errors/messages.ts'
import type { SignedInVia } from '../../store/tables/accounts.ts'

export type { Language, Role, Scope }

export interface Session {
  readonly email: string
  /** Null where it is unknown. */
  readonly name: string | null
  readonly role: Role
  /** Operates the server. */
  readonly isOperator: boolean
  /** Departments that an approver may decide on; null for all. */
  readonly departments: readonly string[] | null
  readonly scopes: readonly Scope[]
  readonly company: string
  readonly companies: readonly string[]
  readonly currency: string
  readonly zone: string
  /** Today in the company's time zone, `YYYY-MM-DD`. */
  readonly today: string
  /** The position of the company's changes before the page reads anything else, for the live updates. */
  readonly position: string
  readonly isSandbox: boolean
  readonly via: SignedInVia
  /** The company requires a second factor that this user has not set up. */
  readonly lacksFactor: boolean
  /** A line must be approved by somebody other than who registered it. */
  readonly fourEyes: boolean
}

/** With the token that every write sends: its holder can write, so it is never stored. */
export interface SessionWithCsrf extends Session {
  readonly csrf: string
}

/** Sign-in form; the code only for a second factor. */
export interface Credentials {
  readonly email: string
  readonly password: string
  readonly company: string
  readonly code?: string
  /** `true`: trust this browser, and ask it for no code. */
  readonly trust?: string
}

export interface PasskeyRequestOptions {
  readonly challenge: string
  readonly site: string
}

export interface PasskeyCreationOptions extends PasskeyRequestOptions {
  readonly user: string
  readonly name: string
  /** Existing credential ids, so that no device creates a second one. */
  readonly known: readonly string[]
}

/** The URL of the identity provider, for the page to open. */
export interface ProviderRedirect {
  readonly address: string
}

/** An invitation, as its link shows it. */
export interface OpenedInvitation {
  readonly email: string
  readonly role: Role
  readonly company: string
  /** An account exists: its password is required. */
  readonly isKnown: boolean
}
