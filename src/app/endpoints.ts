// All endpoints of the browser app: its route table, pages and assets.
import { accountRoutes } from './account/account-routes.ts'
import * as credentials from './administration/credentials.ts'
import { changeMembership, enableMember, disableMember } from './administration/people.ts'
import { invitationEndpoints, inviteUser, withdrawUserInvitation } from './administration/invitations.ts'
import { passwordResetEndpoints } from './session/password-reset.ts'
import { getAdministration, changeSettings, setAlertRule } from './administration/administration.ts'
import { searchAudit } from './administration/audit-log.ts'
import { readAssets } from './assets.ts'
import { listFailedCalls } from './administration/api-call-log.ts'
import { addCompany, closeCompany, listCompaniesWithCounts, reopenCompany } from './administration/companies.ts'
import { editLines } from './approvals/edit-lines.ts'
import { decide } from './approvals/decisions.ts'
import { breakClaimOfWorker, previewLineAction, handleLineAction } from './export/export-actions.ts'
import { getDirectoryFields, deleteDirectoryRecord, saveDirectoryRecord } from './directory/directory.ts'
import { deleteMapping, saveMapping, renameMapping } from './imports/import-mappings.ts'
import { getExportLatency } from './export/export-latency.ts'
import { listExportLines } from './export/export-lines.ts'
import { acknowledgeListedLines, reconcileList } from './export/export-reconcile.ts'
import { getRetrievalDetails, getLineDetails } from './export/export-details.ts'
import { getFailedLineCount, getExportOverview } from './export/export-overview.ts'
import { readFileColumns, listImports, getImportTemplate, undoImportRun } from './imports/imports.ts'
import { importRows } from './imports/run-import.ts'
import { deleteFavouriteItem, findItems, addFavouriteItem } from './material-entry/items.ts'
import * as approvalQueue from './approvals/approval-queue.ts'
import * as ownMaterial from './material-entry/own-material.ts'
import { live } from './live/live.ts'
import { passkeyEndpoints, passkeyRoutes } from './account/passkey-routes.ts'
import { notFoundPageReply, pageReply } from './page.ts'
import { readSet } from './directory/read-set.ts'
import { referenceReply, createTrialKey } from './api-reference.ts'
import { getRevenueCell, setRevenueCells } from './revenue/revenue-cells.ts'
import { getRevenueFeed } from './revenue/revenue-feed.ts'
import { getRevenueOverview, getRevenueSums } from './revenue/revenue-overview.ts'
import { deleteViewByName, saveViewByName, listViews } from './account/saved-views.ts'
import { getSetNames } from './directory/set-names.ts'
import { deleteRoute, getRoute, postRoute, toEndpoint, uploadRoute, type AppContext, type AppRoute } from './route.ts'
import { sessionRoutes, signInEndpoint } from './session/session-routes.ts'
import { makeBackup, createSupportBundle, getSystemStatus } from './administration/system.ts'
import { oidcEndpoints, oidcRoutes } from './session/oidc-routes.ts'
import * as webhooks from './administration/webhooks.ts'
import { appPaths } from './contract/endpoints.ts'
import { screens } from './contract/screens.ts'
import { moveRevenueCode, removeRevenueRecord, getDataQuality } from './revenue/data-quality.ts'
import type { Random } from '../auth/tokens/secret.ts'
import { ApiError, notFoundError } from '../errors/api-error.ts'
import { limits } from '../http/limits.ts'
import type { Endpoint, Reply, Request } from '../http/request.ts'
import { message } from '../errors/messages.ts'
import { isSetUp } from '../store/accounts/settings.ts'

const administrators = ['admin'] as const
const auditors = ['auditor', 'admin'] as const
const readers = ['viewer', 'approver', 'auditor', 'admin'] as const

const anybody = 'anybody'
const operator = 'operator'

/** The minimum scope for imports; each import also checks the scope of its set. */
const writers = 'revenue:write'

const ofAllDepartments = { requiresAllDepartments: true } as const

/** Actions with effects beyond the session require re-authentication. */
const reauthenticated = { requiresReauthentication: true } as const

/** Routes with a session; a test calls each with every role. */
export const appRoutes: readonly AppRoute[] = [
  ...sessionRoutes,
  ...accountRoutes,
  ...oidcRoutes,
  ...passkeyRoutes,
  { method: 'GET', path: appPaths.read, access: anybody, handle: readSet },
  { method: 'GET', path: appPaths.live, access: anybody, handle: live, isBackground: true },
  getRoute(appPaths.setNames, anybody, getSetNames),
  getRoute(appPaths.views, anybody, listViews),
  postRoute(appPaths.views, anybody, saveViewByName),
  deleteRoute(appPaths.views, anybody, deleteViewByName),
  postRoute(appPaths.trialKey, readers, createTrialKey),
  getRoute(appPaths.revenueOverview, 'revenue:read', getRevenueOverview),
  getRoute(appPaths.revenueSums, 'revenue:read', getRevenueSums),
  getRoute(appPaths.revenueFeed, 'revenue:read', getRevenueFeed),
  getRoute(appPaths.revenueCell, 'revenue:read', getRevenueCell),
  postRoute(appPaths.revenueCells, 'revenue:write', setRevenueCells),
  getRoute(appPaths.revenueTidying, 'revenue:read', getDataQuality),
  postRoute(appPaths.revenueRemove, 'revenue:write', removeRevenueRecord),
  postRoute(appPaths.revenueMove, 'revenue:write', moveRevenueCode),
  getRoute(appPaths.materialOverview, 'material:read', approvalQueue.getApprovalOverview),
  getRoute(appPaths.materialCount, 'material:read', approvalQueue.countApprovals),
  getRoute(appPaths.materialLines, 'material:read', approvalQueue.listApprovalLines),
  getRoute(appPaths.materialIds, 'material:read', approvalQueue.listSelectableLines),
  getRoute(appPaths.materialLine, 'material:read', approvalQueue.getApprovalLine),
  postRoute(appPaths.materialDecide, 'material:approve', decide),
  postRoute(appPaths.materialEdit, 'material:approve', editLines),
  getRoute(appPaths.ownMaterial, 'material:write', ownMaterial.getOwnMaterial),
  postRoute(appPaths.ownMaterial, 'material:write', ownMaterial.registerOwnMaterial),
  postRoute(appPaths.ownMaterialLine, 'material:write', ownMaterial.updateOwnMaterial),
  deleteRoute(appPaths.ownMaterialLine, 'material:write', ownMaterial.deleteOwnMaterial),
  getRoute(appPaths.items, 'material:write', findItems),
  postRoute(appPaths.favouriteItem, 'material:write', addFavouriteItem),
  deleteRoute(appPaths.favouriteItem, 'material:write', deleteFavouriteItem),
  getRoute(appPaths.exportOverview, 'material:read', getExportOverview),
  getRoute(appPaths.exportFailed, 'material:read', getFailedLineCount),
  getRoute(appPaths.exportLines, 'material:read', listExportLines),
  getRoute(appPaths.exportLine, 'material:read', getLineDetails),
  getRoute(appPaths.exportRetrieval, 'material:read', getRetrievalDetails, ofAllDepartments),
  getRoute(appPaths.exportLatency, 'material:read', getExportLatency),
  uploadRoute(appPaths.exportReconcile, 'material:read', reconcileList, ofAllDepartments),
  postRoute(appPaths.exportAcknowledge, 'export:undo', acknowledgeListedLines),
  postRoute(appPaths.exportPreview, 'export:undo', previewLineAction),
  postRoute(appPaths.exportUndo, 'export:undo', (call) => handleLineAction(call, 'undone'), reauthenticated),
  postRoute(appPaths.exportClose, 'export:undo', (call) => handleLineAction(call, 'closed')),
  postRoute(appPaths.exportRetry, 'export:undo', (call) => handleLineAction(call, 'retried')),
  postRoute(appPaths.exportSendBack, 'export:undo', (call) => handleLineAction(call, 'sent_back')),
  postRoute(appPaths.exportBreak, 'export:undo', breakClaimOfWorker),
  getRoute(appPaths.directoryRecord, 'directory:read', getDirectoryFields),
  postRoute(appPaths.directoryRecord, 'directory:write', saveDirectoryRecord),
  deleteRoute(appPaths.directoryRecord, 'directory:write', deleteDirectoryRecord),
  getRoute(appPaths.imports, writers, listImports),
  postRoute(appPaths.importUndo, writers, undoImportRun),
  { method: 'GET', path: appPaths.importTemplate, access: writers, handle: getImportTemplate },
  uploadRoute(appPaths.importColumns, writers, readFileColumns),
  postRoute(appPaths.importMapping, writers, saveMapping),
  deleteRoute(appPaths.importMapping, writers, deleteMapping),
  postRoute(appPaths.importMappingName, writers, renameMapping),
  { method: 'POST', path: appPaths.importRows, access: writers, handle: importRows, acceptsFile: true },
  getRoute(appPaths.audit, auditors, (call) => searchAudit(call, 100)),
  // A download (ADR 0039).
  getRoute(appPaths.auditFile, auditors, (call) => searchAudit(call, 10_000), reauthenticated),
  getRoute(appPaths.administration, administrators, getAdministration),
  postRoute(appPaths.settings, administrators, changeSettings),
  getRoute(appPaths.rejectedCalls, administrators, listFailedCalls),
  postRoute(appPaths.alertRule, administrators, setAlertRule),
  getRoute(appPaths.webhooks, administrators, webhooks.listWebhooksWithDeliveries),
  getRoute(appPaths.webhookDeliveries, administrators, webhooks.listWebhookDeliveries),
  postRoute(appPaths.webhookAdd, administrators, webhooks.addWebhookSubscription, reauthenticated),
  postRoute(appPaths.webhookRotate, administrators, webhooks.rotateWebhookSubscription, reauthenticated),
  postRoute(appPaths.webhookRemove, administrators, webhooks.deleteWebhookSubscription, reauthenticated),
  postRoute(appPaths.webhookEnable, administrators, webhooks.enableWebhookSubscription),
  postRoute(appPaths.webhookTest, administrators, webhooks.testWebhookSubscription),
  postRoute(appPaths.webhookResend, administrators, webhooks.resendDelivery),
  getRoute(appPaths.system, operator, getSystemStatus),
  { method: 'GET', path: appPaths.supportBundle, access: operator, handle: createSupportBundle },
  postRoute(appPaths.backup, operator, makeBackup, reauthenticated),
  getRoute(appPaths.companies, operator, listCompaniesWithCounts),
  postRoute(appPaths.companyAdd, operator, addCompany, reauthenticated),
  postRoute(appPaths.companyClose, operator, closeCompany, reauthenticated),
  postRoute(appPaths.companyOpen, operator, reopenCompany, reauthenticated),
  postRoute(appPaths.keyAdd, administrators, credentials.addIntegrationCredential, reauthenticated),
  postRoute(appPaths.keyRotate, administrators, credentials.rotateIntegrationCredential, reauthenticated),
  postRoute(appPaths.keyRevoke, administrators, credentials.revokeIntegrationCredential, reauthenticated),
  postRoute(appPaths.personInvite, administrators, inviteUser, reauthenticated),
  postRoute(appPaths.invitationWithdraw, administrators, withdrawUserInvitation, reauthenticated),
  postRoute(appPaths.personChange, administrators, changeMembership, reauthenticated),
  postRoute(appPaths.personDisable, administrators, disableMember, reauthenticated),
  postRoute(appPaths.personEnable, administrators, enableMember, reauthenticated),
]

/** `folder` has the built app, if it was built. */
export function appEndpoints(state: AppContext, random: Random, folder: string): Endpoint[] {
  const assets = readAssets(folder)
  const open = (path: string, handle: (request: Request) => Reply | Promise<Reply>): Endpoint => ({
    method: 'GET',
    path,
    bodyBytesMax: limits.bodyBytesMax,
    handle: async (request) => handle(request),
  })
  // The router maps `*`, the target of a server-wide OPTIONS request, to the root.
  const page = ({ path }: Request) => {
    if (path === '*') throw notFoundError(message('thisUrl'))
    return pageReply(assets, random)
  }
  const beforeSetup = (endpoint: Endpoint): Endpoint => ({ ...endpoint, isServedBeforeSetup: true })
  const setUpPage = async (request: Request) => {
    state.authenticator.requireTls(request)
    if (await isSetUp(state.store)) throw new ApiError('SetupAlreadyDone')
    return pageReply(assets, random)
  }
  return [
    beforeSetup(open(appPaths.setUp, setUpPage)),
    open('/', page),
    open('/app', page),
    ...screens.map((screen) => open(`/app/${screen}`, page)),
    {
      ...open(appPaths.noScreen, (request) => notFoundPageReply(assets, random, request.header('accept'))),
      isFallback: true,
    },
    beforeSetup(open(appPaths.assets, assets.getFile)),
    open(appPaths.reference, () => referenceReply(assets)),
    beforeSetup(open(appPaths.manifest, assets.manifest)),
    open(appPaths.serviceWorker, assets.serviceWorker),
    signInEndpoint(state),
    ...oidcEndpoints(state),
    ...passkeyEndpoints(state),
    ...invitationEndpoints(state),
    ...passwordResetEndpoints(state),
    ...appRoutes.map((route) => toEndpoint(route, state)),
  ]
}
