// The tables as Kysely sees them; the migrations make them, the same columns in both databases.
import type { Generated } from 'kysely'
import type { Action } from '#model/revenue-log.ts'
import type { LineKind, State } from '#model/transaction.ts'

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
  /** The highest that was ever an employee's. */
  employeeId: number
  /** Of transactions and of lines: what is marked is an id of either. */
  materialId: number
  ledgerId: number
  handOutId: number
  batchId: number
  auditId: number
  /** Entries of the audit that tell who came and went. */
  passages: number
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

/** An item that material was registered with; unit and price are those of its latest line. */
export interface ItemTable {
  companyId: number
  /** Empty where it has only a number, and the other way round. */
  itemName: string
  itemId: string
  unit: string | null
  /** Ten-thousandths. */
  salesPrice: number | null
  /** Name and number in lower case. */
  searched: string
}

/** An item that somebody put a star on. */
export interface FavouriteItemTable {
  companyId: number
  userId: number
  itemName: string
  itemId: string
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

/** What was deleted of the directory and has not come back, for readers that follow changes. */
export interface DirectoryDeletionTable {
  companyId: number
  /** The table that it stood in. */
  resource: string
  key: string
  at: number
}

/** What the one who registered a transaction says of it. */
export interface MaterialContentColumns {
  date: string
  employeeId: number | null
  departmentId: string | null
  projectId: string | null
  siteId: string | null
  itemId: string | null
  itemName: string | null
  /** Ten-thousandths, like the prices and the amount. */
  quantity: number
  unit: string | null
  costPrice: number | null
  salesPrice: number | null
  amount: number | null
  isBillable: number | null
  remark: string | null
  source: string
  externalId: string | null
}

/** A transaction as it is now. */
export interface MaterialTable extends MaterialContentColumns {
  companyId: number
  id: number
  /** Of the content: raised by every change of it. */
  revision: number
  state: State
  rejectionReason: string | null
  approvedAt: number | null
  approvedBy: string | null
  exportedAt: number | null
  registeredBy: string
  /** Of the last approval, rejection or withdrawal. */
  decidedAt: number | null
  decidedBy: string | null
  changedAt: number
  createdAt: number
}

/** What a transaction said before it was changed. */
export interface MaterialRevisionTable {
  companyId: number
  materialId: number
  revision: number
  /** JSON of the columns. */
  content: string
  replacedAt: number
  replacedBy: string
  requestId: string
}

/** A receiver of lines; every company has one with the id 1, and every credential belongs to one. */
export interface DestinationTable {
  companyId: number
  id: number
  name: string
  /** What becomes of a change to what was exported: refused, or handed out as a reversal and a replacement. */
  corrections: 'block' | 'lines'
  /** What one caller has claimed is hidden from the others. */
  isExclusive: number
  /** The last day of the receiver's closed periods. */
  lockDate: string | null
  /** JSON list of the fields whose change is a correction; null for all. */
  exportedFields: string | null
  /** How many claims may be open at a time. */
  batchesMax: number
  /** After so many reported failures a line counts as parked. */
  failuresMax: number
  /** Every line that was ready at this stamp has been served; lines of smaller answers stand in `servedLine`. */
  servedAt: number
  /** The number of the last claim, or end of one. */
  fence: number
  createdAt: number
}

/** What can be handed out, frozen when it was approved. */
export interface ExportLineTable extends MaterialContentColumns {
  companyId: number
  /** An original has the id of its transaction, a correction a number of its own. */
  id: number
  revision: number
  materialId: number
  lineKind: LineKind
  reversesId: number | null
  replacesId: number | null
  /** What the receiver keeps as its reference; the generation is added behind it. */
  exportKey: string
  createdAt: number
}

/** Where a line stands at a destination. */
export interface OfferTable {
  companyId: number
  destinationId: number
  lineId: number
  /** The transaction that is exported when the line is marked; null for a reversal. */
  materialId: number | null
  revision: number
  /** Raised by every undo. */
  generation: number
  state: 'ready' | 'withdrawn' | 'exported' | 'closed'
  readyAt: number
  postingDate: string
  approvedAt: number
  approvedBy: string
  failures: number
  /** Since when it has failed too often, and no claim takes it; it stays on the list. */
  parkedAt: number | null
  /** The claim that it was last part of. */
  batchId: number | null
  markedAt: number | null
  markedBy: string | null
  externalId: string | null
}

/** One retrieval: what left, when and to whom. */
export interface HandOutTable {
  companyId: number
  id: number
  destinationId: number
  actor: string
  requestId: string
  at: number
  query: string | null
  upperLineId: number
  count: number
  /** Sums as decimal text: they may be larger than a number holds exactly. */
  quantity: string
  amount: string
  /** SHA-256 over `id:revision,` of every line in order, base64url. */
  hash: string
  batchId: number | null
}

/** A revision of a line that was in an answer with less than all that waited. */
export interface ServedLineTable {
  companyId: number
  destinationId: number
  lineId: number
  revision: number
  firstHandOutId: number
  lastServedOn: string
}

export type LedgerAct =
  | 'marked'
  | 'failed'
  | 'retried'
  | 'sent_back'
  | 'released'
  | 'closed'
  | 'undone'
  | 'alarm'

/** What happened to a line at a destination; never changed. */
export interface LedgerEntryTable {
  companyId: number
  id: number
  destinationId: number
  lineId: number
  revision: number
  generation: number
  act: LedgerAct
  at: number
  actor: string
  requestId: string
  /** Whether the revision had been served to the destination by then. */
  wasServed: number
  externalId: string | null
  externalUrl: string | null
  externalBatchId: string | null
  batchId: number | null
  code: string | null
  reason: string | null
}

/** A claim: lines that one caller holds until it expires. */
export interface BatchTable {
  companyId: number
  id: number
  destinationId: number
  fence: number
  holder: string
  state: 'open' | 'done' | 'released' | 'broken' | 'expired'
  expiresAt: number
  createdAt: number
  requestId: string
  handOutId: number
}

export interface BatchLineTable {
  companyId: number
  batchId: number
  lineId: number
  revision: number
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

/** A file that was imported, and what became of its rows. */
export interface ImportRunTable {
  companyId: number
  id: number
  at: number
  actor: string
  /** The set on the wire. */
  resource: string
  /** How whoever sent it called it; '' for what was pasted. */
  file: string
  inserted: number
  changed: number
  unchanged: number
  wrong: number
  undoneAt: number | null
  undoneBy: string | null
  /** Null for those of before this was kept. */
  requestId: string | null
}

/** What the columns of a kind of file mean, under a name. */
export interface ImportMappingTable {
  companyId: number
  /** The set on the wire. */
  resource: string
  name: string
  /** JSON: a list of header and field on the wire, '' for a column that is left out. */
  columns: string
  savedAt: number
}

/** What a record was before an import changed it; kept as long as that can be taken back. */
export interface ImportChangeTable {
  companyId: number
  runId: number
  key: string
  /** JSON of the record; null for one that the import added. */
  before: string | null
  /** The stamp that the import gave it: with another by now, somebody has changed it since. */
  changedAt: number
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

/** The database counts the ids. */
type Numbered<Row extends { id: number }> = Omit<Row, 'id'> & { id: Generated<number> }

export interface Tables {
  revenue: RevenueTable
  revenueLog: RevenueLogTable
  counter: CounterTable
  company: Numbered<CompanyTable>
  /** Whom it fetches lines for is known to `store/destinations.ts` alone. */
  credential: CredentialTable & { destinationId: Generated<number> }
  failure: Numbered<FailureTable>
  knownAddress: KnownAddressTable
  user: Numbered<UserTable>
  membership: MembershipTable
  session: SessionTable
  userFactor: UserFactorTable
  recoveryCode: RecoveryCodeTable
  trustedDevice: TrustedDeviceTable
  savedView: SavedViewTable
  item: ItemTable
  favouriteItem: FavouriteItemTable
  userIdentity: UserIdentityTable
  userPasskey: UserPasskeyTable
  setting: SettingTable
  idempotency: IdempotencyTable
  directoryDeletion: DirectoryDeletionTable
  material: MaterialTable
  materialRevision: MaterialRevisionTable
  /** How far its retrievals are folded is known to `store/folding.ts` alone, and so is what a folded one stands for. */
  destination: DestinationTable & { foldedUntil: Generated<number> }
  exportLine: ExportLineTable
  offer: OfferTable
  handOut: HandOutTable & { retrievals: Generated<number>; throughId: Generated<number | null> }
  servedLine: ServedLineTable
  ledgerEntry: LedgerEntryTable
  batch: BatchTable
  batchLine: BatchLineTable
  audit: AuditTable
  mail: Numbered<MailTable>
  webhook: Numbered<WebhookTable>
  event: Numbered<EventTable>
  delivery: Numbered<DeliveryTable>
  importRun: ImportRunTable
  importChange: ImportChangeTable
  importMapping: ImportMappingTable
  invitation: Numbered<InvitationTable>
  watch: WatchTable
  lastSuccess: LastSuccessTable
  refusedCall: RefusedCallTable
  forgottenPassword: ForgottenPasswordTable
  passwordLink: PasswordLinkTable
}
