// Output of an import: the recognized columns, and the result of the rows.
import { printOne, type JsonFlag } from './print.ts'
import type { Runtime } from '../../server/environment.ts'
import type { ImportColumns } from '../../imports/columns.ts'
import type { ImportReport } from '../../imports/import.ts'
import type { InvalidLine } from '../../imports/rows.ts'
import { formatProblem } from '../../imports/rejected-rows-csv.ts'
import { errorMessage } from '../../errors/catalog.ts'
import type { Language } from '../../errors/messages.ts'

/** Prints the recognized columns before the import. */
export function printColumns(runtime: Runtime, { read, ignored }: ImportColumns): void {
  for (const { header, field } of read) runtime.printMessage(`  ${stripControls(header)} → ${field.wire}\n`)
  for (const header of ignored) runtime.printMessage(`  ${stripControls(header)} is ignored\n`)
}

/** Prints the numbers, and the first invalid rows. */
export function printImport(
  runtime: Runtime,
  report: ImportReport,
  flags: JsonFlag & { readonly errors?: string; readonly language: Language },
): void {
  const { invalid, isStored, inserted, changed, unchanged } = report
  const counts = { new: inserted, changed, unchanged, invalid: invalid.length, stored: isStored }
  if (flags.json)
    runtime.print(
      `${JSON.stringify({ ...counts, errors: invalid.map((one) => toJson(one, flags.language)) }, null, 2)}\n`,
    )
  else printOne(runtime, counts, flags)
  for (const one of invalid.slice(0, shownMax))
    for (const problem of one.problems)
      runtime.printMessage(`line ${one.line}: ${stripControls(formatProblem(problem, flags.language))}\n`)
  if (invalid.length > shownMax && flags.errors === undefined)
    runtime.printMessage(`and ${invalid.length - shownMax} more; use --errors FILE to write all of them\n`)
}

const shownMax = 20

/** Removes control characters, so that file contents cannot control the terminal. */
function stripControls(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

function toJson({ line, problems }: InvalidLine, language: Language) {
  return {
    line,
    problems: problems.map(({ header, detail }) => ({
      code: detail.code,
      column: header,
      message: errorMessage(detail.code, detail.params, language),
    })),
  }
}
