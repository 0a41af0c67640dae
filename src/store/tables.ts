// All tables by their names; the migrations make them, the same columns in both databases.
import type { Generated } from 'kysely'
import type {
  CompanyTable,
  CredentialTable,
  FailureTable,
  ForgottenPasswordTable,
  InvitationTable,
  KnownAddressTable,
  MembershipTable,
  PasswordLinkTable,
  RecoveryCodeTable,
  SavedViewTable,
  SessionTable,
  SettingTable,
  TrustedDeviceTable,
  UserFactorTable,
  UserIdentityTable,
  UserPasskeyTable,
  UserTable,
} from './tables/accounts.ts'
import type {
  DirectoryDeletionTable,
  ImportChangeTable,
  ImportMappingTable,
  ImportRunTable,
} from './tables/directory.ts'
import type {
  BatchLineTable,
  BatchTable,
  DestinationTable,
  ExportLineTable,
  HandOutTable,
  LedgerEntryTable,
  OfferTable,
  ServedLineTable,
} from './tables/exports.ts'
import type {
  FavouriteItemTable,
  ItemTable,
  MaterialRevisionTable,
  MaterialTable,
} from './tables/materials.ts'
import type {
  AuditTable,
  DeliveryTable,
  EventTable,
  IdempotencyTable,
  LastSuccessTable,
  MailTable,
  RefusedCallTable,
  WatchTable,
  WebhookTable,
} from './tables/operations.ts'
import type { CounterTable, RevenueLogTable, RevenueTable } from './tables/revenue.ts'

/** The database counts the ids. */
type Numbered<Row extends { id: number }> = Omit<Row, 'id'> & { id: Generated<number> }

export interface Tables {
  revenue: RevenueTable
  revenueLog: RevenueLogTable
  counter: CounterTable
  company: Numbered<CompanyTable>
  /** Whom it fetches lines for is known to `store/export/destinations.ts` alone. */
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
  /** How far its retrievals are folded is known to `store/export/compact-retrievals.ts` alone, and so is what a folded one stands for. */
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
