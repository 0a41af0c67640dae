// All endpoints of the browser app: its route table, pages and assets.
import { accountRoutes } from './account/account-routes.ts'
import { addKey, revokeOne, rotateOne } from './administration/keys.ts'
import { changeOne, letOneIn, shutOneOut } from './administration/people.ts'
import { invitationEndpoints, inviteOne, withdrawOne } from './administration/invitations.ts'
import { recoveryEndpoints } from './session/password-reset.ts'
import { administration, changeSettings } from './administration/administration.ts'
import { auditFile, auditLog } from './operations/audit-log.ts'
import { readAssets } from './assets.ts'
import { refusedCalls } from './operations/api-call-log.ts'
import {
  addOneCompany,
  closeOneCompany,
  companyList,
  openOneCompany,
} from './administration/companies.ts'
import { decide } from './approvals/decisions.ts'
import {
  breakLease,
  closeLines,
  previewReturns,
  retryLines,
  sendBackLines,
  undoLines,
} from './export/export-actions.ts'
import {
  directoryFields,
  removeDirectoryRecord,
  saveDirectoryRecord,
} from './directory/directory.ts'
import { dropMapping, keepMapping, renameMapping } from './imports/import-mappings.ts'
import { exportLag } from './export/export-latency.ts'
import { exportLines } from './export/export-lines.ts'
import { markLines, reconcileList } from './export/export-reconcile.ts'
import { exportHandOut, exportLine } from './export/export-details.ts'
import { exportFailed, exportOverview } from './export/export-overview.ts'
import {
  importColumns,
  importList,
  importRows,
  importTemplate,
  undoOneImport,
} from './imports/imports.ts'
import { dropFavouriteItem, findItems, starItem } from './material-entry/items.ts'
import {
  queueCount,
  queueIdList,
  queueLine,
  queueLines,
  queueOverview,
} from './approvals/approval-queue.ts'
import { changeOwn, ownMaterial, registerOwn, removeOwn } from './material-entry/own-material.ts'
import { live } from './live/live.ts'
import { setWatch } from './administration/alert-rules.ts'
import { passkeyEndpoints, passkeyRoutes } from './account/passkey-routes.ts'
import { noPageReply, pageReply } from './page.ts'
import { readSet } from './directory/read-set.ts'
import { referenceReply, trialKey } from './operations/api-reference.ts'
import { revenueCell, setRevenueCells } from './revenue/revenue-cells.ts'
import { revenueFeed } from './revenue/revenue-feed.ts'
import { revenueOverview, revenueSums } from './revenue/revenue-overview.ts'
import { dropView, keepView, listViews } from './account/saved-views.ts'
import { setNames } from './directory/set-names.ts'
import { endpointOf, type Access, type AppRoute, type AppState } from './route.ts'
import { sessionRoutes, signInEndpoint } from './session/session-routes.ts'
import { makeBackup, supportBundle, systemStatus } from './operations/system.ts'
import { signOnEndpoints, signOnRoutes } from './session/oidc-routes.ts'
import {
  addOneWebhook,
  removeOneWebhook,
  resendOne,
  rotateOneWebhook,
  testOneWebhook,
  webhookDeliveries,
  webhookList,
  enableOneWebhook,
} from './administration/webhooks.ts'
import { screens, words } from './paths.ts'
import { moveRevenueCode, removeRevenueRecord, revenueTidying } from './revenue/data-quality.ts'
import type { Random } from '../auth/tokens/secret.ts'
import { Fault } from '../errors/catalog.ts'
import { limits } from '../http/limits.ts'
import type { Endpoint, Reply, Request } from '../http/request.ts'
import { phrase } from '../errors/messages.ts'

const administrators = ['admin'] as const
const auditors = ['auditor', 'admin'] as const
const readers = ['viewer', 'approver', 'auditor', 'admin'] as const

const anybody = 'anybody'
const operator = 'operator'

/** The minimum scope for imports; each import also checks the scope of its set. */
const writers = 'revenue:write'

type Row = (path: string, access: Access, answer: AppRoute['answer']) => AppRoute

const get: Row = (path, access, answer) => ({ method: 'GET', path, access, answer })
const post: Row = (path, access, answer) => ({ method: 'POST', path, access, answer })
const drop: Row = (path, access, answer) => ({ method: 'DELETE', path, access, answer })
const upload: Row = (...row) => ({ ...post(...row), takesFile: true })

/** Actions with effects beyond the session require re-authentication. */
const grave: Row = (...row) => ({ ...post(...row), isGrave: true })

/** Routes with a session; a test calls each with every role. */
export const appRoutes: readonly AppRoute[] = [
  ...sessionRoutes,
  ...accountRoutes,
  ...signOnRoutes,
  ...passkeyRoutes,
  get(words.read, anybody, readSet),
  { ...get(words.live, anybody, live), isUnattended: true },
  get(words.setNames, anybody, setNames),
  get(words.views, anybody, listViews),
  post(words.views, anybody, keepView),
  drop(words.views, anybody, dropView),
  post(words.trialKey, readers, trialKey),
  get(words.revenueOverview, 'revenue:read', revenueOverview),
  get(words.revenueSums, 'revenue:read', revenueSums),
  get(words.revenueFeed, 'revenue:read', revenueFeed),
  get(words.revenueCell, 'revenue:read', revenueCell),
  post(words.revenueCells, 'revenue:write', setRevenueCells),
  get(words.revenueTidying, 'revenue:read', revenueTidying),
  post(words.revenueRemove, 'revenue:write', removeRevenueRecord),
  post(words.revenueMove, 'revenue:write', moveRevenueCode),
  get(words.materialOverview, 'material:read', queueOverview),
  get(words.materialCount, 'material:read', queueCount),
  get(words.materialLines, 'material:read', queueLines),
  get(words.materialIds, 'material:read', queueIdList),
  get(words.materialLine, 'material:read', queueLine),
  post(words.materialDecide, 'material:approve', decide),
  get(words.ownMaterial, 'material:write', ownMaterial),
  post(words.ownMaterial, 'material:write', registerOwn),
  post(words.ownMaterialLine, 'material:write', changeOwn),
  drop(words.ownMaterialLine, 'material:write', removeOwn),
  get(words.items, 'material:write', findItems),
  post(words.favouriteItem, 'material:write', starItem),
  drop(words.favouriteItem, 'material:write', dropFavouriteItem),
  get(words.exportOverview, 'material:read', exportOverview),
  get(words.exportFailed, 'material:read', exportFailed),
  get(words.exportLines, 'material:read', exportLines),
  get(words.exportLine, 'material:read', exportLine),
  get(words.exportHandOut, 'material:read', exportHandOut),
  get(words.exportLag, 'material:read', exportLag),
  upload(words.exportReconcile, 'material:read', reconcileList),
  post(words.exportMark, 'export:undo', markLines),
  post(words.exportPreview, 'export:undo', previewReturns),
  grave(words.exportUndo, 'export:undo', undoLines),
  post(words.exportClose, 'export:undo', closeLines),
  post(words.exportRetry, 'export:undo', retryLines),
  post(words.exportSendBack, 'export:undo', sendBackLines),
  post(words.exportBreak, 'export:undo', breakLease),
  get(words.directoryRecord, 'directory:read', directoryFields),
  post(words.directoryRecord, 'directory:write', saveDirectoryRecord),
  drop(words.directoryRecord, 'directory:write', removeDirectoryRecord),
  get(words.imports, writers, importList),
  post(words.importUndo, writers, undoOneImport),
  get(words.importTemplate, writers, importTemplate),
  upload(words.importColumns, writers, importColumns),
  post(words.importMapping, writers, keepMapping),
  drop(words.importMapping, writers, dropMapping),
  post(words.importMappingName, writers, renameMapping),
  upload(words.importRows, writers, importRows),
  get(words.audit, auditors, auditLog),
  { ...get(words.auditFile, auditors, auditFile), isGrave: true },
  get(words.administration, administrators, administration),
  post(words.settings, administrators, changeSettings),
  get(words.refusedCalls, administrators, refusedCalls),
  post(words.watch, administrators, setWatch),
  get(words.webhooks, administrators, webhookList),
  get(words.webhookDeliveries, administrators, webhookDeliveries),
  grave(words.webhookAdd, administrators, addOneWebhook),
  grave(words.webhookRotate, administrators, rotateOneWebhook),
  grave(words.webhookRemove, administrators, removeOneWebhook),
  post(words.webhookEnable, administrators, enableOneWebhook),
  post(words.webhookTest, administrators, testOneWebhook),
  post(words.webhookResend, administrators, resendOne),
  get(words.system, operator, systemStatus),
  get(words.supportBundle, operator, supportBundle),
  grave(words.backup, operator, makeBackup),
  get(words.companies, operator, companyList),
  grave(words.companyAdd, operator, addOneCompany),
  grave(words.companyClose, operator, closeOneCompany),
  grave(words.companyOpen, operator, openOneCompany),
  grave(words.keyAdd, administrators, addKey),
  grave(words.keyRotate, administrators, rotateOne),
  grave(words.keyRevoke, administrators, revokeOne),
  grave(words.personInvite, administrators, inviteOne),
  grave(words.invitationWithdraw, administrators, withdrawOne),
  grave(words.personChange, administrators, changeOne),
  grave(words.personDisable, administrators, shutOneOut),
  grave(words.personEnable, administrators, letOneIn),
]

/** `folder` has the built app, if it was built. */
export function appEndpoints(state: AppState, random: Random, folder: string): Endpoint[] {
  const assets = readAssets(folder)
  const open = (path: string, answer: (request: Request) => Reply): Endpoint => ({
    method: 'GET',
    path,
    bodyBytesMax: limits.bodyBytesMax,
    handle: async (request) => answer(request),
  })
  // The router maps `*`, the target of a server-wide OPTIONS request, to the root.
  const page = ({ path }: Request) => {
    if (path === '*') throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
    return pageReply(assets, random)
  }
  return [
    open('/', page),
    open('/app', page),
    ...screens.map((screen) => open(`/app/${screen}`, page)),
    open(words.noScreen, (request) => noPageReply(assets, random, request.header('accept'))),
    open(words.assets, (request) => assets.answer(request)),
    open(words.reference, () => referenceReply(assets)),
    open(words.manifest, assets.manifest),
    open(words.serviceWorker, assets.serviceWorker),
    signInEndpoint(state),
    ...signOnEndpoints(state),
    ...passkeyEndpoints(state),
    ...invitationEndpoints(state),
    ...recoveryEndpoints(state),
    ...appRoutes.map((route) => endpointOf(route, state)),
  ]
}
