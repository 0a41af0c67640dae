// Endpoints of the browser app: their paths, whose Norwegian names are public, with the types of request and reply.
import type * as account from './account.ts'
import type * as administration from './administration.ts'
import type * as approvals from './approvals.ts'
import type * as directory from './directory.ts'
import type * as exports from './export.ts'
import type * as imports from './imports.ts'
import type * as materialEntry from './material-entry.ts'
import { path, type Delete, type Empty, type Get, type Post, type TextFields, type Upload } from './path.ts'
import type * as revenue from './revenue.ts'
import type * as session from './session.ts'
import type { SavedView } from '../../store/accounts/saved-views.ts'
import type { FailedLineCount } from '../../store/export/export-overview.ts'
import type { ListedLine } from '../../store/export/export-lines.ts'
import type { LastBackup } from '../../store/last-backup.ts'
import type { UsedItem } from '../../store/material/items.ts'
import type { CellSum } from '../../store/revenue/revenue-sums.ts'

/** The pages, and the endpoints; server and browser are checked against the types. */
export const appPaths = {
  home: '/app/i-dag',
  /** The first-run set-up; its link has the token in the fragment. */
  setUp: '/setup',
  /** Any other path. */
  noScreen: '/app/:screen',
  accountScreen: '/app/konto',
  /** Null without a session. */
  session: path<Get<session.SessionWithCsrf | null> & Post<session.Credentials, null> & Delete>('/app/okt'),
  sessionCompany: path<Post<TextFields<'company'>, null>>('/app/okt/bytt'),
  invitation: path<Post<TextFields<'token'>, session.OpenedInvitation>>('/app/invitasjon/se'),
  /** With the name of a new user. */
  invitationAccept:
    path<Post<TextFields<'token' | 'password'> & Partial<TextFields<'name'>>, TextFields<'email' | 'company'>>>(
      '/app/invitasjon/godta',
    ),
  forgotten: path<Post<TextFields<'email'>, null>>('/app/glemt/be-om'),
  newPassword: path<Post<TextFields<'token' | 'password'>, null>>('/app/ny-adgang/sett'),
  /** Written by the database, not by the handler. */
  read: path<Get<directory.SetPage>>('/app/les/:set'),
  live: '/app/data/hendelser',
  views: path<Get<SavedViews> & Post<SavedView, SavedViews> & Delete<Pick<SavedView, 'screen' | 'name'>>>(
    '/app/data/visninger',
  ),
  setNames: path<Get<{ readonly sets: readonly directory.SetDescription[] }>>('/app/data/sett'),
  trialKey: path<Post<Empty, { readonly key: string }>>('/app/data/dokumentasjon/nokkel'),
  reference: '/docs',
  revenueOverview: path<Get<revenue.RevenueOverview>>('/app/data/omsetning/oversikt'),
  revenueSums: path<Get<{ readonly sums: readonly CellSum[] }>>('/app/data/omsetning/summer'),
  revenueFeed: path<Get<revenue.NamedFeedPage>>('/app/data/omsetning/mottatt'),
  revenueCell: path<Get<revenue.RevenueCellDetails>>('/app/data/omsetning/celle'),
  revenueCells:
    path<Post<readonly revenue.RevenueEdit[], { readonly stored: readonly object[] }>>('/app/data/omsetning/celler'),
  revenueTidying: path<Get<revenue.DataIssues<revenue.SentCode>>>('/app/data/omsetning/rydde'),
  revenueRemove: path<Post<Id & TextFields<'before'>, { readonly id: number }>>('/app/data/omsetning/slett'),
  /** Moves the records of a code to a department. */
  revenueMove:
    path<Post<TextFields<'from' | 'to' | 'first' | 'last'>, { readonly moved: number }>>('/app/data/omsetning/flytt'),
  materialOverview: path<Get<approvals.ApprovalOverview>>('/app/data/uttak/oversikt'),
  materialCount: path<Get<approvals.ApprovalTotals>>('/app/data/uttak/antall'),
  materialLines: path<Get<{ readonly rows: readonly approvals.MaterialRow[] }>>('/app/data/uttak/linjer'),
  materialIds: path<Get<approvals.SelectableLines>>('/app/data/uttak/ider'),
  materialDecide: path<Post<approvals.DecisionBody, approvals.DecisionResult>>('/app/data/uttak/beslutt'),
  materialEdit: path<Post<approvals.LinesEdit, approvals.DecisionResult>>('/app/data/uttak/rett'),
  materialLine: path<Get<approvals.MaterialLineDetails>>('/app/data/uttak/linje/:id'),
  ownMaterial: path<Get<materialEntry.OwnMaterial> & Post<materialEntry.NewLine, { readonly id: number }>>(
    '/app/data/uttak/mine',
  ),
  ownMaterialLine: path<Post<materialEntry.NewLine, { readonly id: number }> & Delete>('/app/data/uttak/mine/:id'),
  items: path<Get<{ readonly items: readonly UsedItem[] }>>('/app/data/uttak/varer'),
  favouriteItem: path<Post<ItemName, null> & Delete<ItemName>>('/app/data/uttak/varer/favoritt'),
  exportOverview: path<Get<exports.ExportOverview>>('/app/data/eksport'),
  exportFailed: path<Get<FailedLineCount>>('/app/data/eksport/feilet'),
  exportLines: path<Get<{ readonly rows: readonly ListedLine[] }>>('/app/data/eksport/linjer'),
  exportLine: path<Get<exports.ExportLineHistory>>('/app/data/eksport/linje'),
  exportRetrieval: path<Get<exports.RetrievalPage>>('/app/data/eksport/uthenting'),
  exportLatency: path<Get<exports.ExportLatency>>('/app/data/eksport/ventetid'),
  exportReconcile: path<Upload<exports.ReconcileReport>>('/app/data/eksport/avstem'),
  exportAcknowledge: path<Post<readonly ReceivedLine[], exports.AcknowledgeResult>>('/app/data/eksport/meld'),
  exportPreview:
    path<
      Post<
        LineActionBody & { readonly action: exports.LineAction },
        { readonly lines: readonly exports.LineActionPreview[] }
      >
    >('/app/data/eksport/prov'),
  exportUndo: path<LineActionPost>('/app/data/eksport/angre'),
  exportClose: path<LineActionPost>('/app/data/eksport/lukk'),
  exportRetry: path<LineActionPost>('/app/data/eksport/prov-igjen'),
  exportSendBack: path<LineActionPost>('/app/data/eksport/til-godkjenning'),
  exportBreak:
    path<Post<TextFields<'destination' | 'claim' | 'reason'>, { readonly state: string }>>('/app/data/eksport/bryt'),
  directoryRecord: path<
    Get<directory.RecordFields> &
      Post<TextFields, { readonly id: string | number }> &
      Delete<TextFields, { readonly id: string | number }>
  >('/app/data/register/:set'),
  imports: path<Get<imports.ImportList>>('/app/data/import'),
  importUndo: path<Post<TextFields<'run'>, imports.ImportUndoReport>>('/app/data/import/angre'),
  importTemplate: '/app/data/import/:set/mal',
  importColumns: path<Upload<imports.FileColumns>>('/app/data/import/:set/kolonner'),
  importMapping: path<
    Post<readonly imports.ColumnField[], null> &
      Delete<TextFields<'name'>, { readonly columns: readonly imports.ColumnField[] }>
  >('/app/data/import/:set/oppsett'),
  importMappingName: path<Post<TextFields<'name' | 'to'>, null>>('/app/data/import/:set/oppsett/navn'),
  importRows: '/app/data/import/:set/rader',
  audit: path<Get<administration.AuditPage>>('/app/data/revisjon'),
  auditFile: path<Get<administration.AuditPage>>('/app/data/revisjon/fil'),
  administration: path<Get<administration.Administration>>('/app/data/administrasjon'),
  settings: path<Post<TextFields>>('/app/data/administrasjon/innstillinger'),
  system: path<Get<administration.SystemStatus>>('/app/data/drift'),
  supportBundle: '/app/data/drift/pakke',
  backup: path<Post<Empty, LastBackup>>('/app/data/drift/sikkerhetskopi'),
  companies: path<Get<administration.CompanyList>>('/app/data/drift/firmaer'),
  /** A password is generated for an empty one. */
  companyAdd:
    path<Post<TextFields<'name' | 'email' | 'zone' | 'currency' | 'password'>, administration.CreatedCompany>>(
      '/app/data/drift/firmaer/ny',
    ),
  companyClose: path<Post<Id & TextFields<'name'>>>('/app/data/drift/firmaer/steng'),
  companyOpen: path<Post<Id>>('/app/data/drift/firmaer/apne'),
  rejectedCalls: path<Get<{ readonly rows: readonly administration.RejectedCall[] }>>('/app/data/administrasjon/kall'),
  /** Without a key the rule for exports. */
  alertRule: path<Post<{ readonly key?: string; readonly hours: string }>>('/app/data/administrasjon/varsel'),
  webhooks: path<Get<administration.WebhookList>>('/app/data/administrasjon/webhooks'),
  webhookDeliveries: path<Get<{ readonly rows: readonly administration.Delivery[] }>>(
    '/app/data/administrasjon/webhooks/leveranser',
  ),
  webhookAdd: path<Post<TextFields<'url' | 'events'>, administration.CreatedWebhookSecret>>(
    '/app/data/administrasjon/webhooks/ny',
  ),
  webhookRotate: path<Post<Id, administration.RotatedWebhookSecret>>('/app/data/administrasjon/webhooks/forny'),
  webhookRemove: path<Post<Id>>('/app/data/administrasjon/webhooks/fjern'),
  webhookEnable: path<Post<Id>>('/app/data/administrasjon/webhooks/apne'),
  webhookTest: path<Post<Id>>('/app/data/administrasjon/webhooks/prov'),
  webhookResend: path<Post<Id>>('/app/data/administrasjon/webhooks/send-igjen'),
  keyAdd: path<
    Post<
      TextFields<'name' | 'scopes' | 'days'> & Pick<administration.CreatedCredential, 'kind'>,
      administration.CreatedCredential
    >
  >('/app/data/administrasjon/nokler/ny'),
  keyRotate: path<Post<Id, administration.CreatedCredential>>('/app/data/administrasjon/nokler/forny'),
  keyRevoke: path<Post<Id>>('/app/data/administrasjon/nokler/trekk'),
  personInvite: path<Post<RoleBody & TextFields<'email'>, administration.InvitedPerson>>(
    '/app/data/administrasjon/personer/inviter',
  ),
  invitationWithdraw: path<Post<Id>>('/app/data/administrasjon/personer/trekk'),
  personChange: path<Post<RoleBody & Id>>('/app/data/administrasjon/personer/endre'),
  personDisable: path<Post<Id>>('/app/data/administrasjon/personer/steng'),
  personEnable: path<Post<Id>>('/app/data/administrasjon/personer/apne'),
  account: path<Get<account.Account>>('/app/data/konto'),
  accountPassword: path<Post<TextFields<'current' | 'password'>>>('/app/data/konto/nyttpassord'),
  accountFactor: path<Post<Empty, account.EnrolmentSecret>>('/app/data/konto/totrinn'),
  accountFactorConfirm: path<Post<TextFields<'code'>, account.RecoveryCodes>>('/app/data/konto/totrinn/bekreft'),
  accountFactorCodes: path<Post<Empty, account.RecoveryCodes>>('/app/data/konto/totrinn/koder'),
  accountFactorEnd: path<Post>('/app/data/konto/totrinn/av'),
  /** Without an id all sessions but the current one. */
  accountSessionEnd: path<Post<Partial<Id>>>('/app/data/konto/okter/slutt'),
  accountDeviceEnd: path<Post<Id>>('/app/data/konto/enheter/slutt'),
  accountIdentity: path<Post<Empty, session.ProviderRedirect>>('/app/data/konto/sso'),
  accountIdentityEnd: path<Post>('/app/data/konto/sso/fjern'),
  accountPasskeyAsk: path<Post<Empty, session.PasskeyCreationOptions>>('/app/data/konto/passnokler/ny'),
  accountPasskey: path<Post<TextFields>>('/app/data/konto/passnokler'),
  accountPasskeyEnd: path<Post<Id>>('/app/data/konto/passnokler/slutt'),
  passkeyAsk: path<Post<Empty, session.PasskeyRequestOptions>>('/app/okt/passnokkel/ny'),
  passkey: path<Post<TextFields, null>>('/app/okt/passnokkel'),
  oidcLogin: path<
    Get<{ readonly name: string | null }> &
      Post<TextFields<'to'> & Partial<TextFields<'reauthenticate'>>, session.ProviderRedirect>
  >('/app/sso'),
  oidcCallback: '/app/sso/svar',
  assets: '/app/assets/:file',
  manifest: '/app/manifest.json',
  serviceWorker: '/app/sw.js',
}

type Id = TextFields<'id'>

export interface SavedViews {
  readonly views: readonly SavedView[]
}

/** Departments are separated by commas. */
type RoleBody = TextFields<'role'> & Partial<TextFields<'departments'>>

/** The lines of an action, such as `3-7,12`, at a destination. */
type LineActionBody = TextFields<'destination' | 'ids'>

type LineActionPost = Post<LineActionBody & TextFields<'reason' | 'code'>, exports.LineActionResult>

/** A line that the receiver already has. */
type ReceivedLine = Id & { readonly externalId: string | null }

type ItemName = Pick<UsedItem, 'itemName' | 'itemId'>
