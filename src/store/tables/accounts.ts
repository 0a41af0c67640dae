// Tables: companies, credentials, users, sessions, second factors, invitations.
import type { CompanyId } from '../../engine/model/resource.ts'
import { autoincrement, companyTable, index, integer, serverTable, text, type RowOf } from './define-table.ts'

export type SignedInVia = 'password' | 'provider' | 'passkey'

export const company = serverTable('company', {
  columns: {
    id: autoincrement(),
    name: text(),
    /** The name in lower case, for comparison. */
    nameKey: text(),
    timezone: text(),
    currency: text(),
    /** JSON of the settings that differ from their defaults. */
    settings: text(),
    createdAt: integer(),
    disabledAt: integer().orNull(),
  },
  indexes: { companyNameKey: index(['nameKey'], { isUnique: true }) },
})
export type CompanyTable = RowOf<typeof company>

/** A password of a company or an API key. */
export const credential = companyTable('credential', {
  columns: {
    id: text(),
    kind: text<'password' | 'key'>(),
    name: text(),
    /** The integration it belongs to: two keys of one owner share their idempotency keys. */
    owner: text(),
    /** How `secretHash` was made; `weak` is a short legacy password, restricted to networks. */
    secretKind: text<'generated' | 'chosen' | 'weak'>(),
    secretHash: text(),
    /** Separated by spaces. */
    scopes: text(),
    /** JSON list of the networks that may use it; null for all. */
    allowedNetworks: text().orNull(),
    /** Incremented by every change, which invalidates caches. */
    version: integer(),
    createdAt: integer(),
    expiresAt: integer().orNull(),
    lastUsedAt: integer().orNull(),
    revokedAt: integer().orNull(),
    destinationId: integer().default(1),
  },
  indexes: { credentialId: index(['id'], { isUnique: true, isServerWide: true }) },
})
/** Without `destinationId`, which only `store/export/destinations.ts` uses. */
export type CredentialTable = Omit<RowOf<typeof credential>, 'destinationId'>

/** An address with a successful login: failures of other addresses do not limit it. */
export const knownAddress = companyTable('knownAddress', {
  columns: { address: text(), succeededAt: integer() },
  primaryKey: ['address'],
})

export const user = serverTable('user', {
  columns: {
    id: autoincrement(),
    email: text(),
    emailKey: text(),
    passwordHash: text(),
    isOperator: integer(),
    version: integer(),
    createdAt: integer(),
    disabledAt: integer().orNull(),
    /** Null for a user who was added by a command. */
    name: text().orNull(),
  },
  indexes: { userEmailKey: index(['emailKey'], { isUnique: true }) },
})
export type UserTable = RowOf<typeof user>

export const membership = companyTable('membership', {
  columns: {
    userId: integer(),
    role: text(),
    /** JSON list of the departments that an approver is limited to; null for all. */
    departments: text().orNull(),
    /** When the member was disabled in this company. */
    disabledAt: integer().orNull(),
    /** `granted` or `revoked` by groups of the identity provider; null where an administrator set it. */
    setByGroups: text<'granted' | 'revoked'>().orNull(),
  },
  primaryKey: ['userId'],
  references: { userId: 'user' },
})
export type MembershipTable = RowOf<typeof membership>

/** A user in a company. */
export type MemberKey = Readonly<{ companyId: CompanyId; userId: number }>

/** Values of the server, such as the check value of the master key and the set-up token. */
export const setting = serverTable('setting', { columns: { name: text(), value: text() }, primaryKey: ['name'] })

/** A session of the browser app. */
export const session = serverTable('session', {
  columns: {
    /** Hash of the id in the cookie; the id itself is not stored. */
    idHash: text(),
    /** The company that is selected. */
    companyId: integer(),
    userId: integer(),
    /** The user's version when the session began: another version ends it. */
    userVersion: integer(),
    createdAt: integer(),
    seenAt: integer(),
    /** When the user last authenticated. */
    authenticatedAt: integer().default(0),
    via: text<SignedInVia>().default('password'),
    /** The browser, from `User-Agent`. */
    agent: text().default(''),
  },
  primaryKey: ['idHash'],
  indexes: { sessionAge: index(['createdAt']), sessionUser: index(['userId']) },
  references: { companyId: 'company', userId: 'user' },
})
export type SessionTable = RowOf<typeof session>

/** The TOTP second factor of a user. */
export const userFactor = serverTable('userFactor', {
  columns: {
    userId: integer(),
    /** Encrypted with the master key. */
    encryptedSeed: text(),
    /** Null until the first code was entered. */
    confirmedAt: integer().orNull(),
    /** Time step of the last accepted code: a code is accepted once. */
    lastStep: integer(),
  },
  primaryKey: ['userId'],
  references: { userId: 'user' },
})
export type UserFactorTable = RowOf<typeof userFactor>

export const recoveryCode = serverTable('recoveryCode', {
  columns: { userId: integer(), codeHash: text() },
  primaryKey: ['userId', 'codeHash'],
  references: { userId: 'user' },
})

/** A browser that signs in without the second factor. */
export const trustedDevice = serverTable('trustedDevice', {
  columns: {
    userId: integer(),
    /** Hash of the secret in its cookie; the secret itself is not stored. */
    secretHash: text(),
    /** The user's version when it was trusted: a new password ends the trust. */
    userVersion: integer(),
    agent: text(),
    createdAt: integer(),
    seenAt: integer(),
  },
  primaryKey: ['userId', 'secretHash'],
  references: { userId: 'user' },
})
export type TrustedDeviceTable = RowOf<typeof trustedDevice>

/** The identity of a user at an OpenID Connect provider (`iss` and `sub`). */
export const userIdentity = serverTable('userIdentity', {
  columns: { issuer: text(), subject: text(), userId: integer(), createdAt: integer() },
  primaryKey: ['issuer', 'subject'],
  indexes: { userIdentityUser: index(['userId']) },
  references: { userId: 'user' },
})
export type UserIdentityTable = RowOf<typeof userIdentity>

/** The public key of a user's passkey. */
export const userPasskey = serverTable('userPasskey', {
  columns: {
    /** The credential id of the authenticator. */
    id: text(),
    userId: integer(),
    /** DER in base64url. */
    publicKey: text(),
    /** Signature counter; always 0 for an authenticator that does not count. */
    counter: integer(),
    /** The browser that created it, from `User-Agent`. */
    agent: text(),
    createdAt: integer(),
    usedAt: integer().orNull(),
  },
  indexes: { userPasskeyUser: index(['userId']) },
  references: { userId: 'user' },
})
export type UserPasskeyTable = RowOf<typeof userPasskey>

/** An invitation to join a company. */
export const invitation = serverTable('invitation', {
  columns: {
    id: autoincrement(),
    /** Hash of the token in the link. */
    tokenHash: text(),
    companyId: integer(),
    email: text(),
    emailKey: text(),
    role: text(),
    departments: text().orNull(),
    createdAt: integer(),
    expiresAt: integer(),
  },
  indexes: {
    invitationEmailKey: index(['companyId', 'emailKey'], { isUnique: true }),
    invitationTokenHash: index(['tokenHash'], { isUnique: true }),
  },
  references: { companyId: 'company' },
})
export type InvitationTable = RowOf<typeof invitation>

/** A request to reset the password of an e-mail address, which may be unknown. */
export const passwordResetRequest = serverTable('passwordResetRequest', {
  columns: {
    emailKey: text(),
    language: text(),
    /** Address of the server, for the link in the message. */
    address: text(),
  },
  primaryKey: ['emailKey'],
})
export type ResetRequestTable = RowOf<typeof passwordResetRequest>

/** A link to set a new password, valid while the user has this version. */
export const passwordLink = serverTable('passwordLink', {
  columns: { tokenHash: text(), userId: integer(), userVersion: integer(), createdAt: integer(), expiresAt: integer() },
  primaryKey: ['tokenHash'],
  indexes: { passwordLinkUser: index(['userId', 'createdAt']) },
  references: { userId: 'user' },
})

/** A saved view of a user: the filters of a screen as its query string. */
export const savedView = companyTable('savedView', {
  columns: { userId: integer(), screen: text(), name: text(), search: text() },
  primaryKey: ['userId', 'screen', 'name'],
  references: { userId: 'user' },
})
export type SavedViewTable = RowOf<typeof savedView>

/** A failed login, under one of the keys that limit it. */
export const loginFailure = serverTable('loginFailure', {
  columns: {
    id: autoincrement(),
    /** Hash of what is limited: a network, a company, both, or a user. */
    name: text(),
    /** Microseconds. */
    at: integer(),
    /** The server that rejected it. */
    server: text(),
  },
  indexes: { loginFailureName: index(['name', 'id']) },
})
export type LoginFailureTable = RowOf<typeof loginFailure>
