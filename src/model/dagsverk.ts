// The model that the service serves: every resource there is, and how they are related.
import { department, employee, project, site } from '#model/directory.ts'
import { revenueLog } from '#model/revenue-log.ts'
import { revenue } from '#model/revenue.ts'
import type { Schema } from '#model/schema.ts'

export const dagsverk: Schema = {
  namespace: 'Dagsverk',
  resources: [employee, department, project, site, revenue, revenueLog],
  relations: [
    {
      of: employee,
      wire: 'Avdeling',
      plain: 'avdeling',
      to: department,
      on: { departmentId: 'id' },
    },
    { of: employee, wire: 'Prosjekt', to: project, on: { projectId: 'id' } },
    { of: department, wire: 'Hovedavdeling', to: department, on: { parentId: 'id' } },
    { of: department, wire: 'Ansatte', to: employee, isMany: true, on: { id: 'departmentId' } },
    { of: department, wire: 'Prosjekter', to: project, isMany: true, on: { id: 'departmentId' } },
    { of: department, wire: 'Ansvarlig', to: employee, on: { responsibleId: 'id' } },
    {
      of: project,
      wire: 'Avdeling',
      plain: 'avdeling',
      to: department,
      on: { departmentId: 'id' },
    },
    { of: project, wire: 'Anlegg', plain: 'anlegg', to: site, on: { siteId: 'id' } },
    { of: project, wire: 'Ansvarlig', to: employee, on: { responsibleId: 'id' } },
    { of: site, wire: 'Prosjekter', to: project, isMany: true, on: { id: 'siteId' } },
    {
      of: revenue,
      wire: 'Avdeling',
      to: department,
      isLoose: true,
      on: { departmentId: 'id' },
    },
  ],
}
