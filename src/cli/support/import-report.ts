// What an import tells: the columns as they are understood, and what became of the rows.
import { printOne, type JsonFlag } from './print.ts'
import type { World } from '../../server/environment.ts'
import type { ImportColumns } from '../../imports/columns.ts'
import type { ImportReport } from '../../imports/import.ts'
import type { WrongLine } from '../../imports/rows.ts'
import { problemText } from '../../imports/rejected-rows-csv.ts'
import { sentence } from '../../errors/catalog.ts'
import { OperatorError } from '../../lib/operator-error.ts'
import type { Language } from '../../errors/messages.ts'

/** Before anything is done. */
export function tellColumns(world: World, { read, ignored }: ImportColumns): void {
  for (const { header, field } of read) world.tell(`  ${harmless(header)} → ${field.wire}\n`)
  for (const header of ignored) world.tell(`  ${harmless(header)} is left out\n`)
}

interface ReportFlags extends JsonFlag {
  readonly dryRun?: boolean
  readonly errors?: string
  readonly language: Language
}

/** Throws an `OperatorError` where nothing was stored that should have been. */
export function printImport(world: World, report: ImportReport, flags: ReportFlags): void {
  const { wrong, isStored, inserted, changed, unchanged } = report
  const counts = { new: inserted, changed, unchanged, wrong: wrong.length, stored: isStored }
  if (flags.json)
    world.print(
      `${JSON.stringify({ ...counts, errors: wrong.map((one) => jsonOf(one, flags.language)) }, null, 2)}\n`,
    )
  else printOne(world, counts, flags)
  for (const one of wrong.slice(0, shownMax))
    for (const problem of one.problems)
      world.tell(`line ${one.line}: ${harmless(problemText(problem, flags.language))}\n`)
  if (wrong.length > shownMax && flags.errors === undefined)
    world.tell(`and ${wrong.length - shownMax} more; --errors FILE writes all of them\n`)
  if (flags.errors !== undefined && wrong.length > 0)
    world.tell(`They are written to ${flags.errors}.\n`)
  if (!isStored && !flags.dryRun)
    throw new OperatorError(
      'Nothing was stored. Repair the rows, or take the others with --good-rows.',
    )
}

const shownMax = 20

/** What came in a file must not steer the terminal. */
function harmless(text: string): string {
  return text.replace(/\p{Cc}/gu, ' ')
}

function jsonOf({ line, problems }: WrongLine, language: Language) {
  return {
    line,
    problems: problems.map(({ header, detail }) => ({
      code: detail.code,
      column: header,
      message: sentence(detail.code, detail.says, language),
    })),
  }
}
