// A contest: every contestant does the same case in turn, round after round, and only ratios inside one round are believed.
import type { CaseName } from './cases.ts'
import type { Measurement } from './load.ts'
import type { Loader } from './loader.ts'
import { pinned, serverCore } from './machine.ts'
import { benchFolder } from './places.ts'
import { run } from './program.ts'
import type { Server } from './server.ts'
import { median } from './statistics.ts'
import { join } from 'node:path'

export interface Contestant {
  readonly name: string
  readonly measure: (name: CaseName, seed: number, isFirst: boolean) => Promise<Measurement>
}

/** `cpu` = requests per second of server CPU, the steadiest; `rate` = requests per second of the clock. */
export type Basis = 'cpu' | 'rate'

export interface Contest {
  readonly case: CaseName
  readonly rounds: Record<string, Measurement>[]
}

/** Runs the rounds of a case. The order of the contestants turns from round to round. */
export async function hold(
  name: CaseName,
  contestants: Contestant[],
  rounds: number,
  onRound: (round: number) => void,
): Promise<Contest> {
  const held: Record<string, Measurement>[] = []
  for (let round = 0; round < rounds; round++) {
    const measured: Record<string, Measurement> = {}
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const contestant of order) {
      measured[contestant.name] = await contestant.measure(name, round + 1, round === 0)
    }
    held.push(measured)
    onRound(round + 1)
  }
  return { case: name, rounds: held }
}

/** The ratio within each round, without those in which one of the two was not measured. */
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
export const serverContestant = (server: Server, loader: Loader, seconds: number): Contestant => ({
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
})

/** Plain SQLite without a server; its rate is in lists of `listRows` rows. */
export const rawContestant = (scratch: string, seconds: number, listRows: number): Contestant => ({
  name: 'raw',
  measure: async () => {
    const program = [process.execPath, join(benchFolder, 'raw-insert.ts'), scratch, String(seconds)]
    const output = await run({ command: pinned(serverCore, program), folder: benchFolder })
    const perSecond = Number(output) / listRows
    return {
      requests: Math.round(perSecond * seconds),
      seconds,
      perSecond,
      perCpuSecond: null,
      p50Ms: 1000 / perSecond,
      p99Ms: Number.NaN,
      longestMs: Number.NaN,
      bytes: 0,
    }
  },
})

function figure(measurement: Measurement | undefined, by: Basis): number | null {
  if (measurement === undefined) return null
  return by === 'cpu' ? measurement.perCpuSecond : measurement.perSecond
}
