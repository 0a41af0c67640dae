// Spreadsheet imports: columns, dry run, import with progress, undo.
import type { FileColumns, ImportEvent, ImportList, ImportRunReport, ImportUndoReport } from '../contract/imports.ts'
import { createActorNames } from '../actors.ts'
import { idIn, invalidChoiceError, queryIn } from '../request-values.ts'
import { readFields } from '../body.ts'
import { inCompanyTransaction } from '../company-transaction.ts'
import { roleMissingError, type AppRequest } from '../route.ts'
import { appPaths, importedSets } from '../contract/paths.ts'
import { actionContext } from '../../auth/action-context.ts'
import { ApiError } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { mapColumnsInOrder, suggestFields } from '../../imports/columns.ts'
import { runImport, type ImportOptions, type ImportReport } from '../../imports/import.ts'
import { readTable, type Table } from '../../imports/read-table.ts'
import type { ImportTarget } from '../../imports/import-target.ts'
import { importTargets } from '../../imports/import-targets.ts'
import { templateText } from '../../imports/template.ts'
import { isUndoable, getImport, undoImport } from '../../imports/undo.ts'
import { applyMapping } from '../../imports/mapping.ts'
import { formatProblem, writeInvalidRows } from '../../imports/rejected-rows-csv.ts'
import { importFieldsOf } from './import-fields.ts'
import { message, type Language } from '../../errors/messages.ts'
import { listImportMappings } from '../../store/imports/import-mappings.ts'
import { listImportRuns } from '../../store/imports/imports.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

/** The latest imports of sets that the user may write; timestamps are microseconds. */
export async function listImports({ store, sessionUser, clock }: AppRequest): Promise<ImportList> {
  const nameActor = await createActorNames(store, sessionUser)
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  const runs = await listImportRuns(store, { companyId: sessionUser.caller.companyId })
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
  const { store, sessionUser } = appRequest
  const target = requireImportTarget(appRequest)
  const table = await readRequestTable(appRequest)
  const saved = await listImportMappings(store, {
    companyId: sessionUser.caller.companyId,
    resource: target.resource.wire,
  })
  return {
    headers: table.headers,
    guessed: suggestFields(target, table.headers),
    mappings: saved.map((one) => applyMapping(target, one, table.headers)),
    rows: table.lines.length,
    first: table.lines.slice(0, shownRows),
    needs: target.needs.map((group) => group.map((name) => target.resource.fields[name]?.wire ?? name)),
    fields: importFieldsOf(target.resource),
  }
}

const shownRows = 8

/**
 * Imports or dry-runs a file. The reply is JSON lines: progress, and finally the report, or an error, because the status
 * has been sent by then.
 */
export async function importRows(appRequest: AppRequest): Promise<Reply> {
  const { request } = appRequest
  const target = requireImportTarget(appRequest)
  const query = queryIn(request, parameters)
  const table = await readRequestTable(appRequest)
  const columns = mapColumnsInOrder(target, table.headers, (query.get('fields') ?? '').split(','))
  const takes = query.get('takes') ?? 'all'
  if (takes !== 'all' && takes !== 'good') throw invalidChoiceError('takes')
  const job = {
    target,
    table,
    columns,
    takes,
    file: (query.get('file') ?? '').slice(0, 200).toWellFormed(),
    zone: appRequest.sessionUser.caller.company.zone,
    isEmptying: query.get('emptying') === 'true',
    isDryRun: query.get('dry') !== 'false',
    departments: appRequest.sessionUser.departments,
    context: actionContext(appRequest.sessionUser.caller, request.id, appRequest.clock()),
  } as const
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      // A buffering proxy would hide the progress.
      'X-Accel-Buffering': 'no',
    },
    body: streamImport(appRequest, job),
  }
}

const parameters = ['fields', 'file', 'takes', 'emptying', 'dry'] as const

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

/** The import continues when the client disconnects; its result is in the list of imports. */
async function* streamImport(appRequest: AppRequest, job: ImportOptions): AsyncGenerator<string> {
  const { store, sessionUser, request } = appRequest
  const language = negotiateLanguage(request.header('accept-language'))
  const events: ImportEvent[] = []
  let wake = () => {}
  const send = (line: ImportEvent) => {
    events.push(line)
    wake()
  }
  let isDone = false
  const work = runImport(store, sessionUser.caller.companyId, {
    ...job,
    onProgress: (step, rows) => send({ step, rows }),
  })
    .then(async (report) => send({ report: await describeReport(report, job.table, language) }))
    .catch((error: unknown) => send({ error: describeError(error, language) }))
    .finally(() => {
      isDone = true
      wake()
    })
  for (;;) {
    for (let line = events.shift(); line !== undefined; line = events.shift()) yield `${JSON.stringify(line)}\n`
    if (isDone) break
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  await work
}

async function describeReport(report: ImportReport, { headers }: Table, language: Language): Promise<ImportRunReport> {
  const { invalid, ...counts } = report
  return {
    ...counts,
    invalidCount: invalid.length,
    invalid: invalid
      .slice(0, shownInvalidMax)
      .map(({ line, problems }) => ({ line, problems: problems.map((one) => formatProblem(one, language)) })),
    errors: invalid.length === 0 ? null : await writeInvalidRows(headers, invalid, language),
  }
}

const shownInvalidMax = 100

function describeError(error: unknown, language: Language) {
  const apiError = error instanceof ApiError ? error : new ApiError('InternalError')
  return { code: apiError.code, message: errorMessage(apiError.code, apiError.params, language) }
}

/** Throws `UnreadableFile`. */
async function readRequestTable({ request }: AppRequest): Promise<Table> {
  return readTable(await request.body())
}

/** The import target in the path. Throws `NotFound` and `RoleMissing`. */
export function requireImportTarget(appRequest: AppRequest): ImportTarget {
  const [name = ''] = appRequest.request.path.slice(appPaths.importTemplate.indexOf(':')).split('/')
  const target = [...importTargets.values()].find(({ resource }) => resource.wire.toLowerCase() === name.toLowerCase())
  if (target === undefined) throw new ApiError('NotFound', { params: { what: message('thisUrl') } })
  requireImportScope(appRequest, target)
  return target
}

function requireImportScope({ sessionUser }: AppRequest, { scope }: ImportTarget): void {
  const grantedScopes: ReadonlySet<string> = sessionUser.caller.scopes
  if (!grantedScopes.has(scope)) throw roleMissingError(sessionUser)
}
