// Schema of the service: all resources and their relations.
import { department, employee, project, site } from './directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenueLog } from './revenue-log.ts'
import { revenue } from './revenue.ts'
import type { Relation, Schema } from '../engine/model/schema.ts'
import { exportable, materialTransaction } from './transaction.ts'

/** The references that a transaction and its export lines share. */
function referenceRelations(of: Resource, more: Pick<Relation, 'isUnenforced'>): Relation[] {
  return [
    { of, ...more, wire: 'Ansatt', to: employee, on: { employeeId: 'id' } },
    { of, ...more, wire: 'Avdeling', to: department, on: { departmentId: 'id' } },
    { of, ...more, wire: 'Prosjekt', to: project, on: { projectId: 'id' } },
    { of, ...more, wire: 'Anlegg', to: site, on: { siteId: 'id' } },
  ]
}

export const serviceSchema: Schema = {
  namespace: 'Dagsverk',
  resources: [employee, department, project, site, materialTransaction, exportable, revenue, revenueLog],
  relations: [
    { of: employee, wire: 'Avdeling', documentName: 'avdeling', to: department, on: { departmentId: 'id' } },
    { of: employee, wire: 'Prosjekt', to: project, on: { projectId: 'id' } },
    { of: department, wire: 'Hovedavdeling', to: department, on: { parentId: 'id' } },
    { of: department, wire: 'Ansatte', to: employee, isMany: true, on: { id: 'departmentId' } },
    { of: department, wire: 'Prosjekter', to: project, isMany: true, on: { id: 'departmentId' } },
    { of: department, wire: 'Ansvarlig', to: employee, on: { responsibleId: 'id' } },
    { of: project, wire: 'Avdeling', documentName: 'avdeling', to: department, on: { departmentId: 'id' } },
    { of: project, wire: 'Anlegg', documentName: 'anlegg', to: site, on: { siteId: 'id' } },
    { of: project, wire: 'Ansvarlig', to: employee, on: { responsibleId: 'id' } },
    { of: project, wire: 'Transaksjoner', to: materialTransaction, isMany: true, on: { id: 'projectId' } },
    { of: site, wire: 'Prosjekter', to: project, isMany: true, on: { id: 'siteId' } },
    { of: revenue, wire: 'Avdeling', to: department, isUnenforced: true, on: { departmentId: 'id' } },
    ...referenceRelations(materialTransaction, {}),
    // The references are enforced on the transaction.
    ...referenceRelations(exportable, { isUnenforced: true }),
  ],
}
