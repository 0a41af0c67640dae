// Endpoints: the types of request and reply by path, for the handlers of the server and the app.
import type { Account, OfferedFactor, RecoveryCodes } from './account.ts'
import type {
  Administration,
  AuditPage,
  CompanyList,
  CreatedCompany,
  CreatedCredential,
  CreatedWebhookSecret,
  Delivery,
  InvitedPerson,
  RejectedCall,
  RotatedWebhookSecret,
  SystemStatus,
  WebhookList,
} from './administration.ts'
import type {
  ApprovalOverview,
  ApprovalTotals,
  DecisionBody,
  DecisionResult,
  LinesEdit,
  MaterialLineDetails,
  SelectableLines,
} from './approvals.ts'
import type { RecordFields, SetDescription, SetPage } from './directory.ts'
import type {
  ExportedLine,
  ExportLatency,
  ExportLineHistory,
  ExportOverview,
  LineActionBody,
  LineActionPreview,
  LineActionPreviewBody,
  LineActionReason,
  LineActionResult,
  ReconcileReport,
  AcknowledgeResult,
  RetrievalPage,
} from './export.ts'
import type { ColumnField, FileColumns, ImportList, ImportUndoReport } from './imports.ts'
import type { NewLine, OwnMaterial } from './material-entry.ts'
import type { appPaths } from './paths.ts'
import type {
  MoveCodeBody,
  NamedFeedPage,
  DataIssues,
  RevenueCellDetails,
  RevenueEdit,
  RevenueOverview,
  SentCode,
} from './revenue.ts'
import type {
  Credentials,
  InvitationAnswer,
  OpenedInvitation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
  ProviderRedirect,
  SessionWithCsrf,
} from './session.ts'
import type { SavedView } from '../../store/accounts/saved-views.ts'
import type { FailedLineCount } from '../../store/export/export-overview.ts'
import type { ListedLine } from '../../store/export/export-lines.ts'
import type { LastBackup } from '../../store/last-backup.ts'
import type { UsedItem } from '../../store/material/items.ts'
import type { MaterialRow } from '../../store/material/material-rows.ts'
import type { CellSum } from '../../store/revenue/revenue-sums.ts'

/** The reply of each GET, as JSON. */
export interface GetReplies {
  /** Null without a session. */
  readonly [appPaths.session]: SessionWithCsrf | null
  readonly [appPaths.oidcLogin]: { readonly name: string | null }
  readonly [appPaths.account]: Account
  readonly [appPaths.views]: SavedViews
  /** Written by the database, not by the handler. */
  readonly [appPaths.read]: SetPage
  readonly [appPaths.setNames]: { readonly sets: readonly SetDescription[] }
  readonly [appPaths.revenueOverview]: RevenueOverview
  readonly [appPaths.revenueSums]: { readonly sums: readonly CellSum[] }
  readonly [appPaths.revenueFeed]: NamedFeedPage
  readonly [appPaths.revenueCell]: RevenueCellDetails
  readonly [appPaths.revenueTidying]: DataIssues<SentCode>
  readonly [appPaths.materialOverview]: ApprovalOverview
  readonly [appPaths.materialCount]: ApprovalTotals
  readonly [appPaths.materialLines]: { readonly rows: readonly MaterialRow[] }
  readonly [appPaths.materialIds]: SelectableLines
  readonly [appPaths.materialLine]: MaterialLineDetails
  readonly [appPaths.ownMaterial]: OwnMaterial
  readonly [appPaths.items]: { readonly items: readonly UsedItem[] }
  readonly [appPaths.exportOverview]: ExportOverview
  readonly [appPaths.exportFailed]: FailedLineCount
  readonly [appPaths.exportLines]: { readonly rows: readonly ListedLine[] }
  readonly [appPaths.exportLine]: ExportLineHistory
  readonly [appPaths.exportRetrieval]: RetrievalPage
  readonly [appPaths.exportLatency]: ExportLatency
  readonly [appPaths.directoryRecord]: RecordFields
  readonly [appPaths.imports]: ImportList
  readonly [appPaths.audit]: AuditPage
  readonly [appPaths.auditFile]: AuditPage
  readonly [appPaths.administration]: Administration
  readonly [appPaths.rejectedCalls]: { readonly rows: readonly RejectedCall[] }
  readonly [appPaths.webhooks]: WebhookList
  readonly [appPaths.webhookDeliveries]: { readonly rows: readonly Delivery[] }
  readonly [appPaths.system]: SystemStatus
  readonly [appPaths.companies]: CompanyList
}

/** The body and the reply of each POST. */
export interface PostCalls {
  readonly [appPaths.session]: Call<Credentials, null>
  readonly [appPaths.sessionCompany]: Call<{ readonly company: string }, null>
  readonly [appPaths.passkeyAsk]: Call<Empty, PasskeyRequestOptions>
  readonly [appPaths.passkey]: Call<Fields, null>
  readonly [appPaths.oidcLogin]: Call<{ readonly to: string; readonly reauthenticate?: string }, ProviderRedirect>
  readonly [appPaths.invitation]: Call<{ readonly token: string }, OpenedInvitation>
  readonly [appPaths.invitationAccept]: Call<InvitationAnswer, { readonly email: string; readonly company: string }>
  readonly [appPaths.forgotten]: Call<{ readonly email: string }, null>
  readonly [appPaths.newPassword]: Call<{ readonly token: string; readonly password: string }, null>
  readonly [appPaths.accountPassword]: Call<{ readonly current: string; readonly password: string }, Empty>
  readonly [appPaths.accountFactor]: Call<Empty, OfferedFactor>
  readonly [appPaths.accountFactorConfirm]: Call<{ readonly code: string }, RecoveryCodes>
  readonly [appPaths.accountFactorCodes]: Call<Empty, RecoveryCodes>
  readonly [appPaths.accountFactorEnd]: Call<Empty, Empty>
  /** Without an id all sessions but the current one. */
  readonly [appPaths.accountSessionEnd]: Call<Partial<Id>, Empty>
  readonly [appPaths.accountDeviceEnd]: Call<Id, Empty>
  readonly [appPaths.accountIdentity]: Call<Empty, ProviderRedirect>
  readonly [appPaths.accountIdentityEnd]: Call<Empty, Empty>
  readonly [appPaths.accountPasskeyAsk]: Call<Empty, PasskeyCreationOptions>
  readonly [appPaths.accountPasskey]: Call<Fields, Empty>
  readonly [appPaths.accountPasskeyEnd]: Call<Id, Empty>
  readonly [appPaths.views]: Call<SavedView, SavedViews>
  readonly [appPaths.trialKey]: Call<Empty, { readonly key: string }>
  readonly [appPaths.revenueCells]: Call<readonly RevenueEdit[], { readonly stored: readonly object[] }>
  readonly [appPaths.revenueRemove]: Call<Id & { readonly before: string }, { readonly id: number }>
  readonly [appPaths.revenueMove]: Call<MoveCodeBody, { readonly moved: number }>
  readonly [appPaths.materialDecide]: Call<DecisionBody, DecisionResult>
  readonly [appPaths.materialEdit]: Call<LinesEdit, DecisionResult>
  readonly [appPaths.ownMaterial]: Call<NewLine, { readonly id: number }>
  readonly [appPaths.ownMaterialLine]: Call<NewLine, { readonly id: number }>
  readonly [appPaths.favouriteItem]: Call<Pick<UsedItem, 'itemName' | 'itemId'>, null>
  readonly [appPaths.exportAcknowledge]: Call<readonly ExportedLine[], AcknowledgeResult>
  readonly [appPaths.exportPreview]: Call<LineActionPreviewBody, { readonly lines: readonly LineActionPreview[] }>
  readonly [appPaths.exportUndo]: Call<LineActionBody & LineActionReason, LineActionResult>
  readonly [appPaths.exportClose]: Call<LineActionBody & LineActionReason, LineActionResult>
  readonly [appPaths.exportRetry]: Call<LineActionBody & LineActionReason, LineActionResult>
  readonly [appPaths.exportSendBack]: Call<LineActionBody & LineActionReason, LineActionResult>
  readonly [appPaths.exportBreak]: Call<
    { readonly destination: string; readonly claim: string; readonly reason: string },
    { readonly state: string }
  >
  readonly [appPaths.directoryRecord]: Call<Fields, { readonly id: string | number }>
  readonly [appPaths.importUndo]: Call<{ readonly run: string }, ImportUndoReport>
  readonly [appPaths.importMapping]: Call<readonly ColumnField[], null>
  readonly [appPaths.importMappingName]: Call<{ readonly name: string; readonly to: string }, null>
  readonly [appPaths.settings]: Call<Fields, Empty>
  /** Without a key the rule for exports. */
  readonly [appPaths.alertRule]: Call<{ readonly key?: string; readonly hours: string }, Empty>
  readonly [appPaths.webhookAdd]: Call<{ readonly url: string; readonly events: string }, CreatedWebhookSecret>
  readonly [appPaths.webhookRotate]: Call<Id, RotatedWebhookSecret>
  readonly [appPaths.webhookRemove]: Call<Id, Empty>
  readonly [appPaths.webhookEnable]: Call<Id, Empty>
  readonly [appPaths.webhookTest]: Call<Id, Empty>
  readonly [appPaths.webhookResend]: Call<Id, Empty>
  readonly [appPaths.backup]: Call<Empty, LastBackup>
  readonly [appPaths.companyAdd]: Call<NewCompanyBody, CreatedCompany>
  readonly [appPaths.companyClose]: Call<Id & { readonly name: string }, Empty>
  readonly [appPaths.companyOpen]: Call<Id, Empty>
  readonly [appPaths.keyAdd]: Call<
    { readonly kind: CreatedCredential['kind']; readonly name: string; readonly scopes: string; readonly days: string },
    CreatedCredential
  >
  readonly [appPaths.keyRotate]: Call<Id, CreatedCredential>
  readonly [appPaths.keyRevoke]: Call<Id, Empty>
  readonly [appPaths.personInvite]: Call<RoleBody & { readonly email: string }, InvitedPerson>
  readonly [appPaths.invitationWithdraw]: Call<Id, Empty>
  readonly [appPaths.personChange]: Call<RoleBody & Id, Empty>
  readonly [appPaths.personDisable]: Call<Id, Empty>
  readonly [appPaths.personEnable]: Call<Id, Empty>
}

/** The body and the reply of each DELETE. */
export interface DeleteCalls {
  readonly [appPaths.session]: Call<undefined, null>
  readonly [appPaths.views]: Call<Pick<SavedView, 'screen' | 'name'>, null>
  readonly [appPaths.ownMaterialLine]: Call<undefined, null>
  readonly [appPaths.favouriteItem]: Call<Pick<UsedItem, 'itemName' | 'itemId'>, null>
  readonly [appPaths.directoryRecord]: Call<Fields, { readonly id: string | number }>
  readonly [appPaths.importMapping]: Call<{ readonly name: string }, { readonly columns: readonly ColumnField[] }>
}

/** The JSON reply of each POST of a file. */
export interface UploadReplies {
  readonly [appPaths.exportReconcile]: ReconcileReport
  readonly [appPaths.importColumns]: FileColumns
}

/** A write; its reply is null for one without a body (204). */
interface Call<Body, Reply> {
  readonly body: Body
  readonly reply: Reply
}

/** An object without members. */
export interface Empty {
  readonly none?: never
}

/** Fields whose names the handler knows, such as those of a directory record. */
type Fields = Readonly<Record<string, string>>

interface Id {
  readonly id: string
}

export interface SavedViews {
  readonly views: readonly SavedView[]
}

/** Departments are separated by commas. */
interface RoleBody {
  readonly role: string
  readonly departments?: string
}

/** A password is generated for an empty one. */
interface NewCompanyBody {
  readonly name: string
  readonly email: string
  readonly zone: string
  readonly currency: string
  readonly password: string
}
