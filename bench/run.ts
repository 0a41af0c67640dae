// The benchmark: starts the servers, measures what was asked for, prints it beside the goals and keeps it.
import { hold, type Contest } from './contest.ts'
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
} from './neighbours.ts'
import { optionsFrom, usage, type Options } from './options.ts'
import { scratchFolder } from './places.ts'
import { profile } from './profile.ts'
import { print, save, type Finding } from './report.ts'
import type { Size } from './rows.ts'
import { startFindings } from './starts.ts'

// However it ends, the servers end with it: they are stopped when this process exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
await main()

async function main(): Promise<void> {
  try {
    const options = optionsFrom(process.argv.slice(2))
    if (options === null) console.log(usage)
    else await carryOut(options)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

/** Everything that one run finds. */
interface Results {
  readonly findings: Finding[]
  readonly contests: Contest[]
  readonly disturbances: Record<string, Disturbance[]>
}

async function carryOut(options: Options): Promise<void> {
  const say = (what: string) => console.error(`… ${what}`)
  const bench: Bench = { options, scratch: scratchFolder(), say }
  const loaders: Loaders = { large: new Loader(), small: new Loader() }
  try {
    for (const name of options.profile) await profile(bench, name, mainSize(bench), loaders.large)
    if (options.profile.length === 0) await measure(bench, loaders)
  } finally {
    loaders.large.close()
    loaders.small.close()
  }
}

async function measure(bench: Bench, loaders: Loaders): Promise<void> {
  const { options } = bench
  const results: Results = { findings: [], contests: [], disturbances: {} }
  await holdContests(bench, loaders, results)
  if (options.only.includes('stream')) await measureStream(bench, loaders, results)
  if (options.only.includes('start')) {
    results.findings.push(...(await startFindings(bench, mainSize(bench))))
  }
  if (options.only.includes('growth')) {
    const growth = await measureGrowth(bench, loaders.large)
    results.contests.push(...growth.contests)
    results.findings.push(...growth.findings)
  }
  print(results.findings, results.contests)
  console.log(`\n${save({ options, ...results }, new Date())}`)
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
  const servers = await startServers(bench, [...new Set(names)], mainSize(bench))
  try {
    for (const name of contests) {
      const contestants = contestantsAmong(contestantsOf(name), servers, loaders.large, bench)
      const onRound = (round: number) => bench.say(`${name}, round ${round} of ${rounds}`)
      const contest = await hold(name, contestants, rounds, onRound)
      results.contests.push(contest)
      results.findings.push(...findingsOf(contest))
    }
    const dagsverk = servers.find((server) => server.name === 'dagsverk')
    if (dagsverk === undefined || !only.includes('list100k')) return
    bench.say('a long list, and another client beside it')
    const disturbances = await disturb(dagsverk, 'list100k', loaders, rounds)
    results.disturbances['list100k'] = disturbances
    results.findings.push(...listFindings(disturbances, dagsverk))
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
