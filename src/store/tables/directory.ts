// Tables: the sets of the directory, deletions for readers of changes, and imports.
import {
  department as departmentSet,
  employee as employeeSet,
  project as projectSet,
  site as siteSet,
} from '../../model/directory.ts'
import type { Resource } from '../../engine/model/resource.ts'
import { companyTable, index, integer, text, type RowOf } from './define-table.ts'
import { fieldColumns } from './field-columns.ts'

/** A set of the directory: its columns are the fields of the resource. `references` as in `companyTable`. */
function setTable({ table, fields }: Resource, references: Readonly<Record<string, string>>) {
  const columns = fieldColumns(fields)
  const indexed = Object.entries({ Change: 'changedAt', ExternalId: 'externalId' })
  const referring = Object.keys(references).map((column) => [column.charAt(0).toUpperCase() + column.slice(1), column])
  const indexes = [...indexed, ...referring].map(([name = '', column = '']) => [table + name, index([column, 'id'])])
  return companyTable(table, { columns, indexes: Object.fromEntries(indexes), references })
}

export const department = setTable(departmentSet, { parentId: 'department', responsibleId: 'employee' })
export const site = setTable(siteSet, {})
export const project = setTable(projectSet, { departmentId: 'department', siteId: 'site', responsibleId: 'employee' })
export const employee = setTable(employeeSet, { departmentId: 'department', projectId: 'project' })

/** A deleted record that has not been inserted again, for delta queries. */
export const directoryDeletion = companyTable('directoryDeletion', {
  columns: {
    /** The table of the record. */
    resource: text(),
    key: text(),
    at: integer(),
  },
  primaryKey: ['resource', 'key'],
  indexes: { directoryDeletionAt: index(['at'], { isUnique: true }) },
})

/** An imported file and the number of rows by result. */
export const importRun = companyTable('importRun', {
  columns: {
    id: integer(),
    at: integer(),
    actor: text(),
    /** Name of the set on the wire. */
    resource: text(),
    /** File name; '' for pasted text. */
    file: text(),
    inserted: integer(),
    changed: integer(),
    unchanged: integer(),
    invalid: integer(),
    undoneAt: integer().orNull(),
    undoneBy: text().orNull(),
    /** Null where it is unknown. */
    requestId: text().orNull(),
  },
  indexes: { importRunRequest: index(['requestId']) },
})
export type ImportRunTable = RowOf<typeof importRun>

/** A record as it was before an import changed it; deleted when the import can no longer be undone. */
export const importChange = companyTable('importChange', {
  columns: {
    runId: integer(),
    key: text(),
    /** JSON of the record; null where the import inserted it. */
    before: text().orNull(),
    /** Timestamp of the change: a record with another one was changed since. */
    changedAt: integer(),
  },
  primaryKey: ['runId', 'key'],
})
export type ImportChangeTable = RowOf<typeof importChange>

/** A saved mapping from file columns to fields. */
export const importMapping = companyTable('importMapping', {
  columns: {
    /** Name of the set on the wire. */
    resource: text(),
    name: text(),
    /** JSON list of header and wire name of the field; '' for an ignored column. */
    columns: text(),
    savedAt: integer(),
  },
  primaryKey: ['resource', 'name'],
})
export type ImportMappingTable = RowOf<typeof importMapping>
