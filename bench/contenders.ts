// The contenders of a comparison: a server under load, or a program without a server.
import { join } from 'node:path'
import type { CaseName } from './cases.ts'
import type { Contender } from './comparison.ts'
import { commitTotals } from './commit-totals.ts'
import type { LoadGenerator } from './load-generator.ts'
import { benchFolder } from './location.ts'
import { pinned, serverCores } from './machine.ts'
import { run } from './program.ts'
import { listLength } from './rows.ts'
import type { BenchmarkRun } from './servers.ts'
import type { ServerUnderTest } from './server.ts'

/** Those of `names` that are ready, in that order. */
export function contendersAmong(
  names: readonly string[],
  servers: readonly ServerUnderTest[],
  generator: LoadGenerator,
  { scratch, options: { seconds } }: BenchmarkRun,
): Contender<CaseName>[] {
  return names.flatMap((name) => {
    const size = servers[0]?.size
    if (name === 'raw' && size !== undefined) {
      return [rawContender(scratch, seconds, listLength(size, 10_000))]
    }
    const server = servers.find((each) => each.name === name)
    return server === undefined ? [] : [serverContender(server, generator, seconds)]
  })
}

/** A server under the load of one load process. */
function serverContender(server: ServerUnderTest, generator: LoadGenerator, seconds: number): Contender<CaseName> {
  const { name, dialect, size, port, pid, database, metricsPort } = server
  return {
    name,
    measure: async (caseName, seed, isFirst) => {
      const before = await commitTotals(metricsPort)
      const measured = await generator.measure({
        case: caseName,
        dialect,
        size,
        seed,
        port,
        serverPid: pid,
        database,
        warmUpMs: isFirst ? 1000 : 250,
        durationMs: seconds * 1000,
      })
      const after = await commitTotals(metricsPort)
      const commits = after.commits - before.commits
      return commits === 0
        ? measured
        : { ...measured, operationsPerCommit: (after.operations - before.operations) / commits }
    },
  }
}

/** Plain SQLite without a server; its rate is in lists of `listRows` rows. */
function rawContender(scratch: string, seconds: number, listRows: number): Contender<CaseName> {
  return {
    name: 'raw',
    measure: async () => {
      const program = [process.execPath, join(benchFolder, 'raw-insert.ts'), scratch, String(seconds)]
      const output = await run({ command: pinned(serverCores, program), folder: benchFolder })
      const perSecond = Number(output) / listRows
      return {
        requests: Math.round(perSecond * seconds),
        seconds,
        perSecond,
        cpuSeconds: null,
        databaseCpuSeconds: null,
        rejected: 0,
        firstRejection: null,
        p50Ms: 1000 / perSecond,
        p99Ms: Number.NaN,
      }
    },
  }
}
