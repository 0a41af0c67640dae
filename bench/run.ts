// The benchmark: starts the servers, runs the requested parts, prints results beside the goals and saves them.
import { hold, problemsIn, type Contest } from './contest.ts'
import { contestantsAmong, startCopy, startServers, type Bench } from './contestants.ts'
import { contestantsOf, findingsOf, isContest } from './goals.ts'
import { measureGrowth } from './growth.ts'
import { Loader } from './loader.ts'
import {
  disturb,
  listFindings,
  streamFindings,
  type Disturbance,
  type Loaders,
} from './other-callers.ts'
import { optionsFrom, usage, type Options, type Part } from './options.ts'
import { scratchFolder } from './location.ts'
import { profile } from './profile.ts'
import { reasonOf } from './program.ts'
import { print, save, type Finding } from './report.ts'
import type { Size } from './rows.ts'
import { smoke } from './smoke.ts'
import { startFindings } from './starts.ts'

// The servers stop when this process exits, however it ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await main()

async function main(): Promise<void> {
  try {
    const options = optionsFrom(process.argv.slice(2))
    if (options === null) console.log(usage)
    else await carryOut(options)
  } catch (error) {
    console.error(reasonOf(error))
    process.exit(1)
  }
}

/** All results of one run. */
interface Results {
  readonly findings: Finding[]
  readonly contests: Contest[]
  readonly disturbances: Record<string, Disturbance[]>
  /** What could not be measured, and why. */
  readonly problems: string[]
}

async function carryOut(options: Options): Promise<void> {
  const say = (what: string) => console.error(`… ${what}`)
  const bench: Bench = { options, scratch: scratchFolder(), say }
  const loaders: Loaders = { large: new Loader(), small: new Loader() }
  try {
    for (const name of options.profile) await profile(bench, name, mainSize(bench), loaders.large)
    if (options.profile.length > 0) return
    const problems = options.isSmoke
      ? await smoke(bench, { rows: options.rows, companies: 2 }, loaders.large)
      : await measure(bench, loaders)
    for (const problem of problems) console.error(problem)
    if (problems.length > 0) process.exitCode = 1
  } finally {
    loaders.large.close()
    loaders.small.close()
  }
}

async function measure(bench: Bench, loaders: Loaders): Promise<string[]> {
  const { options } = bench
  const results: Results = { findings: [], contests: [], disturbances: {}, problems: [] }
  const { findings, contests, problems } = results
  const attempt = attempting(bench, results)
  await holdContests(bench, loaders, results)
  await attempt('stream', () => measureStream(bench, loaders, results))
  await attempt('start', async () => {
    findings.push(...(await startFindings(bench, mainSize(bench))))
  })
  await attempt('growth', async () => {
    const growth = await measureGrowth(bench, loaders.large)
    contests.push(...growth.contests)
    findings.push(...growth.findings)
  })
  problems.push(...contests.flatMap(problemsIn))
  print(findings, contests)
  console.log(`\n${save({ options, ...results }, new Date())}`)
  return problems
}

/** Runs a requested part; when it fails, the others continue. */
function attempting({ options: { only } }: Bench, { problems }: Results) {
  return async (part: Part, work: () => Promise<void>): Promise<void> => {
    if (!only.includes(part)) return
    await work().catch((error: unknown) => problems.push(`${part}: ${reasonOf(error)}`))
  }
}

function mainSize({ options: { rows } }: Bench): Size {
  return { rows, companies: 10 }
}

/** The contests, and the long list beside which another client reads: all on the same servers. */
async function holdContests(bench: Bench, loaders: Loaders, results: Results): Promise<void> {
  const { only, rounds } = bench.options
  const contests = only.filter(isContest)
  const names = contests.flatMap(contestantsOf)
  if (only.includes('list100k')) names.push('dagsverk')
  const { servers, problems } = await startServers(bench, names, mainSize(bench))
  results.problems.push(...problems)
  try {
    for (const name of contests) {
      const contestants = contestantsAmong(contestantsOf(name), servers, loaders.large, bench)
      const onRound = (round: number) => bench.say(`${name}, round ${round} of ${rounds}`)
      const contest = await hold(name, contestants, rounds, onRound)
      results.contests.push(contest)
      results.findings.push(...findingsOf(contest))
    }
    const dagsverk = servers.find((server) => server.name === 'dagsverk')
    if (dagsverk === undefined) return
    await attempting(bench, results)('list100k', async () => {
      bench.say('a long list, and another client beside it')
      const disturbances = await disturb(dagsverk, 'list100k', loaders, rounds)
      results.disturbances['list100k'] = disturbances
      results.findings.push(...listFindings(disturbances, dagsverk))
    })
  } finally {
    for (const server of servers) await server.stop()
  }
}

/** A stream is of one company, so all rows belong to it here. */
async function measureStream(bench: Bench, loaders: Loaders, results: Results): Promise<void> {
  const { rows, rounds } = bench.options
  const server = await startCopy(bench, 'stream', { rows, companies: 1 })
  try {
    bench.say('a long stream, and another client beside it')
    const disturbances = await disturb(server, 'stream', loaders, rounds)
    results.disturbances['stream'] = disturbances
    results.findings.push(...streamFindings(disturbances, server))
  } finally {
    await server.stop()
  }
}
