// Route table: section 4 of docs/interface.md in code, every fixed path with its operation.
import { reconcileOperation, alertsOperation, historyOperation } from './export/line-history.ts'
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
  registerBatchOperation,
  registerMaterialOperation,
} from './material/material-writes.ts'
import { findOperation } from './revenue/find.ts'
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
import {
  closeLinesOperation,
  retryLinesOperation,
  sendBackOperation,
  undoExportOperation,
} from './export/undo.ts'
import type { Method } from '../http/request.ts'
import { department, employee, project, site } from '../model/directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenueLog } from '../model/revenue-log.ts'
import { revenue } from '../model/revenue.ts'
import { exportable, materialTransaction } from '../model/transaction.ts'

export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

const findRevenueOperation = findOperation(revenue, {
  summary: 'Find revenue records',
  rule: '4.1',
  scope: 'revenue:read',
})

const directory = { rule: '4', scope: 'directory:read' } as const

const findEmployeesOperation = findOperation(employee, { summary: 'Find employees', ...directory })

// Clients of the original service expect the key under the field name that revenue uses.
const findDepartmentsOperation = findOperation(
  department,
  { summary: 'Find departments', ...directory },
  [{ field: 'id', as: 'AvdelingID' }],
)

const findProjectsOperation = findOperation(project, { summary: 'Find projects', ...directory })

const revenueSet = readSetOperation(revenue, {
  summary: 'Read revenue records as an entity set',
  rule: '4.1',
})

const revenueLogSet = readSetOperation(revenueLog, {
  summary: 'Read the revenue change log, deletions included',
  rule: '4.1',
})

const employeeSet = readSetOperation(employee, {
  summary: 'Read employees, with their related records',
  rule: '4.3.1',
})

const departmentSet = readSetOperation(department, { summary: 'Read departments', rule: '4.3.1' })

const projectSet = readSetOperation(project, {
  summary: 'Read projects, with their related records',
  rule: '4.3.2',
})

const siteSet = readSetOperation(site, { summary: 'Read sites', rule: '4.3.1' })

const revenueRecord = readEntityOperation(revenue, {
  summary: 'Read one revenue record',
  rule: '4.1',
})

const employeeRecord = readEntityOperation(employee, {
  summary: 'Read one employee',
  rule: '4.3.1',
})
const departmentRecord = readEntityOperation(department, {
  summary: 'Read one department',
  rule: '4.3.1',
})
const projectRecord = readEntityOperation(project, { summary: 'Read one project', rule: '4.3.2' })
const siteRecord = readEntityOperation(site, { summary: 'Read one site', rule: '4.3.1' })

const employeeWrites = createDirectoryWrites(employee, 'employees')
const departmentWrites = createDirectoryWrites(department, 'departments')
const projectWrites = createDirectoryWrites(project, 'projects')
const siteWrites = createDirectoryWrites(site, 'sites')

/** The sets that can be written at every service root, besides the paths below. */
export const writesOfSets = new Map<Resource, DirectoryWrites>([
  [employee, employeeWrites],
  [department, departmentWrites],
  [project, projectWrites],
  [site, siteWrites],
])
const materialSet = readSetOperation(materialTransaction, {
  summary: 'Read transactions',
  rule: '2.3',
})

const materialRecord = readEntityOperation(materialTransaction, {
  summary: 'Read one transaction',
  rule: '2.3',
})

const exportableSet = readSetOperation(exportable, {
  summary: 'Retrieve approved lines that are not exported',
  rule: '4.4.1',
})

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
  ...get(findRevenueOperation, '/dev/Omsetning/Finn'),
  ...post(insertRevenueOperation, '/dev/Omsetning/Lagre'),
  ...post(updateRevenueOperation, '/dev/Omsetning/Oppdater'),
  // One version of the specification writes the list's path without the segment.
  ...post(
    saveRevenueListOperation,
    '/dev/Omsetning/LagreEllerOppdaterListe',
    '/dev/LagreEllerOppdaterListe',
  ),
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
  ...get(findEmployeesOperation, '/dev/Ansatte/Finn'),
  ...get(findDepartmentsOperation, '/dev/Avdelinger/Finn'),
  ...get(findProjectsOperation, '/dev/Prosjekter/Finn'),
  ...get(employeeSet, '/ansatt/ansatt'),
  ...get(departmentSet, '/ansatt/avdeling'),
  ...get(projectSet, '/prosjekt/Prosjekt'),
  ...get(siteSet, '/prosjekt/anlegg'),
  ...get(materialSet, '/prosjekt/Transaksjon'),
  ...post(registerMaterialOperation, '/prosjekt/Transaksjon'),
  ...post(registerBatchOperation, '/prosjekt/Transaksjon/Batch'),
  ...get(materialRecord, '/prosjekt/Transaksjon(:id)'),
  ...patch(updateMaterialOperation, '/prosjekt/Transaksjon(:id)'),
  ...del(deleteMaterialOperation, '/prosjekt/Transaksjon(:id)'),
  ...post(decideManyOperation(approve), '/prosjekt/Transaksjon/Godkjenn'),
  ...post(decideManyOperation(reject), '/prosjekt/Transaksjon/Avvis'),
  ...post(decideManyOperation(withdraw), '/prosjekt/Transaksjon/TrekkGodkjenning'),
  ...post(decideOneOperation(approve), '/prosjekt/Transaksjon(:id)/Godkjenn'),
  ...post(decideOneOperation(reject), '/prosjekt/Transaksjon(:id)/Avvis'),
  ...post(decideOneOperation(withdraw), '/prosjekt/Transaksjon(:id)/TrekkGodkjenning'),
  ...get(exportableSet, '/prosjekt/TransaksjonsEksport'),
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
  ...get(revenueSet, '/omsetning/Omsetning'),
  ...get(revenueLogSet, '/omsetning/OmsetningLogg'),
  ...get(revenueRecord, '/omsetning/Omsetning(:id)'),
  ...del(deleteRevenueOperation, '/omsetning/Omsetning(:id)'),
  ...post(employeeWrites.insert, '/ansatt/ansatt', '/ansatt/Ansatte'),
  ...put(employeeWrites.save, '/ansatt/ansatt'),
  ...get(employeeRecord, '/ansatt/ansatt(:id)'),
  ...patch(employeeWrites.update, '/ansatt/ansatt(:id)'),
  ...del(employeeWrites.delete, '/ansatt/ansatt(:id)'),
  ...post(departmentWrites.insert, '/ansatt/avdeling'),
  ...put(departmentWrites.save, '/ansatt/avdeling'),
  ...get(departmentRecord, '/ansatt/avdeling(:id)'),
  ...patch(departmentWrites.update, '/ansatt/avdeling(:id)'),
  ...del(departmentWrites.delete, '/ansatt/avdeling(:id)'),
  ...post(projectWrites.insert, '/prosjekt/Prosjekt'),
  ...put(projectWrites.save, '/prosjekt/Prosjekt'),
  ...get(projectRecord, '/prosjekt/Prosjekt(:id)'),
  ...patch(projectWrites.update, '/prosjekt/Prosjekt(:id)'),
  ...del(projectWrites.delete, '/prosjekt/Prosjekt(:id)'),
  ...post(siteWrites.insert, '/prosjekt/anlegg'),
  ...put(siteWrites.save, '/prosjekt/anlegg'),
  ...get(siteRecord, '/prosjekt/anlegg(:id)'),
  ...patch(siteWrites.update, '/prosjekt/anlegg(:id)'),
  ...del(siteWrites.delete, '/prosjekt/anlegg(:id)'),
]

/** OData service roots: besides the fixed paths, each of these serves every set (ADR 0008). */
export const serviceRoots = ['ansatt', 'prosjekt', 'omsetning', 'odata'] as const
