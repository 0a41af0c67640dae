// Runs or dry-runs an import; the reply streams its progress.
import { PassThrough } from 'node:stream'
import type { ImportEvent, ImportRunReport } from '../contract/imports.ts'
import { invalidChoiceError, queryIn } from '../request-values.ts'
import type { AppRequest } from '../route.ts'
import { writeContext } from '../../auth/action-context.ts'
import { ApiError } from '../../errors/api-error.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { mapColumnsInOrder } from '../../imports/columns.ts'
import { runImport, type ImportOptions, type ImportReport } from '../../imports/import.ts'
import type { ImportTable } from '../../imports/read-table.ts'
import { formatProblem, writeInvalidRows } from '../../imports/rejected-rows-csv.ts'
import type { Language } from '../../errors/messages.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { shownInvalidMax, readRequestTable, requireImportTarget } from './imports.ts'

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
    zone: appRequest.company.zone,
    isEmptying: query.get('emptying') === 'true',
    isDryRun: query.get('dry') !== 'false',
    departments: appRequest.sessionUser.departments,
    context: writeContext(appRequest.sessionUser.caller, request.id, appRequest.clock()),
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

/** The import continues when the client disconnects; its result is in the list of imports. */
function streamImport({ store, request, companyId, logError }: AppRequest, job: ImportOptions): AsyncIterable<string> {
  const language = negotiateLanguage(request.header('accept-language'))
  const events = new PassThrough({ objectMode: true })
  const send = (event: ImportEvent) => void events.write(`${JSON.stringify(event)}\n`)
  void runImport(store, companyId, { ...job, onProgress: (step, rows) => send({ step, rows }) })
    .then(async (report) => send({ report: await describeReport(report, job.table, language) }))
    .catch((error: unknown) => {
      logError(error, request)
      const { code, params } = error instanceof ApiError ? error : new ApiError('InternalError')
      send({ error: { code, message: errorMessage(code, params, language), requestId: request.id } })
    })
    .finally(() => events.end())
  return events
}

async function describeReport(
  report: ImportReport,
  { headers }: ImportTable,
  language: Language,
): Promise<ImportRunReport> {
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
