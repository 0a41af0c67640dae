// Results as printed tables and as a JSON file.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { medianOf, namesIn, rejectedCount, type Comparison } from './comparison.ts'
import { boundText, goalNames, goalOf, isReached, type GoalName } from './goals.ts'
import { figure } from './figure.ts'
import { machine } from './machine.ts'
import { resultsFolder } from './location.ts'

export interface BenchmarkResult {
  readonly title: string
  readonly value: number
  readonly unit: string
  readonly detail: string
  /** The goal that it is compared with. None where only the number is of interest. */
  readonly goal?: GoalName
}

/** The goals with what was reached, the other results, and below them the speed of every contender. */
export function print(results: readonly BenchmarkResult[], comparisons: readonly Comparison[]): void {
  console.log(markdown(goalRows(results)))
  const others = results.filter(({ goal }) => goal === undefined)
  if (others.length > 0) {
    const rows = others.map(({ title, detail, ...result }) => [title, valueText(result), detail])
    console.log(`\n${markdown([['Other result', 'Value', 'Rounds'], ...rows])}`)
  }
  if (comparisons.length > 0) console.log(`\n${markdown(speedRows(comparisons))}`)
}

/** Writes all measurements to a file, and returns its path. */
export function save(content: object, now: Date): string {
  mkdirSync(resultsFolder, { recursive: true })
  const file = join(resultsFolder, `${now.toISOString().replaceAll(':', '-').slice(0, 19)}.json`)
  writeFileSync(file, `${JSON.stringify({ at: now.toISOString(), machine, ...content }, null, 2)}\n`)
  return file
}

/** A table in Markdown, whose columns are aligned. */
export function markdown([titles = [], ...rows]: readonly (readonly string[])[]): string {
  const widths = titles.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(titles), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

/** A row for each goal, also for those that this run did not measure. */
function goalRows(results: readonly BenchmarkResult[]): string[][] {
  const rows = goalNames.map((name) => {
    const goal = goalOf(name)
    const result = results.find((each) => each.goal === name)
    const brilliant = goal.brilliant === undefined ? '' : figure(goal.brilliant)
    const value = result === undefined ? Number.NaN : result.value
    const text = Number.isNaN(value) ? 'not measured' : valueText({ value, unit: goal.unit ?? '' })
    const verdict = Number.isNaN(value) ? '' : isReached(goal, value) ? 'yes' : 'NO'
    return [goal.title, boundText(goal), brilliant, text, verdict, result?.detail ?? '']
  })
  return [['Work', 'Goal', 'Brilliant', 'Result', 'Reached', 'Rounds'], ...rows]
}

function valueText({ value, unit }: Pick<BenchmarkResult, 'value' | 'unit'>): string {
  return `${figure(value)}${unit}`
}

function speedRows(comparisons: readonly Comparison[]): string[][] {
  const rows = comparisons.flatMap((comparison) =>
    namesIn(comparison).map((name) => [comparison.name, name, ...speed(comparison, name)]),
  )
  const titles = [
    'Case',
    'Contender',
    'Requests/s',
    'p50 ms',
    'p99 ms',
    'µs of CPU each',
    'and of the database',
    'Writes per commit',
    'Rejected',
  ]
  return [titles, ...rows]
}

function speed(comparison: Comparison, name: string): string[] {
  const middle = (read: Parameters<typeof medianOf>[2]) => figure(medianOf(comparison, name, read))
  return [
    middle(({ perSecond }) => perSecond),
    middle(({ p50Ms }) => p50Ms),
    middle(({ p99Ms }) => p99Ms),
    middle(({ cpuSeconds, requests }) => cpuSeconds && (1e6 * cpuSeconds) / requests),
    middle(({ databaseCpuSeconds: cpu, requests }) => cpu && (1e6 * cpu) / requests),
    middle(({ operationsPerCommit }) => operationsPerCommit),
    figure(rejectedCount(comparison, name)),
  ]
}
