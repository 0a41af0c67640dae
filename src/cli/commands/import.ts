// `dagsverk import`: imports directory records and revenue from CSV or Excel files.
import { statSync, writeFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { Option, type Command } from '@commander-js/extra-typings'
import { companyIdForOperator } from '../../auth/caller.ts'
import { addStoreAction } from '../support/store-action.ts'
import { printImport, printColumns } from '../support/import-report.ts'
import { operatorContext, resolveCompany } from '../support/resolve-company.ts'
import { createProgress } from '../support/progress.ts'
import { readInputFile } from '../support/line-list.ts'
import type { Runtime } from '../../server/environment.ts'
import { mapColumns } from '../../imports/columns.ts'
import { runImport } from '../../imports/import.ts'
import { fileBytesMax, readTable } from '../../imports/read-table.ts'
import type { ImportTarget } from '../../imports/import-target.ts'
import { importTargets } from '../../imports/import-targets.ts'
import { templateText } from '../../imports/template.ts'
import { writeInvalidRows } from '../../imports/rejected-rows-csv.ts'
import { exitCodes, messageOf, OperatorError, usageError } from '../../lib/operator-error.ts'
import type { Language } from '../../errors/messages.ts'

export function addImportCommands(program: Command, runtime: Runtime): void {
  const command = program
    .command('import')
    .description('import employees, departments, projects, sites and revenue from CSV or Excel')
    .addHelpText('afterAll', examples)
  for (const [plural, wire] of Object.entries(plurals)) {
    const target = importTargets.get(wire)
    if (target !== undefined) addImport(command, runtime, plural, target)
  }
  addTemplate(command, runtime)
}

/** Command name and entity set of each import. */
const plurals: Readonly<Record<string, string>> = {
  employees: 'Ansatt',
  departments: 'Avdeling',
  projects: 'Prosjekt',
  sites: 'Anlegg',
  revenue: 'Omsetning',
}

function addImport(parent: Command, runtime: Runtime, plural: string, target: ImportTarget): void {
  const command = parent
    .command(`${plural} <file>`)
    .description(`import ${plural}: updates existing records and inserts new ones`)
    .option('--company <name>', 'the company (default: the only one)')
    .option('--dry-run', 'validate and report, without storing anything')
    .option('--good-rows', 'import the valid rows (default: all rows or none)')
    .option('--errors <file>', 'write rejected rows and their errors to this file')
    .option('--mapping <header=field...>', 'map a column to a field; "Header=-" ignores it')
    .option('--empty-clears', 'empty cells clear the field (default: they change nothing)')
    .addOption(languageOption('en', 'language of error messages'))
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async ({ store, flags }, file) => {
    const company = await resolveCompany(store, flags.company)
    const path = resolve(runtime.cwd, file)
    const errorsPath = flags.errors === undefined ? null : resolve(runtime.cwd, flags.errors)
    if (errorsPath !== null && isSameFile(errorsPath, path)) throw usageError('--errors must not be the input file.')
    const companyId = companyIdForOperator(company)
    const table = await readTable(readInputFile(path, fileBytesMax), { companyId })
    const columns = mapColumns(target, table.headers, parseMapping(flags.mapping))
    printColumns(runtime, columns)
    const progress = createProgress(runtime)
    const report = await runImport(store, companyId, {
      target,
      file: basename(file),
      departments: null,
      table,
      columns,
      zone: company.timezone,
      isEmptying: flags.emptyClears ?? false,
      takes: flags.goodRows ? 'good' : 'all',
      isDryRun: flags.dryRun ?? false,
      context: operatorContext(company, runtime),
      onProgress: (step, rows) => progress.show(step, rows, table.lines.length),
    })
    progress.clear()
    printImport(runtime, report, flags)
    if (errorsPath !== null && report.invalid.length > 0) {
      writeRejectedRows(errorsPath, await writeInvalidRows(table.headers, report.invalid, flags.language))
      runtime.printMessage(`The rejected rows were written to ${flags.errors}.\n`)
    }
    if (!report.isStored && !flags.dryRun)
      throw new OperatorError('Nothing was stored. Correct the rows, or import only the valid ones with --good-rows.')
  })
}

function isSameFile(one: string, other: string): boolean {
  const [found, foundOther] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  return found !== undefined && found.dev === foundOther?.dev && found.ino === foundOther.ino
}

/** What the import stored has been printed already. */
function writeRejectedRows(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    const problem = `The rejected rows could not be written to ${path}: ${messageOf(error)}.`
    throw new OperatorError(`${problem} Use --dry-run with another file to get them.`, exitCodes.failure, error)
  }
}

function addTemplate(parent: Command, runtime: Runtime): void {
  parent
    .command('template <what>')
    .description(`print a header row for ${Object.keys(plurals).join(', ')}`)
    .addOption(languageOption('nb', 'language of the headers'))
    .action((what, flags) => {
      const target = importTargets.get(plurals[what] ?? '')
      if (target === undefined)
        throw usageError(`There is no template for "${what}". Available: ${Object.keys(plurals).join(', ')}.`)
      runtime.print(templateText(target.resource, flags.language))
    })
}

function languageOption(defaultLanguage: Language, description: string) {
  return new Option('--language <language>', description).choices(['nb', 'en']).default(defaultLanguage)
}

function parseMapping(pairs: readonly string[] = []): ReadonlyMap<string, string | null> {
  return new Map(
    pairs.map((pair) => {
      const at = pair.lastIndexOf('=')
      const field = pair.slice(at + 1).trim()
      if (at < 1 || field === '') throw usageError(`--mapping "${pair}" is invalid. Use "Header=Field" or "Header=-".`)
      return [pair.slice(0, at).trim(), field === '-' ? null : field]
    }),
  )
}

const examples = `
Examples:
  dagsverk import template employees > ansatte.csv        create a template
  dagsverk import employees ansatte.csv --dry-run         validate without importing
  dagsverk import employees ansatte.xlsx --company "Fjord AS"
  dagsverk import departments avdelinger.csv --good-rows --errors feil.csv
  dagsverk import revenue omsetning.xlsx
  dagsverk import projects prosjekter.csv --mapping "Kode=Id" --mapping "Type=-"
`
