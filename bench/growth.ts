// The growth curve: the same server on databases of several sizes at once, and the cost of a request in each.
import type { CaseName } from './cases.ts'
import { hold, ratiosOf, type Contest } from './contest.ts'
import { contestantsAmong, startCopy, type Bench } from './contestants.ts'
import { ratioDetail } from './goals.ts'
import type { Loader } from './loader.ts'
import type { Finding } from './report.ts'
import type { Server } from './server.ts'
import { median } from './statistics.ts'

export interface Growth {
  readonly contests: Contest[]
  readonly findings: Finding[]
}

const growthCases: CaseName[] = ['point', 'page100', 'first100', 'upsert']

/** The cost of a request in a larger database over that in the smallest: 1 is flat. */
export async function measureGrowth(bench: Bench, loader: Loader): Promise<Growth> {
  const names = bench.options.sizes.map((rows) => `${rows}-rows`)
  const servers: Server[] = []
  const contests: Contest[] = []
  try {
    for (const rows of bench.options.sizes) {
      servers.push(await startCopy(bench, `${rows}-rows`, { rows, companies: 10 }))
    }
    for (const name of growthCases) {
      const contestants = contestantsAmong(names, servers, loader, bench)
      const onRound = (round: number) => bench.say(`growth of ${name}, round ${round}`)
      contests.push(await hold(name, contestants, bench.options.rounds, onRound))
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  const [smallest = '', ...larger] = names
  return {
    contests,
    findings: contests.flatMap((contest) =>
      larger.map((size) => growthFinding(contest, smallest, size)),
    ),
  }
}

function growthFinding(contest: Contest, smallest: string, size: string): Finding {
  return {
    what: `${contest.case}: cost of a request, ${size} / ${smallest} (cpu)`,
    reached: median(ratiosOf(contest, smallest, size, 'cpu')),
    unit: 'x',
    detail: ratioDetail(contest, smallest, size, 'cpu'),
  }
}
