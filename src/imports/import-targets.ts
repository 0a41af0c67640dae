// The import targets, by the name of their set.
import { directorySubject } from './directory.ts'
import { revenueSubject } from './revenue.ts'
import type { Subject } from './import-target.ts'
import { department, employee, project, site } from '../model/directory.ts'
import type { Resource } from '../engine/model/resource.ts'

const directory: readonly Resource[] = [employee, department, project, site]

export const subjects: ReadonlyMap<string, Subject> = new Map(
  [...directory.map(directorySubject), revenueSubject].map((subject) => [
    subject.resource.wire,
    subject,
  ]),
)
