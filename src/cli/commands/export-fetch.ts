// `dagsverk export fetch`: writes the waiting lines to a file and logs the retrieval.
import { rmSync } from 'node:fs'
import { realpath, stat, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Option, type Command } from '@commander-js/extra-typings'
import { withCondition } from '../../api/export/retrieval.ts'
import { addDestinationAction, type DestinationContext } from '../support/resolve-destination.ts'
import { printOne } from '../support/print.ts'
import { createProgress } from '../support/progress.ts'
import type { Runtime } from '../../server/environment.ts'
import { ApiError } from '../../errors/api-error.ts'
import { partialFile, writeWhole } from '../../journal/durable-files.ts'
import { formatDecimal } from '../../lib/decimal.ts'
import { toWriteError } from '../../lib/operator-error.ts'
import { formatTimestamp } from '../../lib/timestamp.ts'
import { logFullRetrieval } from '../../export/retrieval.ts'
import { offeredLines } from '../../export/offered-lines.ts'
import { serviceSchema } from '../../model/service-schema.ts'
import type { Field } from '../../engine/model/resource.ts'
import { exportable } from '../../model/transaction.ts'
import { standardDialect } from '../../engine/odata/dialect.ts'
import { planRead } from '../../engine/planner/plan-read.ts'
import type { ReadPlan } from '../../engine/planner/read-plan.ts'
import { expireClaims } from '../../store/export/claims.ts'
import { exportsSuspendedSince } from '../../store/export/export-suspension.ts'
import type { SqlValue } from '../../engine/sql/dialect.ts'
import { byteOrderMark, csvLine } from '../../engine/formats/csv/csv.ts'

export function addFetchCommand(group: Command, runtime: Runtime): void {
  const command = group
    .command('fetch <file>')
    .description('write the waiting lines to a file; they stay on the list until they are marked')
    .addOption(new Option('--format <json|csv>', 'file format (default: by file extension)').choices(['json', 'csv']))
    .option('--bom', 'start CSV with a byte order mark, for spreadsheets')
    .addHelpText('after', examples)
  addDestinationAction(command, runtime, async (target, flags, file) => {
    const { store, companyId, destination, context } = target
    if ((await exportsSuspendedSince(store)) !== null) throw new ApiError('ExportSuspended')
    const retrieval = await store.inTransaction(companyId, async (transaction) => {
      await expireClaims(transaction, context.now)
      return logFullRetrieval(transaction, destination, context)
    })
    const plan = withCondition(createPlan(target), 'le', 'readyAt', retrieval.at)
    const format = flags.format ?? (file.toLowerCase().endsWith('.csv') ? 'csv' : 'json')
    const path = resolve(runtime.cwd, file)
    const progress = createProgress(runtime)
    const show = (lines: number) => progress.show('writing', lines, retrieval.count)
    const texts =
      format === 'csv' ? writeCsv(target, plan, { bom: flags.bom ?? false, show }) : writeJson(target, plan, show)
    await writeAtomically(path, texts, runtime)
    progress.clear()
    const { id, count, quantity, amount, hash } = retrieval
    printOne(runtime, { file: path, retrieval: id, lines: count, quantity, amount, hash }, flags)
  })
}

function createPlan({ companyId, destination, context }: DestinationContext): ReadPlan {
  const plan = planRead(exportable, new Map(), {
    schema: serviceSchema,
    companyId,
    grantedScopes: new Set([exportable.readScope]),
    zone: context.zone,
    dialect: standardDialect,
    dates: 'date',
    naming: 'declared',
    clock: () => context.now,
  })
  return withCondition({ ...plan, resource: offeredLines }, 'eq', 'destinationId', destination.id)
}

async function* writeJson(
  { store }: DestinationContext,
  plan: ReadPlan,
  show: (lines: number) => void,
): AsyncGenerator<string> {
  yield '['
  const read = await store.readRows(plan, 'json')
  let lines = 0
  for await (const rows of 'whole' in read ? [read.whole] : read.chunks) {
    if (rows.length === 0) continue
    yield `${lines === 0 ? '' : ','}\n${rows.map(([record]) => String(record)).join(',\n')}`
    lines += rows.length
    show(lines)
  }
  yield '\n]\n'
}

async function* writeCsv(
  { store }: DestinationContext,
  plan: ReadPlan,
  { bom, show }: { readonly bom: boolean; readonly show: (lines: number) => void },
): AsyncGenerator<string> {
  const fields = new Map<string, Field>(Object.entries(exportable.fields))
  const columns = plan.select.flatMap(({ field }) => fields.get(field) ?? [])
  yield (bom ? byteOrderMark : '') + csvLine(columns.map(({ wire }) => wire))
  const read = await store.readRows(plan, 'values')
  let lines = 0
  for await (const rows of 'whole' in read ? [read.whole] : read.chunks) {
    const texts = rows.map((row) => csvLine(columns.map((field, index) => formatCell(field, row[index] ?? null))))
    yield texts.join('')
    lines += rows.length
    show(lines)
  }
}

/** Decimal comma, as spreadsheets expect in semicolon-separated files. */
function formatCell({ type }: Field, value: SqlValue): string {
  if (value === null) return ''
  if (type === 'decimal') return formatDecimal(Number(value)).replace('.', ',')
  if (type === 'timestamp') return formatTimestamp(Number(value))
  return type === 'boolean' ? String(Number(value) === 1) : String(value)
}

/** A link stays, and its target is replaced; a pipe or a device is written to. A signal leaves no incomplete file. */
async function writeAtomically(path: string, texts: AsyncIterable<string>, runtime: Runtime): Promise<void> {
  const file = await realpath(path).catch(() => path)
  const found = await stat(file).catch(() => null)
  if (found !== null && !found.isFile())
    return writeFile(file, texts).catch((error: unknown) => {
      throw toWriteError(error, path) ?? error
    })
  runtime.onInterrupt?.(() => rmSync(partialFile(file), { force: true }))
  await writeWhole(file, 'replace', (partial) => writeFile(partial, texts, { flush: true }))
}

const examples = `
CSV cells are separated by semicolons, decimals use a comma, and formulas are escaped.

Examples:
  dagsverk export fetch linjer.json
  dagsverk export fetch linjer.csv --bom --company "Fjord AS"
  dagsverk export fetch linjer.json && import-into-ledger linjer.json && dagsverk export mark --file linjer.json
`
