// Spreadsheet imports: columns, dry run, import with progress, undo.
import type { FileColumns, ImportList, ImportUndoReport } from '../contract/imports.ts'
import { createActorNames } from '../actors.ts'
import { idIn, queryIn } from '../request-values.ts'
import { readFields } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { roleMissingError, type AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { importedSets } from '../contract/screens.ts'
import { notFoundError } from '../../errors/api-error.ts'
import type { Reply } from '../../http/request.ts'
import { suggestFields } from '../../imports/columns.ts'
import { readTable, type ImportTable } from '../../imports/read-table.ts'
import type { ImportTarget } from '../../imports/import-target.ts'
import { importTargets } from '../../imports/import-targets.ts'
import { templateText } from '../../imports/template.ts'
import { isUndoable, getImport, undoImport } from '../../imports/undo.ts'
import { applyMapping } from '../../imports/mapping.ts'
import { describeImportFields } from './import-fields.ts'
import { message, type Language } from '../../errors/messages.ts'
import { listImportMappings } from '../../store/imports/import-mappings.ts'
import { listImportRuns } from '../../store/imports/imports.ts'

/** The latest imports of sets that the user may write; timestamps are microseconds. */
export async function listImports({ store, sessionUser, clock, companyId }: AppRequest): Promise<ImportList> {
  const nameActor = await createActorNames(store, companyId)
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  const runs = await listImportRuns(store, { companyId })
  const subjects = importedSets.filter((set) => grantedScopes.has(importTargets.get(set)?.scope ?? ''))
  return {
    subjects,
    runs: runs.flatMap((run) =>
      subjects
        .filter((set) => set === run.resource)
        .map((resource) => ({
          ...run,
          resource,
          actor: nameActor(run.actor),
          undoneBy: nameActor(run.undoneBy),
          isUndoable: isUndoable(run, clock()),
        })),
    ),
  }
}

/** A CSV template with the headers only. */
export async function getImportTemplate(appRequest: AppRequest): Promise<Reply> {
  const { resource } = requireImportTarget(appRequest)
  const query = queryIn(appRequest.request, ['language'])
  const language: Language = query.get('language') === 'en' ? 'en' : 'nb'
  const name = `${resource.wire.toLowerCase()}-${language}.csv`
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Cache-Control': 'no-store',
    },
    body: templateText(resource, language),
  }
}

/** The columns of a file with suggested fields and saved mappings, the available fields, and the first rows. */
export async function readFileColumns(appRequest: AppRequest): Promise<FileColumns> {
  const { store, companyId } = appRequest
  const target = requireImportTarget(appRequest)
  const table = await readRequestTable(appRequest)
  const saved = await listImportMappings(store, { companyId, resource: target.resource.wire })
  return {
    headers: table.headers,
    guessed: suggestFields(target, table.headers),
    mappings: saved.map((one) => applyMapping(target, one, table.headers)),
    rows: table.lines.length,
    first: table.lines.slice(0, shownRows),
    needs: target.needs.map((group) => group.map((name) => target.resource.fields[name]?.wire ?? name)),
    fields: describeImportFields(target.resource, () => ({})),
  }
}

const shownRows = 8

/** Restores the records that nobody changed since the import. */
export async function undoImportRun(appRequest: AppRequest): Promise<ImportUndoReport> {
  const { departments } = appRequest.sessionUser
  const id = idIn(await readFields(appRequest.request), 'run')
  const { undone, kept } = await inCompanyTransaction(appRequest, async (transaction, context) => {
    const found = await getImport(transaction, id)
    requireImportScope(appRequest, found.target)
    return undoImport(transaction, found, { context, departments })
  })
  return { undone, kept: kept.slice(0, shownInvalidMax), keptCount: kept.length }
}

export const shownInvalidMax = 100

/** Throws `UnreadableFile`. */
export async function readRequestTable({ request, companyId }: AppRequest): Promise<ImportTable> {
  return readTable(await request.body(), { companyId, client: request })
}

/** The import target in the path. Throws `NotFound` and `RoleMissing`. */
export function requireImportTarget(appRequest: AppRequest): ImportTarget {
  const [name = ''] = appRequest.request.path.slice(appPaths.importTemplate.indexOf(':')).split('/')
  const target = [...importTargets.values()].find(({ resource }) => resource.wire.toLowerCase() === name.toLowerCase())
  if (target === undefined) throw notFoundError(message('thisUrl'))
  requireImportScope(appRequest, target)
  return target
}

function requireImportScope({ sessionUser }: AppRequest, { scope }: ImportTarget): void {
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  if (!grantedScopes.has(scope)) throw roleMissingError(sessionUser)
}
