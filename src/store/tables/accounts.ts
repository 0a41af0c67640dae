// Companies, what lets into them, and people, as Kysely sees them.

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

/** A wrong password, against one of the names that it counts against. */
export interface FailureTable {
  readonly id: number
  /** A hash of what is limited: a network, a company, both, or a person. */
  readonly name: string
  /** Microseconds. */
  readonly at: number
  /** Which server found it wrong. */
  readonly server: string
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
  /** As the person gave it; null for one who was added by a command. */
  name: string | null
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
  /** Since when the person is shut out of this company. */
  disabledAt: number | null
  /** Whether groups of the identity provider gave it, or gave and took it; null for what people gave. */
  byGroups: 'given' | 'taken' | null
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
  /** When the password was given, or the identity provider had asked for it. */
  provenAt: number
  via: SignedInVia
  /** What the browser calls itself. */
  agent: string
}

export type SignedInVia = 'password' | 'provider' | 'passkey'

/** The authenticator app of a person. */
export interface UserFactorTable {
  userId: number
  /** Opened by the master key alone. */
  sealedSeed: string
  /** Null while the person has shown no code yet. */
  confirmedAt: number | null
  /** Of the last code that was taken: none is taken twice. */
  lastStep: number
}

export interface RecoveryCodeTable {
  userId: number
  codeHash: string
}

/** A browser that is not asked for the second factor. */
export interface TrustedDeviceTable {
  userId: number
  /** Of what stands in its cookie, which is kept nowhere. */
  secretHash: string
  /** The user's version when it was trusted: a new password ends that. */
  userVersion: number
  agent: string
  createdAt: number
  seenAt: number
}

/** A view that a person keeps: the filters of a screen as they stand in its address. */
export interface SavedViewTable {
  companyId: number
  userId: number
  screen: string
  name: string
  search: string
}

/** A passkey of a person, without the half that never leaves the authenticator. */
export interface UserPasskeyTable {
  /** As the authenticator calls it. */
  id: string
  userId: number
  /** DER in base64url. */
  publicKey: string
  /** Of uses; always 0 for one that does not count. */
  counter: number
  /** What the browser called itself that made it. */
  agent: string
  createdAt: number
  usedAt: number | null
}

/** Who a person is to an identity provider: never an e-mail address. */
export interface UserIdentityTable {
  issuer: string
  subject: string
  userId: number
  createdAt: number
}

/** What the server itself remembers: the check value of the master key, the set-up link. */
export interface SettingTable {
  name: string
  value: string
}

/** Somebody who is asked to join a company. */
export interface InvitationTable {
  id: number
  /** Of what stands in the link. */
  tokenHash: string
  companyId: number
  email: string
  emailKey: string
  role: string
  departments: string | null
  createdAt: number
  expiresAt: number
}

/** Somebody says that they forgot the password of this address, which may be nobody's. */
export interface ForgottenPasswordTable {
  emailKey: string
  /** Of the letter. */
  language: string
  /** Of the server, as the letter names it. */
  address: string
}

/** A way to a new password, good for a person of this version. */
export interface PasswordLinkTable {
  tokenHash: string
  userId: number
  userVersion: number
  createdAt: number
  expiresAt: number
}
