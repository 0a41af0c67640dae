// The import targets, by the name of their set.
import { directoryImportTarget } from './directory.ts'
import { revenueImportTarget } from './revenue.ts'
import type { ImportTarget } from './import-target.ts'
import { department, employee, project, site } from '../model/directory.ts'
import type { Resource } from '../engine/model/resource.ts'

const directory: readonly Resource[] = [employee, department, project, site]

export const importTargets: ReadonlyMap<string, ImportTarget> = new Map(
  [...directory.map(directoryImportTarget), revenueImportTarget].map((target) => [target.resource.wire, target]),
)
