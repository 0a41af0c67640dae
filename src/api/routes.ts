// Route table: section 4 of docs/interface.md in code, every fixed path with its operation.
import { reconciles, tellsAlarms, tellsHistory } from './export/line-history.ts'
import { directoryWrites, type DirectoryWrites } from './directory/directory-operations.ts'
import { decidesOnMany, decidesOnOne } from './material/decisions.ts'
import { breaksClaim, claimsLines, extendsClaim, releasesClaim } from './export/claims.ts'
import { marksClaimed, marksExported } from './export/acknowledge.ts'
import {
  changesMaterial,
  deletesMaterial,
  registersBatch,
  registersMaterial,
} from './material/material-writes.ts'
import { finds } from './revenue/find.ts'
import { readsEntity, readsSet } from './odata/read-set.ts'
import {
  accumulateRevenueList,
  deletesRevenue,
  insertRevenue,
  saveRevenueList,
  setRevenueListPerDate,
  updateRevenue,
} from './revenue/revenue-operations.ts'
import type { Operation } from './operation.ts'
import { closesLines, retriesLines, sendsBack, undoesExports } from './export/undo.ts'
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

const findRevenue = finds(revenue, {
  summary: 'Find revenue records',
  rule: '4.1',
  scope: 'revenue:read',
})

const directory = { rule: '4', scope: 'directory:read' } as const

const findEmployees = finds(employee, { summary: 'Find employees', ...directory })

// Clients of the original service expect the key under the field name that revenue uses.
const findDepartments = finds(department, { summary: 'Find departments', ...directory }, [
  { field: 'id', as: 'AvdelingID' },
])

const findProjects = finds(project, { summary: 'Find projects', ...directory })

const revenueSet = readsSet(revenue, {
  summary: 'Read revenue records as an entity set',
  rule: '4.1',
})

const revenueLogSet = readsSet(revenueLog, {
  summary: 'Read the revenue change log, deletions included',
  rule: '4.1',
})

const employeeSet = readsSet(employee, {
  summary: 'Read employees, with their related records',
  rule: '4.3.1',
})

const departmentSet = readsSet(department, { summary: 'Read departments', rule: '4.3.1' })

const projectSet = readsSet(project, {
  summary: 'Read projects, with their related records',
  rule: '4.3.2',
})

const siteSet = readsSet(site, { summary: 'Read sites', rule: '4.3.1' })

const revenueRecord = readsEntity(revenue, { summary: 'Read one revenue record', rule: '4.1' })

const employeeRecord = readsEntity(employee, { summary: 'Read one employee', rule: '4.3.1' })
const departmentRecord = readsEntity(department, { summary: 'Read one department', rule: '4.3.1' })
const projectRecord = readsEntity(project, { summary: 'Read one project', rule: '4.3.2' })
const siteRecord = readsEntity(site, { summary: 'Read one site', rule: '4.3.1' })

const employeeWrites = directoryWrites(employee, 'employees')
const departmentWrites = directoryWrites(department, 'departments')
const projectWrites = directoryWrites(project, 'projects')
const siteWrites = directoryWrites(site, 'sites')

/** The sets that can be written at every service root, besides the paths below. */
export const writesOfSets = new Map<Resource, DirectoryWrites>([
  [employee, employeeWrites],
  [department, departmentWrites],
  [project, projectWrites],
  [site, siteWrites],
])
const materialSet = readsSet(materialTransaction, { summary: 'Read transactions', rule: '2.3' })

const materialRecord = readsEntity(materialTransaction, {
  summary: 'Read one transaction',
  rule: '2.3',
})

const exportableSet = readsSet(exportable, {
  summary: 'Retrieve approved lines that are not exported',
  rule: '4.4.1',
})

const approving = { act: 'approve', summary: 'Approve' } as const
const rejecting = { act: 'reject', summary: 'Reject, with a reason' } as const
const withdrawing = { act: 'withdraw', summary: 'Withdraw an approval' } as const

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
  ...get(findRevenue, '/dev/Omsetning/Finn'),
  ...post(insertRevenue, '/dev/Omsetning/Lagre'),
  ...post(updateRevenue, '/dev/Omsetning/Oppdater'),
  // One version of the specification writes the list's path without the segment.
  ...post(
    saveRevenueList,
    '/dev/Omsetning/LagreEllerOppdaterListe',
    '/dev/LagreEllerOppdaterListe',
  ),
  ...post(
    setRevenueListPerDate,
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDatoPrAvdeling',
  ),
  // The specification gives no path for it (ADR 0011).
  ...post(
    accumulateRevenueList,
    '/omsetning/AggsertOmsetning',
    '/omsetning/Omsetning/AggsertOmsetning',
    '/dev/Omsetning/AggsertOmsetning',
    '/dev/AggsertOmsetning',
  ),
  ...get(findEmployees, '/dev/Ansatte/Finn'),
  ...get(findDepartments, '/dev/Avdelinger/Finn'),
  ...get(findProjects, '/dev/Prosjekter/Finn'),
  ...get(employeeSet, '/ansatt/ansatt'),
  ...get(departmentSet, '/ansatt/avdeling'),
  ...get(projectSet, '/prosjekt/Prosjekt'),
  ...get(siteSet, '/prosjekt/anlegg'),
  ...get(materialSet, '/prosjekt/Transaksjon'),
  ...post(registersMaterial, '/prosjekt/Transaksjon'),
  ...post(registersBatch, '/prosjekt/Transaksjon/Batch'),
  ...get(materialRecord, '/prosjekt/Transaksjon(:id)'),
  ...patch(changesMaterial, '/prosjekt/Transaksjon(:id)'),
  ...del(deletesMaterial, '/prosjekt/Transaksjon(:id)'),
  ...post(decidesOnMany(approving), '/prosjekt/Transaksjon/Godkjenn'),
  ...post(decidesOnMany(rejecting), '/prosjekt/Transaksjon/Avvis'),
  ...post(decidesOnMany(withdrawing), '/prosjekt/Transaksjon/TrekkGodkjenning'),
  ...post(decidesOnOne(approving), '/prosjekt/Transaksjon(:id)/Godkjenn'),
  ...post(decidesOnOne(rejecting), '/prosjekt/Transaksjon(:id)/Avvis'),
  ...post(decidesOnOne(withdrawing), '/prosjekt/Transaksjon(:id)/TrekkGodkjenning'),
  ...get(exportableSet, '/prosjekt/TransaksjonsEksport'),
  // The specification spells it in two ways; paths are case-insensitive.
  ...post(marksExported, '/prosjekt/Transaksjonseksport/Eksportert'),
  ...patch(marksExported, '/prosjekt/Transaksjonseksport/Eksportert'),
  ...post(claimsLines, '/prosjekt/TransaksjonsEksport/Batch'),
  ...post(extendsClaim, '/prosjekt/TransaksjonsEksport/Batch/:id/Forleng'),
  ...post(marksClaimed, '/prosjekt/TransaksjonsEksport/Batch/:id/Resultat'),
  ...post(releasesClaim, '/prosjekt/TransaksjonsEksport/Batch/:id/Frigi'),
  ...post(breaksClaim, '/prosjekt/TransaksjonsEksport/Batch/:id/Bryt'),
  ...post(undoesExports, '/prosjekt/TransaksjonsEksport/Angre'),
  ...post(closesLines, '/prosjekt/TransaksjonsEksport/Lukk'),
  ...post(retriesLines, '/prosjekt/TransaksjonsEksport/ProvIgjen'),
  ...post(sendsBack, '/prosjekt/TransaksjonsEksport/TilGodkjenning'),
  ...get(tellsHistory, '/prosjekt/TransaksjonsEksport(:id)/Historikk'),
  ...get(tellsAlarms, '/prosjekt/TransaksjonsEksport/Varsler'),
  ...post(reconciles, '/prosjekt/TransaksjonsEksport/Avstem'),
  ...get(revenueSet, '/omsetning/Omsetning'),
  ...get(revenueLogSet, '/omsetning/OmsetningLogg'),
  ...get(revenueRecord, '/omsetning/Omsetning(:id)'),
  ...del(deletesRevenue, '/omsetning/Omsetning(:id)'),
  ...post(employeeWrites.insert, '/ansatt/ansatt', '/ansatt/Ansatte'),
  ...put(employeeWrites.save, '/ansatt/ansatt'),
  ...get(employeeRecord, '/ansatt/ansatt(:id)'),
  ...patch(employeeWrites.change, '/ansatt/ansatt(:id)'),
  ...del(employeeWrites.remove, '/ansatt/ansatt(:id)'),
  ...post(departmentWrites.insert, '/ansatt/avdeling'),
  ...put(departmentWrites.save, '/ansatt/avdeling'),
  ...get(departmentRecord, '/ansatt/avdeling(:id)'),
  ...patch(departmentWrites.change, '/ansatt/avdeling(:id)'),
  ...del(departmentWrites.remove, '/ansatt/avdeling(:id)'),
  ...post(projectWrites.insert, '/prosjekt/Prosjekt'),
  ...put(projectWrites.save, '/prosjekt/Prosjekt'),
  ...get(projectRecord, '/prosjekt/Prosjekt(:id)'),
  ...patch(projectWrites.change, '/prosjekt/Prosjekt(:id)'),
  ...del(projectWrites.remove, '/prosjekt/Prosjekt(:id)'),
  ...post(siteWrites.insert, '/prosjekt/anlegg'),
  ...put(siteWrites.save, '/prosjekt/anlegg'),
  ...get(siteRecord, '/prosjekt/anlegg(:id)'),
  ...patch(siteWrites.change, '/prosjekt/anlegg(:id)'),
  ...del(siteWrites.remove, '/prosjekt/anlegg(:id)'),
]

/** OData service roots: besides the fixed paths, each of these serves every set (ADR 0011). */
export const serviceRoots = ['ansatt', 'prosjekt', 'omsetning', 'odata'] as const
