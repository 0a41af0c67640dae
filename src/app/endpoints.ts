// All endpoints of the browser app: its route table, pages and assets.
import { accountRoutes } from './account/account-routes.ts'
import { addApiKey, revokeApiKey, rotateApiKey } from './administration/keys.ts'
import { changeMembership, enableMember, disableMember } from './administration/people.ts'
import {
  invitationEndpoints,
  inviteUser,
  withdrawUserInvitation,
} from './administration/invitations.ts'
import { passwordResetEndpoints } from './session/password-reset.ts'
import { getAdministration, changeSettings } from './administration/administration.ts'
import { auditFile, auditLog } from './operations/audit-log.ts'
import { readAssets } from './assets.ts'
import { listFailedCalls } from './operations/api-call-log.ts'
import {
  addCompany,
  closeCompany,
  listCompaniesWithCounts,
  reopenCompany,
} from './administration/companies.ts'
import { decide } from './approvals/decisions.ts'
import { applyReturnAction, breakClaimOfWorker, previewReturns } from './export/export-actions.ts'
import {
  directoryFields,
  deleteDirectoryRecord,
  saveDirectoryRecord,
} from './directory/directory.ts'
import { deleteMapping, saveMapping, renameMapping } from './imports/import-mappings.ts'
import { getExportLatency } from './export/export-latency.ts'
import { exportLines } from './export/export-lines.ts'
import { acknowledgeListedLines, reconcileList } from './export/export-reconcile.ts'
import { getRetrievalDetails, getLineDetails } from './export/export-details.ts'
import { exportFailed, exportOverview } from './export/export-overview.ts'
import {
  importColumns,
  importList,
  importRows,
  importTemplate,
  undoImportRun,
} from './imports/imports.ts'
import { deleteFavouriteItem, findItems, addFavouriteItem } from './material-entry/items.ts'
import {
  queueCount,
  queueIdList,
  queueLine,
  queueLines,
  queueOverview,
} from './approvals/approval-queue.ts'
import {
  updateOwnMaterial,
  getOwnMaterial,
  registerOwnMaterial,
  deleteOwnMaterial,
} from './material-entry/own-material.ts'
import { live } from './live/live.ts'
import { setAlertRule } from './administration/alert-rules.ts'
import { passkeyEndpoints, passkeyRoutes } from './account/passkey-routes.ts'
import { notFoundPageReply, pageReply } from './page.ts'
import { readSet } from './directory/read-set.ts'
import { referenceReply, trialKey } from './operations/api-reference.ts'
import { revenueCell, setRevenueCells } from './revenue/revenue-cells.ts'
import { revenueFeed } from './revenue/revenue-feed.ts'
import { revenueOverview, revenueSums } from './revenue/revenue-overview.ts'
import { deleteViewByName, saveViewByName, listViews } from './account/saved-views.ts'
import { setNames } from './directory/set-names.ts'
import { toEndpoint, type Access, type AppRoute, type AppContext } from './route.ts'
import { sessionRoutes, signInEndpoint } from './session/session-routes.ts'
import { makeBackup, supportBundle, systemStatus } from './operations/system.ts'
import { signOnEndpoints, signOnRoutes } from './session/oidc-routes.ts'
import {
  addWebhookSubscription,
  deleteWebhookSubscription,
  resendDelivery,
  rotateWebhookSubscription,
  testWebhookSubscription,
  webhookDeliveries,
  listWebhooksWithDeliveries,
  enableWebhookSubscription,
} from './administration/webhooks.ts'
import { screens, appPaths } from './paths.ts'
import { moveRevenueCode, removeRevenueRecord, getDataQuality } from './revenue/data-quality.ts'
import type { Random } from '../auth/tokens/secret.ts'
import { ApiError } from '../errors/api-error.ts'
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

type RouteFactory = (path: string, access: Access, answer: AppRoute['handle']) => AppRoute

const get: RouteFactory = (path, access, answer) => ({
  method: 'GET',
  path,
  access,
  handle: answer,
})
const post: RouteFactory = (path, access, answer) => ({
  method: 'POST',
  path,
  access,
  handle: answer,
})
const drop: RouteFactory = (path, access, answer) => ({
  method: 'DELETE',
  path,
  access,
  handle: answer,
})
const upload: RouteFactory = (...row) => ({ ...post(...row), acceptsFile: true })

/** Actions with effects beyond the session require re-authentication. */
const postWithReauthentication: RouteFactory = (...row) => ({
  ...post(...row),
  requiresReauthentication: true,
})

/** Routes with a session; a test calls each with every role. */
export const appRoutes: readonly AppRoute[] = [
  ...sessionRoutes,
  ...accountRoutes,
  ...signOnRoutes,
  ...passkeyRoutes,
  get(appPaths.read, anybody, readSet),
  { ...get(appPaths.live, anybody, live), isBackground: true },
  get(appPaths.setNames, anybody, setNames),
  get(appPaths.views, anybody, listViews),
  post(appPaths.views, anybody, saveViewByName),
  drop(appPaths.views, anybody, deleteViewByName),
  post(appPaths.trialKey, readers, trialKey),
  get(appPaths.revenueOverview, 'revenue:read', revenueOverview),
  get(appPaths.revenueSums, 'revenue:read', revenueSums),
  get(appPaths.revenueFeed, 'revenue:read', revenueFeed),
  get(appPaths.revenueCell, 'revenue:read', revenueCell),
  post(appPaths.revenueCells, 'revenue:write', setRevenueCells),
  get(appPaths.revenueTidying, 'revenue:read', getDataQuality),
  post(appPaths.revenueRemove, 'revenue:write', removeRevenueRecord),
  post(appPaths.revenueMove, 'revenue:write', moveRevenueCode),
  get(appPaths.materialOverview, 'material:read', queueOverview),
  get(appPaths.materialCount, 'material:read', queueCount),
  get(appPaths.materialLines, 'material:read', queueLines),
  get(appPaths.materialIds, 'material:read', queueIdList),
  get(appPaths.materialLine, 'material:read', queueLine),
  post(appPaths.materialDecide, 'material:approve', decide),
  get(appPaths.ownMaterial, 'material:write', getOwnMaterial),
  post(appPaths.ownMaterial, 'material:write', registerOwnMaterial),
  post(appPaths.ownMaterialLine, 'material:write', updateOwnMaterial),
  drop(appPaths.ownMaterialLine, 'material:write', deleteOwnMaterial),
  get(appPaths.items, 'material:write', findItems),
  post(appPaths.favouriteItem, 'material:write', addFavouriteItem),
  drop(appPaths.favouriteItem, 'material:write', deleteFavouriteItem),
  get(appPaths.exportOverview, 'material:read', exportOverview),
  get(appPaths.exportFailed, 'material:read', exportFailed),
  get(appPaths.exportLines, 'material:read', exportLines),
  get(appPaths.exportLine, 'material:read', getLineDetails),
  get(appPaths.exportHandOut, 'material:read', getRetrievalDetails),
  get(appPaths.exportLag, 'material:read', getExportLatency),
  upload(appPaths.exportReconcile, 'material:read', reconcileList),
  post(appPaths.exportMark, 'export:undo', acknowledgeListedLines),
  post(appPaths.exportPreview, 'export:undo', previewReturns),
  postWithReauthentication(appPaths.exportUndo, 'export:undo', (call) =>
    applyReturnAction(call, 'undone'),
  ),
  post(appPaths.exportClose, 'export:undo', (call) => applyReturnAction(call, 'closed')),
  post(appPaths.exportRetry, 'export:undo', (call) => applyReturnAction(call, 'retried')),
  post(appPaths.exportSendBack, 'export:undo', (call) => applyReturnAction(call, 'sent_back')),
  post(appPaths.exportBreak, 'export:undo', breakClaimOfWorker),
  get(appPaths.directoryRecord, 'directory:read', directoryFields),
  post(appPaths.directoryRecord, 'directory:write', saveDirectoryRecord),
  drop(appPaths.directoryRecord, 'directory:write', deleteDirectoryRecord),
  get(appPaths.imports, writers, importList),
  post(appPaths.importUndo, writers, undoImportRun),
  get(appPaths.importTemplate, writers, importTemplate),
  upload(appPaths.importColumns, writers, importColumns),
  post(appPaths.importMapping, writers, saveMapping),
  drop(appPaths.importMapping, writers, deleteMapping),
  post(appPaths.importMappingName, writers, renameMapping),
  upload(appPaths.importRows, writers, importRows),
  get(appPaths.audit, auditors, auditLog),
  { ...get(appPaths.auditFile, auditors, auditFile), requiresReauthentication: true },
  get(appPaths.administration, administrators, getAdministration),
  post(appPaths.settings, administrators, changeSettings),
  get(appPaths.refusedCalls, administrators, listFailedCalls),
  post(appPaths.watch, administrators, setAlertRule),
  get(appPaths.webhooks, administrators, listWebhooksWithDeliveries),
  get(appPaths.webhookDeliveries, administrators, webhookDeliveries),
  postWithReauthentication(appPaths.webhookAdd, administrators, addWebhookSubscription),
  postWithReauthentication(appPaths.webhookRotate, administrators, rotateWebhookSubscription),
  postWithReauthentication(appPaths.webhookRemove, administrators, deleteWebhookSubscription),
  post(appPaths.webhookEnable, administrators, enableWebhookSubscription),
  post(appPaths.webhookTest, administrators, testWebhookSubscription),
  post(appPaths.webhookResend, administrators, resendDelivery),
  get(appPaths.system, operator, systemStatus),
  get(appPaths.supportBundle, operator, supportBundle),
  postWithReauthentication(appPaths.backup, operator, makeBackup),
  get(appPaths.companies, operator, listCompaniesWithCounts),
  postWithReauthentication(appPaths.companyAdd, operator, addCompany),
  postWithReauthentication(appPaths.companyClose, operator, closeCompany),
  postWithReauthentication(appPaths.companyOpen, operator, reopenCompany),
  postWithReauthentication(appPaths.keyAdd, administrators, addApiKey),
  postWithReauthentication(appPaths.keyRotate, administrators, rotateApiKey),
  postWithReauthentication(appPaths.keyRevoke, administrators, revokeApiKey),
  postWithReauthentication(appPaths.personInvite, administrators, inviteUser),
  postWithReauthentication(appPaths.invitationWithdraw, administrators, withdrawUserInvitation),
  postWithReauthentication(appPaths.personChange, administrators, changeMembership),
  postWithReauthentication(appPaths.personDisable, administrators, disableMember),
  postWithReauthentication(appPaths.personEnable, administrators, enableMember),
]

/** `folder` has the built app, if it was built. */
export function appEndpoints(state: AppContext, random: Random, folder: string): Endpoint[] {
  const assets = readAssets(folder)
  const open = (path: string, answer: (request: Request) => Reply): Endpoint => ({
    method: 'GET',
    path,
    bodyBytesMax: limits.bodyBytesMax,
    handle: async (request) => answer(request),
  })
  // The router maps `*`, the target of a server-wide OPTIONS request, to the root.
  const page = ({ path }: Request) => {
    if (path === '*') throw new ApiError('NotFound', { params: { what: message('thisUrl') } })
    return pageReply(assets, random)
  }
  const beforeSetup = (endpoint: Endpoint): Endpoint => ({ ...endpoint, isServedBeforeSetup: true })
  const setUpPage = async (request: Request) => {
    state.gate.requireTls(request)
    if (await isSetUp(state.store)) throw new ApiError('SetupAlreadyDone')
    return pageReply(assets, random)
  }
  return [
    { ...beforeSetup(open(appPaths.setUp, page)), handle: setUpPage },
    open('/', page),
    open('/app', page),
    ...screens.map((screen) => open(`/app/${screen}`, page)),
    open(appPaths.noScreen, (request) =>
      notFoundPageReply(assets, random, request.header('accept')),
    ),
    beforeSetup(open(appPaths.assets, (request) => assets.answer(request))),
    open(appPaths.reference, () => referenceReply(assets)),
    beforeSetup(open(appPaths.manifest, assets.manifest)),
    open(appPaths.serviceWorker, assets.serviceWorker),
    signInEndpoint(state),
    ...signOnEndpoints(state),
    ...passkeyEndpoints(state),
    ...invitationEndpoints(state),
    ...passwordResetEndpoints(state),
    ...appRoutes.map((route) => toEndpoint(route, state)),
  ]
}
