// Findings as a table for the eye, and as a file for later.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { machine } from './machine.ts'
import { resultsFolder } from './places.ts'

export interface Finding {
  readonly what: string
  readonly reached: number
  readonly unit: string
  /** The bound to reach: from below, or to stay under. None where only the figure is of interest. */
  readonly atLeast?: number
  readonly atMost?: number
  readonly stretch?: number
  readonly detail: string
}

export function print(findings: Finding[]): void {
  const lines = findings.map((finding) => [
    finding.what,
    `${figure(finding.reached)}${finding.unit}`,
    bound(finding),
    verdict(finding),
    finding.detail,
  ])
  const table = [['what', 'reached', 'goal', '', 'detail'], ...lines]
  const widths = [0, 1, 2, 3].map((i) => Math.max(...table.map((line) => line[i]?.length ?? 0)))
  for (const line of table) {
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

/** Writes everything that was measured, and says where. */
export function save(content: object, now: Date): string {
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${now.toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  writeFileSync(
    file,
    `${JSON.stringify({ at: now.toISOString(), machine, ...content }, null, 2)}\n`,
  )
  return file
}

/** Three significant digits are more than such measurements deserve. */
export const figure = (value: number): string =>
  Number.isNaN(value)
    ? '–'
    : value >= 1000
      ? Math.round(value).toLocaleString('en')
      : String(Number(value.toPrecision(3)))

function bound(finding: Finding): string {
  if (finding.atMost !== undefined) return `<= ${finding.atMost}`
  if (finding.atLeast === undefined) return ''
  return finding.stretch === undefined
    ? `>= ${finding.atLeast}`
    : `>= ${finding.atLeast} (${finding.stretch})`
}

function verdict({ reached, atLeast, atMost }: Finding): string {
  if (Number.isNaN(reached)) return 'not measured'
  if (atLeast === undefined && atMost === undefined) return ''
  return reached >= (atLeast ?? -Infinity) && reached <= (atMost ?? Infinity) ? 'yes' : 'NO'
}
