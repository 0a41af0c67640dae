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

const norwegian: Readonly<Record<string, string>> = {
  'Read revenue': 'Hente omsetning',
  'Send revenue': 'Sende omsetning',
  'Read staff and projects': 'Hente ansatte og prosjekter',
  'Change staff and projects': 'Endre ansatte og prosjekter',
  'Register material': 'Registrere uttak',
  'Approve material': 'Godkjenne uttak',
  'Export material': 'Eksportere uttak',
  [serverTask]: 'Drifte en server',
  [serviceTask]: 'OData-tjeneste',
}

/** Each is described by its name in Norwegian, as error codes are in both languages. */
export const tags = [...new Set([...Object.values(taskByScope), serverTask, serviceTask])].map((name) => ({
  name,
  description: norwegian[name],
}))
