// A comparison: all contenders run the same work in turn, round after round; only ratios within a round count.
import type { LoadMeasurement } from './load-job.ts'
import { reasonOf } from './program.ts'
import { median } from './statistics.ts'

/** The part of a measurement that is compared, of servers under load and of single calls alike. */
export type Measurement = Pick<
  LoadMeasurement,
  | 'requests'
  | 'rejected'
  | 'firstRejection'
  | 'seconds'
  | 'perSecond'
  | 'cpuSeconds'
  | 'databaseCpuSeconds'
  | 'p50Ms'
  | 'p99Ms'
> & {
  /** Writes per commit, of a server with metrics. */
  readonly operationsPerCommit?: number
}

export interface Contender<Name extends string> {
  readonly name: string
  readonly measure: (name: Name, seed: number, isFirst: boolean) => Promise<Measurement>
}

/**
 * Requests per second: `cpu` of server CPU, the steadiest; `total` of CPU of server and database; `rate` of wall
 * time.
 */
export type ComparisonBasis = 'cpu' | 'total' | 'rate'

export interface Comparison {
  readonly name: string
  /** The measurements of each round, by contender. */
  readonly rounds: Record<string, Measurement>[]
  /** The error of each failed contender. */
  readonly failures: Record<string, string>
}

/**
 * Runs the rounds of a case, in alternating order. A contender that fails takes no part in later
 * rounds.
 */
export async function compare<Name extends string>(
  name: Name,
  contenders: readonly Contender<Name>[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Comparison> {
  const measured: Record<string, Measurement>[] = []
  const failures: Record<string, string> = {}
  for (let round = 0; round < rounds; round++) {
    const measurements: Record<string, Measurement> = {}
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of order.filter((each) => failures[each.name] === undefined)) {
      try {
        measurements[contender.name] = await contender.measure(name, round + 1, round === 0)
      } catch (error) {
        failures[contender.name] = reasonOf(error)
      }
    }
    measured.push(measurements)
    onRound(round + 1)
  }
  return { name, rounds: measured, failures }
}

/** Why the measurements of this contender do not count: it failed, or rejected requests. */
export function problemOf(comparison: Comparison, name: string): string | undefined {
  const failure = comparison.failures[name]
  if (failure !== undefined) return `${name} failed: ${failure}`
  const measured = comparison.rounds.flatMap((round) => round[name] ?? [])
  const rejected = rejectedCount(comparison, name)
  if (rejected === 0) return undefined
  const sent = rejected + measured.reduce((sum, each) => sum + each.requests, 0)
  const rejection = measured.find((each) => each.firstRejection !== null)?.firstRejection
  return `${name} rejected ${rejected} of ${sent} requests: ${rejection}`
}

export function rejectedCount({ rounds }: Comparison, name: string): number {
  return rounds.reduce((sum, round) => sum + (round[name]?.rejected ?? 0), 0)
}

/** All contenders, also those that failed in the first round. */
export function namesIn({ rounds, failures }: Comparison): string[] {
  return [...new Set([...Object.keys(rounds[0] ?? {}), ...Object.keys(failures)])]
}

export function problemsIn(comparison: Comparison): string[] {
  return namesIn(comparison).flatMap((name) => {
    const problem = problemOf(comparison, name)
    return problem === undefined ? [] : [`${comparison.name}: ${problem}`]
  })
}

/** The ratio within each round, without rounds in which one of the two was not measured. */
export function ratiosOf(comparison: Comparison, over: string, under: string, by: ComparisonBasis): number[] {
  return comparison.rounds.flatMap((round) => {
    const above = speedOf(round[over], by)
    const below = speedOf(round[under], by)
    return above === null || below === null ? [] : [above / below]
  })
}

export function medianOf(
  comparison: Comparison,
  name: string,
  read: (measurement: Measurement) => number | null | undefined,
): number {
  return median(
    comparison.rounds.flatMap((round) => {
      const measurement = round[name]
      return measurement === undefined ? [] : (read(measurement) ?? [])
    }),
  )
}

function speedOf(measurement: Measurement | undefined, by: ComparisonBasis): number | null {
  if (measurement === undefined) return null
  const { requests, cpuSeconds, databaseCpuSeconds, perSecond } = measurement
  if (by === 'rate') return perSecond
  const seconds =
    by === 'cpu' || cpuSeconds === null || databaseCpuSeconds === null ? cpuSeconds : cpuSeconds + databaseCpuSeconds
  return seconds === null || seconds === 0 ? null : requests / seconds
}
