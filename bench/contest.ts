// A contest: all contestants run the same case in turn, round after round; only ratios within a round count.
import type { CaseName } from './cases.ts'
import type { Measurement } from './load.ts'
import type { Loader } from './loader.ts'
import { pinned, serverCore } from './machine.ts'
import { benchFolder } from './location.ts'
import { reasonOf, run } from './program.ts'
import type { Server } from './server.ts'
import { median } from './statistics.ts'
import { join } from 'node:path'

export interface Contestant {
  readonly name: string
  readonly measure: (name: CaseName, seed: number, isFirst: boolean) => Promise<Measurement>
}

/**
 * `cpu` = requests per second of server CPU, the steadiest; `rate` = requests per second of wall
 * time.
 */
export type Basis = 'cpu' | 'rate'

export interface Contest {
  readonly case: CaseName
  readonly rounds: Record<string, Measurement>[]
  /** The error of each failed contestant. */
  readonly failures: Record<string, string>
}

/**
 * Runs the rounds of a case, in rotating order. A contestant that fails takes no part in later
 * rounds.
 */
export async function hold(
  name: CaseName,
  contestants: Contestant[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Contest> {
  const held: Record<string, Measurement>[] = []
  const failures: Record<string, string> = {}
  for (let round = 0; round < rounds; round++) {
    const measured: Record<string, Measurement> = {}
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const contestant of order.filter((each) => failures[each.name] === undefined)) {
      try {
        measured[contestant.name] = await contestant.measure(name, round + 1, round === 0)
      } catch (error) {
        failures[contestant.name] = reasonOf(error)
      }
    }
    held.push(measured)
    onRound(round + 1)
  }
  return { case: name, rounds: held, failures }
}

/** Why the measurements of this contestant do not count: it failed, or rejected requests. */
export function problemOf(contest: Contest, name: string): string | undefined {
  const failure = contest.failures[name]
  if (failure !== undefined) return `${name} failed: ${failure}`
  const measured = contest.rounds.flatMap((round) => round[name] ?? [])
  const refused = rejectedCount(contest, name)
  if (refused === 0) return undefined
  const sent = refused + measured.reduce((sum, each) => sum + each.requests, 0)
  const rejection = measured.find((each) => each.rejection !== null)?.rejection
  return `${name} refused ${refused} of ${sent} requests: ${rejection}`
}

export function rejectedCount({ rounds }: Contest, name: string): number {
  return rounds.reduce((sum, round) => sum + (round[name]?.refused ?? 0), 0)
}

/** All contestants, also those that failed in the first round. */
export function namesIn({ rounds, failures }: Contest): string[] {
  return [...new Set([...Object.keys(rounds[0] ?? {}), ...Object.keys(failures)])]
}

export function problemsIn(contest: Contest): string[] {
  return namesIn(contest).flatMap((name) => {
    const problem = problemOf(contest, name)
    return problem === undefined ? [] : [`${contest.case}: ${problem}`]
  })
}

/** The ratio within each round, without rounds in which one of the two was not measured. */
export function ratiosOf(contest: Contest, over: string, under: string, by: Basis): number[] {
  return contest.rounds.flatMap((round) => {
    const above = figure(round[over], by)
    const below = figure(round[under], by)
    return above === null || below === null ? [] : [above / below]
  })
}

export function medianOf(
  contest: Contest,
  name: string,
  read: (measurement: Measurement) => number | null,
): number {
  return median(
    contest.rounds.flatMap((round) => {
      const measurement = round[name]
      const value = measurement === undefined ? null : read(measurement)
      return value === null ? [] : [value]
    }),
  )
}

/** A server under the load of one load process. */
export function serverContestant(server: Server, loader: Loader, seconds: number): Contestant {
  return {
    name: server.name,
    measure: (name, seed, isFirst) =>
      loader.measure({
        case: name,
        dialect: server.dialect,
        size: server.size,
        seed,
        port: server.port,
        serverPid: server.pid,
        warmUpMs: isFirst ? 1000 : 250,
        measureMs: seconds * 1000,
      }),
  }
}

/** Plain SQLite without a server; its rate is in lists of `listRows` rows. */
export function rawContestant(scratch: string, seconds: number, listRows: number): Contestant {
  return {
    name: 'raw',
    measure: async () => {
      const program = [
        process.execPath,
        join(benchFolder, 'raw-insert.ts'),
        scratch,
        String(seconds),
      ]
      const output = await run({ command: pinned(serverCore, program), folder: benchFolder })
      const perSecond = Number(output) / listRows
      return {
        requests: Math.round(perSecond * seconds),
        seconds,
        perSecond,
        perCpuSecond: null,
        refused: 0,
        rejection: null,
        p50Ms: 1000 / perSecond,
        p99Ms: Number.NaN,
        longestMs: Number.NaN,
        bytes: 0,
      }
    },
  }
}

function figure(measurement: Measurement | undefined, by: Basis): number | null {
  if (measurement === undefined) return null
  return by === 'cpu' ? measurement.perCpuSecond : measurement.perSecond
}
