// Account: the signed-in user's sessions, second factor, passkeys and saved views.
import type { EnrolmentSecret } from '../../auth/mfa/second-factor.ts'
import type { SavedView } from '../../store/accounts/saved-views.ts'
import type { SessionSummary } from '../../store/accounts/sessions.ts'
import type {
  SignedInVia,
  TrustedDeviceTable,
  UserIdentityTable,
  UserPasskeyTable,
} from '../../store/tables/accounts.ts'

export type { EnrolmentSecret, SavedView }

/** A session or a trusted browser; timestamps are microseconds. */
export interface SessionOrDevice extends Pick<TrustedDeviceTable, 'agent' | 'createdAt' | 'seenAt'> {
  readonly id: string
  readonly isThis: boolean
}

export interface Account {
  readonly email: string
  readonly via: SignedInVia
  readonly factor: { readonly since: number; readonly codes: number } | null
  readonly sessions: readonly (SessionOrDevice & Pick<SessionSummary, 'company' | 'via'>)[]
  readonly devices: readonly SessionOrDevice[]
  readonly identities: readonly Pick<UserIdentityTable, 'issuer' | 'createdAt'>[]
  readonly passkeys: readonly Pick<UserPasskeyTable, 'id' | 'agent' | 'createdAt' | 'usedAt'>[]
  /** Name of the identity provider; null when none is configured. */
  readonly provider: string | null
}

export interface RecoveryCodes {
  readonly codes: readonly string[]
}
