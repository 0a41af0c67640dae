// Endpoints: the types of request and reply by path, for the handlers of the server and the app.
import type * as account from './account.ts'
import type * as administration from './administration.ts'
import type * as approvals from './approvals.ts'
import type * as directory from './directory.ts'
import type * as exports from './export.ts'
import type * as imports from './imports.ts'
import type * as materialEntry from './material-entry.ts'
import type { appPaths } from './paths.ts'
import type * as revenue from './revenue.ts'
import type * as session from './session.ts'
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
  readonly [appPaths.session]: session.SessionWithCsrf | null
  readonly [appPaths.oidcLogin]: { readonly name: string | null }
  readonly [appPaths.account]: account.Account
  readonly [appPaths.views]: SavedViews
  /** Written by the database, not by the handler. */
  readonly [appPaths.read]: directory.SetPage
  readonly [appPaths.setNames]: { readonly sets: readonly directory.SetDescription[] }
  readonly [appPaths.revenueOverview]: revenue.RevenueOverview
  readonly [appPaths.revenueSums]: { readonly sums: readonly CellSum[] }
  readonly [appPaths.revenueFeed]: revenue.NamedFeedPage
  readonly [appPaths.revenueCell]: revenue.RevenueCellDetails
  readonly [appPaths.revenueTidying]: revenue.DataIssues<revenue.SentCode>
  readonly [appPaths.materialOverview]: approvals.ApprovalOverview
  readonly [appPaths.materialCount]: approvals.ApprovalTotals
  readonly [appPaths.materialLines]: { readonly rows: readonly MaterialRow[] }
  readonly [appPaths.materialIds]: approvals.SelectableLines
  readonly [appPaths.materialLine]: approvals.MaterialLineDetails
  readonly [appPaths.ownMaterial]: materialEntry.OwnMaterial
  readonly [appPaths.items]: { readonly items: readonly UsedItem[] }
  readonly [appPaths.exportOverview]: exports.ExportOverview
  readonly [appPaths.exportFailed]: FailedLineCount
  readonly [appPaths.exportLines]: { readonly rows: readonly ListedLine[] }
  readonly [appPaths.exportLine]: exports.ExportLineHistory
  readonly [appPaths.exportRetrieval]: exports.RetrievalPage
  readonly [appPaths.exportLatency]: exports.ExportLatency
  readonly [appPaths.directoryRecord]: directory.RecordFields
  readonly [appPaths.imports]: imports.ImportList
  readonly [appPaths.audit]: administration.AuditPage
  readonly [appPaths.auditFile]: administration.AuditPage
  readonly [appPaths.administration]: administration.Administration
  readonly [appPaths.rejectedCalls]: { readonly rows: readonly administration.RejectedCall[] }
  readonly [appPaths.webhooks]: administration.WebhookList
  readonly [appPaths.webhookDeliveries]: { readonly rows: readonly administration.Delivery[] }
  readonly [appPaths.system]: administration.SystemStatus
  readonly [appPaths.companies]: administration.CompanyList
}

/** The body and the reply of each POST. */
export interface PostCalls {
  readonly [appPaths.session]: Call<session.Credentials, null>
  readonly [appPaths.sessionCompany]: Call<Fields<'company'>, null>
  readonly [appPaths.passkeyAsk]: Call<Empty, session.PasskeyRequestOptions>
  readonly [appPaths.passkey]: Call<Fields, null>
  readonly [appPaths.oidcLogin]: Call<Fields<'to'> & Partial<Fields<'reauthenticate'>>, session.ProviderRedirect>
  readonly [appPaths.invitation]: Call<Fields<'token'>, session.OpenedInvitation>
  readonly [appPaths.invitationAccept]: Call<session.InvitationAnswer, Fields<'email' | 'company'>>
  readonly [appPaths.forgotten]: Call<Fields<'email'>, null>
  readonly [appPaths.newPassword]: Call<Fields<'token' | 'password'>, null>
  readonly [appPaths.accountPassword]: Call<Fields<'current' | 'password'>, Empty>
  readonly [appPaths.accountFactor]: Call<Empty, account.OfferedFactor>
  readonly [appPaths.accountFactorConfirm]: Call<Fields<'code'>, account.RecoveryCodes>
  readonly [appPaths.accountFactorCodes]: Call<Empty, account.RecoveryCodes>
  readonly [appPaths.accountFactorEnd]: Call<Empty, Empty>
  /** Without an id all sessions but the current one. */
  readonly [appPaths.accountSessionEnd]: Call<Partial<Id>, Empty>
  readonly [appPaths.accountDeviceEnd]: Call<Id, Empty>
  readonly [appPaths.accountIdentity]: Call<Empty, session.ProviderRedirect>
  readonly [appPaths.accountIdentityEnd]: Call<Empty, Empty>
  readonly [appPaths.accountPasskeyAsk]: Call<Empty, session.PasskeyCreationOptions>
  readonly [appPaths.accountPasskey]: Call<Fields, Empty>
  readonly [appPaths.accountPasskeyEnd]: Call<Id, Empty>
  readonly [appPaths.views]: Call<SavedView, SavedViews>
  readonly [appPaths.trialKey]: Call<Empty, { readonly key: string }>
  readonly [appPaths.revenueCells]: Call<readonly revenue.RevenueEdit[], { readonly stored: readonly object[] }>
  readonly [appPaths.revenueRemove]: Call<Id & Fields<'before'>, { readonly id: number }>
  readonly [appPaths.revenueMove]: Call<revenue.MoveCodeBody, { readonly moved: number }>
  readonly [appPaths.materialDecide]: Call<approvals.DecisionBody, approvals.DecisionResult>
  readonly [appPaths.materialEdit]: Call<approvals.LinesEdit, approvals.DecisionResult>
  readonly [appPaths.ownMaterial]: Call<materialEntry.NewLine, { readonly id: number }>
  readonly [appPaths.ownMaterialLine]: Call<materialEntry.NewLine, { readonly id: number }>
  readonly [appPaths.favouriteItem]: Call<Pick<UsedItem, 'itemName' | 'itemId'>, null>
  readonly [appPaths.exportAcknowledge]: Call<readonly exports.ExportedLine[], exports.AcknowledgeResult>
  readonly [appPaths.exportPreview]: Call<
    exports.LineActionPreviewBody,
    { readonly lines: readonly exports.LineActionPreview[] }
  >
  readonly [appPaths.exportUndo]: Call<exports.LineActionBody & exports.LineActionReason, exports.LineActionResult>
  readonly [appPaths.exportClose]: Call<exports.LineActionBody & exports.LineActionReason, exports.LineActionResult>
  readonly [appPaths.exportRetry]: Call<exports.LineActionBody & exports.LineActionReason, exports.LineActionResult>
  readonly [appPaths.exportSendBack]: Call<exports.LineActionBody & exports.LineActionReason, exports.LineActionResult>
  readonly [appPaths.exportBreak]: Call<Fields<'destination' | 'claim' | 'reason'>, { readonly state: string }>
  readonly [appPaths.directoryRecord]: Call<Fields, { readonly id: string | number }>
  readonly [appPaths.importUndo]: Call<Fields<'run'>, imports.ImportUndoReport>
  readonly [appPaths.importMapping]: Call<readonly imports.ColumnField[], null>
  readonly [appPaths.importMappingName]: Call<Fields<'name' | 'to'>, null>
  readonly [appPaths.settings]: Call<Fields, Empty>
  /** Without a key the rule for exports. */
  readonly [appPaths.alertRule]: Call<{ readonly key?: string; readonly hours: string }, Empty>
  readonly [appPaths.webhookAdd]: Call<Fields<'url' | 'events'>, administration.CreatedWebhookSecret>
  readonly [appPaths.webhookRotate]: Call<Id, administration.RotatedWebhookSecret>
  readonly [appPaths.webhookRemove]: Call<Id, Empty>
  readonly [appPaths.webhookEnable]: Call<Id, Empty>
  readonly [appPaths.webhookTest]: Call<Id, Empty>
  readonly [appPaths.webhookResend]: Call<Id, Empty>
  readonly [appPaths.backup]: Call<Empty, LastBackup>
  /** A password is generated for an empty one. */
  readonly [appPaths.companyAdd]: Call<
    Fields<'name' | 'email' | 'zone' | 'currency' | 'password'>,
    administration.CreatedCompany
  >
  readonly [appPaths.companyClose]: Call<Id & Fields<'name'>, Empty>
  readonly [appPaths.companyOpen]: Call<Id, Empty>
  readonly [appPaths.keyAdd]: Call<
    Fields<'name' | 'scopes' | 'days'> & Pick<administration.CreatedCredential, 'kind'>,
    administration.CreatedCredential
  >
  readonly [appPaths.keyRotate]: Call<Id, administration.CreatedCredential>
  readonly [appPaths.keyRevoke]: Call<Id, Empty>
  readonly [appPaths.personInvite]: Call<RoleBody & Fields<'email'>, administration.InvitedPerson>
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
  readonly [appPaths.importMapping]: Call<Fields<'name'>, { readonly columns: readonly imports.ColumnField[] }>
}

/** The JSON reply of each POST of a file. */
export interface UploadReplies {
  readonly [appPaths.exportReconcile]: exports.ReconcileReport
  readonly [appPaths.importColumns]: imports.FileColumns
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

/** Fields of these names, all texts; the handler alone knows those of a directory record or of the settings. */
type Fields<Name extends string = string> = Readonly<Record<Name, string>>

type Id = Fields<'id'>

export interface SavedViews {
  readonly views: readonly SavedView[]
}

/** Departments are separated by commas. */
type RoleBody = Fields<'role'> & Partial<Fields<'departments'>>
