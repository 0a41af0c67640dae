// OpenAPI tags: the tasks of callers, which docs/api.md has as sections.
import type { Scope } from '../../auth/scopes.ts'

/** The task of an operation, by the scope that it requires. In the order of the reference. */
export const taskByScope: Readonly<Record<Scope, string>> = {
  'revenue:read': 'Read revenue',
  'revenue:write': 'Send revenue',
  'directory:read': 'Read staff and projects',
  'directory:personal': 'Read staff and projects',
  'directory:write': 'Change staff and projects',
  'material:read': 'Register material',
  'material:write': 'Register material',
  'material:approve': 'Approve material',
  'material:export': 'Export material',
  'export:undo': 'Export material',
}

/** The task of the operations that need no credential. */
export const serverTask = 'Run a server'

/** Every set again, below `/odata`. */
export const serviceTask = 'OData service'

export const tags = [...new Set([...Object.values(taskByScope), serverTask, serviceTask])].map((name) => ({ name }))
