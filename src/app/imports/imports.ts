// Spreadsheet imports: columns, dry run, import with progress, undo.
import { actorNames } from '../actors.ts'
import { invalid, numberIn } from '../audited-action.ts'
import { readFields } from '../body.ts'
import { json, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { deedOf } from '../../auth/action-context.ts'
import { Fault, sentence } from '../../errors/catalog.ts'
import type { Reply } from '../../http/request.ts'
import { columnsPut, guessedFields } from '../../imports/columns.ts'
import { runImport, type Import, type ImportReport } from '../../imports/import.ts'
import { readTable, type Table } from '../../imports/read-table.ts'
import type { Subject } from '../../imports/import-target.ts'
import { subjects } from '../../imports/import-targets.ts'
import { templateText } from '../../imports/template.ts'
import { isUndoable, subjectOf, undoImport } from '../../imports/undo.ts'
import { fittedMapping } from '../../imports/mapping.ts'
import { problemText, wrongText } from '../../imports/rejected-rows-csv.ts'
import { headersOf } from '../../model/import-headers.ts'
import { knownParameters, parseQuery } from '../../engine/odata/options/query.ts'
import { phrase, type Language } from '../../errors/messages.ts'
import { importMappings } from '../../store/imports/import-mappings.ts'
import { importRuns } from '../../store/imports/imports.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** The latest imports of sets that the user may write; timestamps are microseconds. */
export async function importList({ store, visitor, clock }: Asked): Promise<Reply> {
  const name = await actorNames(store, visitor)
  const rights: ReadonlySet<string> = visitor.caller.scopes
  const runs = await importRuns(store, visitor.caller.companyId)
  return json({
    subjects: [...subjects.values()]
      .filter(({ right }) => rights.has(right))
      .map(({ resource }) => resource.wire),
    runs: runs
      .filter(({ resource }) => rights.has(subjects.get(resource)?.right ?? ''))
      .map((run) => ({
        ...run,
        actor: name(run.actor),
        undoneBy: name(run.undoneBy),
        isUndoable: isUndoable(run, clock()),
      })),
  })
}

/** A CSV template with the headers only. */
export async function importTemplate(asked: Asked): Promise<Reply> {
  const { resource } = subjectIn(asked)
  const query = parseQuery(asked.request.search, knownParameters(['language'], 'refused'))
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
export async function importColumns(asked: Asked): Promise<Reply> {
  const { store, visitor } = asked
  const subject = subjectIn(asked)
  const table = await tableIn(asked)
  const titles = headersOf(subject.resource)
  const saved = await importMappings(store, visitor.caller.companyId, subject.resource.wire)
  return json({
    headers: table.headers,
    guessed: guessedFields(subject, table.headers),
    mappings: saved.map((one) => fittedMapping(subject, one, table.headers)),
    rows: table.lines.length,
    first: table.lines.slice(0, shownRows),
    needs: subject.needs.map((group) =>
      group.map((name) => subject.resource.fields[name]?.wire ?? name),
    ),
    fields: Object.entries(titles).map(([name, { nb, en }]) => {
      const field = subject.resource.fields[name]
      return { wire: field?.wire ?? name, type: field?.type ?? 'text', nb, en }
    }),
  })
}

const shownRows = 8

/**
 * Imports or dry-runs a file. The reply is JSON lines: progress, and finally the report, or an error, because the status
 * has been sent by then.
 */
export async function importRows(asked: Asked): Promise<Reply> {
  const { request } = asked
  const subject = subjectIn(asked)
  const query = parseQuery(request.search, knownParameters(parameters, 'refused'))
  const table = await tableIn(asked)
  const columns = columnsPut(subject, table.headers, (query.get('fields') ?? '').split(','))
  const takes = query.get('takes') ?? 'all'
  if (takes !== 'all' && takes !== 'good') throw invalid('takes', phrase('noSuchChoice'))
  const job = {
    subject,
    table,
    columns,
    takes,
    file: (query.get('file') ?? '').slice(0, 200).toWellFormed(),
    zone: asked.visitor.caller.company.zone,
    isEmptying: query.get('emptying') === 'true',
    isDryRun: query.get('dry') !== 'false',
    departments: asked.visitor.departments,
    deed: deedOf(asked.visitor.caller, request.id, asked.clock()),
  } as const
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/x-ndjson; charset=utf-8',
      'Cache-Control': 'no-store',
      // A buffering proxy would hide the progress.
      'X-Accel-Buffering': 'no',
    },
    body: lines(asked, job),
  }
}

const parameters = ['fields', 'file', 'takes', 'emptying', 'dry'] as const

/** Restores the records that nobody changed since the import. */
export async function undoOneImport(asked: Asked): Promise<Reply> {
  const { store, request, visitor, clock } = asked
  const id = numberIn(await readFields(request), 'run')
  const deed = deedOf(visitor.caller, request.id, clock())
  const { undone, kept } = await store.inTransaction(
    visitor.caller.companyId,
    async (transaction) => {
      const found = await subjectOf(transaction, id)
      requireRight(asked, found.subject)
      return undoImport(transaction, found, { deed, departments: visitor.departments })
    },
  )
  return json({ undone, kept: kept.slice(0, shownWrong), keptCount: kept.length })
}

/** The import continues when the client disconnects; its result is in the list of imports. */
async function* lines(asked: Asked, job: Import): AsyncGenerator<string> {
  const { store, visitor, request } = asked
  const language = languageOf(request.header('accept-language'))
  const news: object[] = []
  let wake = () => {}
  const tell = (line: object) => {
    news.push(line)
    wake()
  }
  let isDone = false
  const work = runImport(store, visitor.caller.companyId, {
    ...job,
    onProgress: (step, rows) => tell({ step, rows }),
  })
    .then(async (report) => tell({ report: await told(report, job.table, language) }))
    .catch((error: unknown) => tell({ refused: refusalOf(error, language) }))
    .finally(() => {
      isDone = true
      wake()
    })
  for (;;) {
    for (let line = news.shift(); line !== undefined; line = news.shift())
      yield `${JSON.stringify(line)}\n`
    if (isDone) break
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
  await work
}

async function told(report: ImportReport, { headers }: Table, language: Language) {
  const { wrong, ...counts } = report
  return {
    ...counts,
    wrongCount: wrong.length,
    wrong: wrong.slice(0, shownWrong).map(({ line, problems }) => ({
      line,
      problems: problems.map((one) => problemText(one, language)),
    })),
    errors: wrong.length === 0 ? null : await wrongText(headers, wrong, language),
  }
}

const shownWrong = 100

function refusalOf(error: unknown, language: Language) {
  const fault = error instanceof Fault ? error : new Fault('InternalError')
  return { code: fault.code, message: sentence(fault.code, fault.says, language) }
}

/** Throws `UnreadableFile`. */
async function tableIn({ request }: Asked): Promise<Table> {
  return readTable(await request.body())
}

/** The import target in the path. Throws `NotFound` and `RoleMissing`. */
export function subjectIn(asked: Asked): Subject {
  const [name = ''] = asked.request.path.slice(words.importTemplate.indexOf(':')).split('/')
  const subject = [...subjects.values()].find(
    ({ resource }) => resource.wire.toLowerCase() === name.toLowerCase(),
  )
  if (subject === undefined) throw new Fault('NotFound', { says: { what: phrase('theAddress') } })
  requireRight(asked, subject)
  return subject
}

function requireRight({ visitor }: Asked, { right }: Subject): void {
  const { role, caller } = visitor
  const rights: ReadonlySet<string> = caller.scopes
  if (!rights.has(right))
    throw new Fault('RoleMissing', { says: { role, company: caller.company.name } })
}
