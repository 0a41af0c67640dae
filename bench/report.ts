// Results as a printed table and as a JSON file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { medianOf, namesIn, rejectedCount, type Contest } from './contest.ts'
import { machine } from './machine.ts'
import { resultsFolder } from './location.ts'
import { rangeOf } from './statistics.ts'

export interface Finding {
  readonly what: string
  readonly reached: number
  readonly unit: string
  /** The bound to reach: a minimum or a maximum. None where only the number is of interest. */
  readonly atLeast?: number
  readonly atMost?: number
  readonly range?: number
  readonly detail: string
}

/** The results compared with the goals, and below them the speed of every contestant. */
export function print(findings: Finding[], contests: Contest[]): void {
  const found = findings.map((finding) => [
    finding.what,
    `${figure(finding.reached)}${finding.unit}`,
    bound(finding),
    verdict(finding),
    finding.detail,
  ])
  printTable([['ratio or figure', 'reached', 'goal', '', 'rounds'], ...found])
  if (contests.length === 0) return
  const speeds = contests.flatMap((contest) =>
    namesIn(contest).map((name) => [contest.case, name, ...speed(contest, name)]),
  )
  console.log()
  const titles = ['case', 'who', 'requests/s', 'p50 ms', 'p99 ms', 'us of CPU each', 'refused']
  printTable([titles, ...speeds])
}

/** Writes all measurements to a file, and prints its path. */
export function save(content: object, now: Date): string {
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${now.toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  writeFileSync(
    file,
    `${JSON.stringify({ at: now.toISOString(), machine, ...content }, null, 2)}\n`,
  )
  return file
}

/** `0.61 to 0.72`. */
export function rangeText(values: number[]): string {
  const [least, greatest] = rangeOf(values)
  return `${figure(least)} to ${figure(greatest)}`
}

/** More than three significant digits would exceed the precision of the measurements. */
export function figure(value: number): string {
  return Number.isNaN(value)
    ? '–'
    : value >= 1000
      ? Math.round(value).toLocaleString('en')
      : String(Number(value.toPrecision(3)))
}

export function printTable(table: string[][]): void {
  const widths = (table[0] ?? []).map((_, i) =>
    Math.max(...table.map((line) => line[i]?.length ?? 0)),
  )
  for (const line of table) {
    console.log(
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

function speed(contest: Contest, name: string): string[] {
  return [
    figure(medianOf(contest, name, (each) => each.perSecond)),
    figure(medianOf(contest, name, (each) => each.p50Ms)),
    figure(medianOf(contest, name, (each) => each.p99Ms)),
    figure(medianOf(contest, name, (each) => each.perCpuSecond && 1e6 / each.perCpuSecond)),
    figure(rejectedCount(contest, name)),
  ]
}

function bound(finding: Finding): string {
  if (finding.atMost !== undefined) return `<= ${finding.atMost}`
  if (finding.atLeast === undefined) return ''
  return finding.range === undefined
    ? `>= ${finding.atLeast}`
    : `>= ${finding.atLeast} (${finding.range})`
}

function verdict({ reached, atLeast, atMost }: Finding): string {
  if (Number.isNaN(reached)) return 'not measured'
  if (atLeast === undefined && atMost === undefined) return ''
  return reached >= (atLeast ?? -Infinity) && reached <= (atMost ?? Infinity) ? 'yes' : 'NO'
}
