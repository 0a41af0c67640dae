// Route table: section 4 of docs/interface.md in code, every fixed path with its operation.
import { reconcileOperation, alertsOperation, historyOperation } from './export/export-log.ts'
import { createDirectoryWrites, type DirectoryWrites } from './directory/directory-operations.ts'
import { decideManyOperation, decideOneOperation } from './material/decisions.ts'
import {
  breakClaimOperation,
  createClaimOperation,
  extendClaimOperation,
  releaseClaimOperation,
} from './export/claims.ts'
import { acknowledgeClaimOperation, acknowledgeExportOperation } from './export/acknowledge.ts'
import {
  updateMaterialOperation,
  deleteMaterialOperation,
  registerMaterialOperation,
} from './material/material-writes.ts'
import { findOperation } from './odata/find.ts'
import { readEntityOperation, readSetOperation } from './odata/read-set.ts'
import {
  accumulateRevenueOperation,
  deleteRevenueOperation,
  insertRevenueOperation,
  saveRevenueListOperation,
  setRevenuePerDateOperation,
  updateRevenueOperation,
} from './revenue/revenue-operations.ts'
import type { Operation } from './operation.ts'
import type { WritesByResource } from './write-pipeline/path-writes.ts'
import {
  closeLinesOperation,
  retryLinesOperation,
  sendBackOperation,
  undoExportOperation,
} from './export/line-actions.ts'
import type { Method } from '../http/request.ts'
import { department, employee, project, site } from '../model/directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenueLog } from '../model/revenue-log.ts'
import { revenue } from '../model/revenue.ts'
import { exportable, materialTransaction } from '../model/transaction.ts'
import { registerBatchOperation } from './material/register-batch.ts'

export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

const findDirectory = { rule: '4', scope: 'directory:read' } as const

const employeeWrites = createDirectoryWrites(employee, 'employees')
const departmentWrites = createDirectoryWrites(department, 'departments')
const projectWrites = createDirectoryWrites(project, 'projects')
const siteWrites = createDirectoryWrites(site, 'sites')

/** What can be written at every service root, besides the paths below. */
export const writesByResource: WritesByResource = {
  sets: new Map<Resource, DirectoryWrites>([
    [employee, employeeWrites],
    [department, departmentWrites],
    [project, projectWrites],
    [site, siteWrites],
  ]),
  relatedInserts: new Map<Resource, Operation>([
    [employee, employeeWrites.insert],
    [project, projectWrites.insert],
    [materialTransaction, registerMaterialOperation],
  ]),
}
const approve = { action: 'approve', summary: 'Approve' } as const
const reject = { action: 'reject', summary: 'Reject, with a reason' } as const
const withdraw = { action: 'withdraw', summary: 'Withdraw an approval' } as const

function route(method: Method) {
  return (operation: Operation, ...paths: readonly string[]): Route[] =>
    paths.map((path) => ({ method, path, operation }))
}

const get = route('GET')
const post = route('POST')
const put = route('PUT')
const patch = route('PATCH')
const del = route('DELETE')

export const routes: readonly Route[] = [
  ...get(
    findOperation(revenue, { summary: 'Find revenue records', rule: '4.1', scope: 'revenue:read' }),
    '/dev/Omsetning/Finn',
  ),
  ...post(insertRevenueOperation, '/dev/Omsetning/Lagre'),
  ...post(updateRevenueOperation, '/dev/Omsetning/Oppdater'),
  // One version of the specification writes the list's path without the segment.
  ...post(saveRevenueListOperation, '/dev/Omsetning/LagreEllerOppdaterListe', '/dev/LagreEllerOppdaterListe'),
  ...post(
    setRevenuePerDateOperation,
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDatoPrAvdeling',
  ),
  // The specification gives no path for it (ADR 0008).
  ...post(
    accumulateRevenueOperation,
    '/omsetning/AggsertOmsetning',
    '/omsetning/Omsetning/AggsertOmsetning',
    '/dev/Omsetning/AggsertOmsetning',
    '/dev/AggsertOmsetning',
  ),
  ...get(findOperation(employee, { summary: 'Find employees', ...findDirectory }), '/dev/Ansatte/Finn'),
  // Clients of the original service expect the key under the field name that revenue uses.
  ...get(
    findOperation(department, { summary: 'Find departments', ...findDirectory }, [{ field: 'id', as: 'AvdelingID' }]),
    '/dev/Avdelinger/Finn',
  ),
  ...get(findOperation(project, { summary: 'Find projects', ...findDirectory }), '/dev/Prosjekter/Finn'),
  ...get(readSetOperation(employee, 'Read employees, with their related records', '4.3.1'), '/ansatt/ansatt'),
  ...get(readSetOperation(department, 'Read departments', '4.3.1'), '/ansatt/avdeling'),
  ...get(readSetOperation(project, 'Read projects, with their related records', '4.3.2'), '/prosjekt/Prosjekt'),
  ...get(readSetOperation(site, 'Read sites', '4.3.1'), '/prosjekt/anlegg'),
  ...get(readSetOperation(materialTransaction, 'Read transactions', '2.3'), '/prosjekt/Transaksjon'),
  ...post(registerMaterialOperation, '/prosjekt/Transaksjon'),
  ...post(registerBatchOperation, '/prosjekt/Transaksjon/Batch'),
  ...get(readEntityOperation(materialTransaction, 'Read one transaction', '2.3'), '/prosjekt/Transaksjon(:id)'),
  ...patch(updateMaterialOperation, '/prosjekt/Transaksjon(:id)'),
  ...del(deleteMaterialOperation, '/prosjekt/Transaksjon(:id)'),
  ...post(decideManyOperation(approve), '/prosjekt/Transaksjon/Godkjenn'),
  ...post(decideManyOperation(reject), '/prosjekt/Transaksjon/Avvis'),
  ...post(decideManyOperation(withdraw), '/prosjekt/Transaksjon/TrekkGodkjenning'),
  ...post(decideOneOperation(approve), '/prosjekt/Transaksjon(:id)/Godkjenn'),
  ...post(decideOneOperation(reject), '/prosjekt/Transaksjon(:id)/Avvis'),
  ...post(decideOneOperation(withdraw), '/prosjekt/Transaksjon(:id)/TrekkGodkjenning'),
  ...get(
    readSetOperation(exportable, 'Retrieve approved lines that are not exported', '4.4.1'),
    '/prosjekt/TransaksjonsEksport',
  ),
  // The specification spells it in two ways; paths are case-insensitive.
  ...post(acknowledgeExportOperation, '/prosjekt/Transaksjonseksport/Eksportert'),
  ...patch(acknowledgeExportOperation, '/prosjekt/Transaksjonseksport/Eksportert'),
  ...post(createClaimOperation, '/prosjekt/TransaksjonsEksport/Batch'),
  ...post(extendClaimOperation, '/prosjekt/TransaksjonsEksport/Batch/:id/Forleng'),
  ...post(acknowledgeClaimOperation, '/prosjekt/TransaksjonsEksport/Batch/:id/Resultat'),
  ...post(releaseClaimOperation, '/prosjekt/TransaksjonsEksport/Batch/:id/Frigi'),
  ...post(breakClaimOperation, '/prosjekt/TransaksjonsEksport/Batch/:id/Bryt'),
  ...post(undoExportOperation, '/prosjekt/TransaksjonsEksport/Angre'),
  ...post(closeLinesOperation, '/prosjekt/TransaksjonsEksport/Lukk'),
  ...post(retryLinesOperation, '/prosjekt/TransaksjonsEksport/ProvIgjen'),
  ...post(sendBackOperation, '/prosjekt/TransaksjonsEksport/TilGodkjenning'),
  ...get(historyOperation, '/prosjekt/TransaksjonsEksport(:id)/Historikk'),
  ...get(alertsOperation, '/prosjekt/TransaksjonsEksport/Varsler'),
  ...post(reconcileOperation, '/prosjekt/TransaksjonsEksport/Avstem'),
  ...get(readSetOperation(revenue, 'Read revenue records as an entity set', '4.1'), '/omsetning/Omsetning'),
  ...get(
    readSetOperation(revenueLog, 'Read the revenue change log, deletions included', '4.1'),
    '/omsetning/OmsetningLogg',
  ),
  ...get(readEntityOperation(revenue, 'Read one revenue record', '4.1'), '/omsetning/Omsetning(:id)'),
  ...del(deleteRevenueOperation, '/omsetning/Omsetning(:id)'),
  ...directoryRoutes(employee, employeeWrites, ['/ansatt/ansatt', '/ansatt/Ansatte'], {
    summary: 'Read one employee',
    rule: '4.3.1',
  }),
  ...directoryRoutes(department, departmentWrites, ['/ansatt/avdeling'], {
    summary: 'Read one department',
    rule: '4.3.1',
  }),
  ...directoryRoutes(project, projectWrites, ['/prosjekt/Prosjekt'], { summary: 'Read one project', rule: '4.3.2' }),
  ...directoryRoutes(site, siteWrites, ['/prosjekt/anlegg'], { summary: 'Read one site', rule: '4.3.1' }),
]

/** OData service roots: besides the fixed paths, each of these serves every set (ADR 0008). */
export const serviceRoots = ['ansatt', 'prosjekt', 'omsetning', 'odata'] as const

/** The writes of a set, and the read and the writes of one record; inserts are also served at the other paths. */
function directoryRoutes(
  resource: Resource,
  writes: DirectoryWrites,
  [path, ...otherPaths]: readonly [string, ...string[]],
  { summary, rule }: Pick<Operation, 'summary' | 'rule'>,
): Route[] {
  const record = `${path}(:id)`
  return [
    ...post(writes.insert, path, ...otherPaths),
    ...put(writes.save, path),
    ...get(readEntityOperation(resource, summary, rule), record),
    ...patch(writes.update, record),
    ...put(writes.replace, record),
    ...del(writes.delete, record),
  ]
}
