// Everything that the browser app may ask, as endpoints of the server.
import { join } from 'node:path'
import { accountRoutes } from '#app/account-routes.ts'
import { addKey, revokeOne, rotateOne } from '#app/administer-keys.ts'
import { changeOne, letOneIn, shutOneOut } from '#app/administer-people.ts'
import { invitationEndpoints, inviteOne, withdrawOne } from '#app/invitations.ts'
import { recoveryEndpoints } from '#app/recovery.ts'
import { administration, changeSettings } from '#app/administration.ts'
import { auditFile, auditLog } from '#app/audit-log.ts'
import { readAssets } from '#app/assets.ts'
import { refusedCalls } from '#app/calls.ts'
import { decide } from '#app/decisions.ts'
import {
  breakLease,
  closeLines,
  previewReturns,
  retryLines,
  sendBackLines,
  undoLines,
} from '#app/export-acts.ts'
import { directoryFields, removeDirectoryRecord, saveDirectoryRecord } from '#app/directory.ts'
import { exportLines } from '#app/export-lines.ts'
import { markLines, reconcileList } from '#app/export-reconciling.ts'
import { exportHandOut, exportLine } from '#app/export-stories.ts'
import { exportFailed, exportOverview } from '#app/export-overview.ts'
import {
  importColumns,
  importList,
  importRows,
  importTemplate,
  undoOneImport,
} from '#app/imports.ts'
import {
  queueCount,
  queueIdList,
  queueLine,
  queueLines,
  queueOverview,
} from '#app/material-queue.ts'
import { changeOwn, ownMaterial, registerOwn, removeOwn } from '#app/own-material.ts'
import { live } from '#app/live.ts'
import { setWatch } from '#app/watches.ts'
import { passkeyEndpoints, passkeyRoutes } from '#app/passkey-routes.ts'
import { pageReply } from '#app/page.ts'
import { readSet } from '#app/read-set.ts'
import { referenceReply, trialKey } from '#app/reference.ts'
import { revenueCell, setRevenueCells } from '#app/revenue-cells.ts'
import { revenueOverview, revenueSums } from '#app/revenue-overview.ts'
import { dropView, keepView, listViews } from '#app/saved-views.ts'
import { setNames } from '#app/set-names.ts'
import { endpointOf, type AppRoute, type AppState } from '#app/route.ts'
import { sessionRoutes, signInEndpoint } from '#app/session-routes.ts'
import { makeBackup, supportBundle, systemStatus } from '#app/system.ts'
import { signOnEndpoints, signOnRoutes } from '#app/sign-on-routes.ts'
import {
  addOneWebhook,
  removeOneWebhook,
  resendOne,
  rotateOneWebhook,
  testOneWebhook,
  webhookDeliveries,
  webhookList,
  enableOneWebhook,
} from '#app/webhooks.ts'
import { screens, words } from '#app/words.ts'
import { moveRevenueCode, removeRevenueRecord, revenueTidying } from '#app/tidying.ts'
import type { Random } from '#auth/secret.ts'
import { Fault } from '#faults.ts'
import { limits } from '#http/limits.ts'
import type { Endpoint, Reply, Request } from '#http/request.ts'
import { phrase } from '#phrases.ts'

const administrators = ['admin'] as const
const readers = ['viewer', 'approver', 'auditor', 'admin'] as const

/** Whoever may write something that is imported; which of it is asked of each file. */
const writers = 'revenue:write'

/** What outlasts the session of the one who does it. */
const grave = (path: string, answer: AppRoute['answer']): AppRoute => ({
  method: 'POST',
  path,
  access: administrators,
  isGrave: true,
  answer,
})

/** With a session; the tests walk it with every role. */
export const appRoutes: readonly AppRoute[] = [
  ...sessionRoutes,
  ...accountRoutes,
  ...signOnRoutes,
  ...passkeyRoutes,
  { method: 'GET', path: words.read, access: 'anybody', answer: readSet },
  { method: 'GET', path: words.live, access: 'anybody', isUnattended: true, answer: live },
  { method: 'GET', path: words.setNames, access: 'anybody', answer: setNames },
  { method: 'GET', path: words.views, access: 'anybody', answer: listViews },
  { method: 'POST', path: words.views, access: 'anybody', answer: keepView },
  { method: 'DELETE', path: words.views, access: 'anybody', answer: dropView },
  { method: 'POST', path: words.trialKey, access: readers, answer: trialKey },
  { method: 'GET', path: words.revenueOverview, access: 'revenue:read', answer: revenueOverview },
  { method: 'GET', path: words.revenueSums, access: 'revenue:read', answer: revenueSums },
  { method: 'GET', path: words.revenueCell, access: 'revenue:read', answer: revenueCell },
  { method: 'POST', path: words.revenueCells, access: 'revenue:write', answer: setRevenueCells },
  { method: 'GET', path: words.revenueTidying, access: 'revenue:read', answer: revenueTidying },
  {
    method: 'POST',
    path: words.revenueRemove,
    access: 'revenue:write',
    answer: removeRevenueRecord,
  },
  { method: 'POST', path: words.revenueMove, access: 'revenue:write', answer: moveRevenueCode },
  { method: 'GET', path: words.materialOverview, access: 'material:read', answer: queueOverview },
  { method: 'GET', path: words.materialCount, access: 'material:read', answer: queueCount },
  { method: 'GET', path: words.materialLines, access: 'material:read', answer: queueLines },
  { method: 'GET', path: words.materialIds, access: 'material:read', answer: queueIdList },
  { method: 'GET', path: words.materialLine, access: 'material:read', answer: queueLine },
  { method: 'POST', path: words.materialDecide, access: 'material:approve', answer: decide },
  { method: 'GET', path: words.ownMaterial, access: 'material:write', answer: ownMaterial },
  { method: 'POST', path: words.ownMaterial, access: 'material:write', answer: registerOwn },
  { method: 'POST', path: words.ownMaterialLine, access: 'material:write', answer: changeOwn },
  { method: 'DELETE', path: words.ownMaterialLine, access: 'material:write', answer: removeOwn },
  { method: 'GET', path: words.exportOverview, access: 'material:read', answer: exportOverview },
  { method: 'GET', path: words.exportFailed, access: 'material:read', answer: exportFailed },
  { method: 'GET', path: words.exportLines, access: 'material:read', answer: exportLines },
  { method: 'GET', path: words.exportLine, access: 'material:read', answer: exportLine },
  { method: 'GET', path: words.exportHandOut, access: 'material:read', answer: exportHandOut },
  {
    method: 'POST',
    path: words.exportReconcile,
    access: 'material:read',
    takesFile: true,
    answer: reconcileList,
  },
  { method: 'POST', path: words.exportMark, access: 'export:undo', answer: markLines },
  { method: 'POST', path: words.exportPreview, access: 'export:undo', answer: previewReturns },
  {
    method: 'POST',
    path: words.exportUndo,
    access: 'export:undo',
    isGrave: true,
    answer: undoLines,
  },
  { method: 'POST', path: words.exportClose, access: 'export:undo', answer: closeLines },
  { method: 'POST', path: words.exportRetry, access: 'export:undo', answer: retryLines },
  { method: 'POST', path: words.exportSendBack, access: 'export:undo', answer: sendBackLines },
  { method: 'POST', path: words.exportBreak, access: 'export:undo', answer: breakLease },
  { method: 'GET', path: words.directoryRecord, access: 'directory:read', answer: directoryFields },
  {
    method: 'POST',
    path: words.directoryRecord,
    access: 'directory:write',
    answer: saveDirectoryRecord,
  },
  {
    method: 'DELETE',
    path: words.directoryRecord,
    access: 'directory:write',
    answer: removeDirectoryRecord,
  },
  { method: 'GET', path: words.imports, access: writers, answer: importList },
  { method: 'POST', path: words.importUndo, access: writers, answer: undoOneImport },
  { method: 'GET', path: words.importTemplate, access: writers, answer: importTemplate },
  {
    method: 'POST',
    path: words.importColumns,
    access: writers,
    takesFile: true,
    answer: importColumns,
  },
  { method: 'POST', path: words.importRows, access: writers, takesFile: true, answer: importRows },
  { method: 'GET', path: words.audit, access: ['auditor', 'admin'], answer: auditLog },
  {
    method: 'GET',
    path: words.auditFile,
    access: ['auditor', 'admin'],
    isGrave: true,
    answer: auditFile,
  },
  { method: 'GET', path: words.administration, access: administrators, answer: administration },
  { method: 'POST', path: words.settings, access: administrators, answer: changeSettings },
  { method: 'GET', path: words.refusedCalls, access: administrators, answer: refusedCalls },
  { method: 'POST', path: words.watch, access: administrators, answer: setWatch },
  { method: 'GET', path: words.webhooks, access: administrators, answer: webhookList },
  {
    method: 'GET',
    path: words.webhookDeliveries,
    access: administrators,
    answer: webhookDeliveries,
  },
  grave(words.webhookAdd, addOneWebhook),
  grave(words.webhookRotate, rotateOneWebhook),
  grave(words.webhookRemove, removeOneWebhook),
  { method: 'POST', path: words.webhookEnable, access: administrators, answer: enableOneWebhook },
  { method: 'POST', path: words.webhookTest, access: administrators, answer: testOneWebhook },
  { method: 'POST', path: words.webhookResend, access: administrators, answer: resendOne },
  { method: 'GET', path: words.system, access: 'operator', answer: systemStatus },
  { method: 'GET', path: words.supportBundle, access: 'operator', answer: supportBundle },
  { ...grave(words.backup, makeBackup), access: 'operator' },
  grave(words.keyAdd, addKey),
  grave(words.keyRotate, rotateOne),
  grave(words.keyRevoke, revokeOne),
  grave(words.personInvite, inviteOne),
  grave(words.invitationWithdraw, withdrawOne),
  grave(words.personChange, changeOne),
  grave(words.personDisable, shutOneOut),
  grave(words.personEnable, letOneIn),
]

export const appEndpoints = (state: AppState, random: Random): Endpoint[] => {
  const assets = readAssets(builtFolder)
  const open = (path: string, answer: (request: Request) => Reply): Endpoint => ({
    method: 'GET',
    path,
    bodyBytesMax: limits.bodyBytesMax,
    handle: async (request) => answer(request),
  })
  // The router takes `*`, which is asked of a server as a whole, for its root.
  const page = ({ path }: Request) => {
    if (path === '*') throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
    return pageReply(assets, random)
  }
  return [
    open('/', page),
    ...screens.map((screen) => open(`/app/${screen}`, page)),
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

/** From `src/` in a clone and from `dist/` in the package alike. */
const builtFolder = join(import.meta.dirname, '../../web/dist')
