// Smoke run: sends a few requests of each case to each server and checks every reply, without measuring.
import { caseNames, cases, type CaseName } from './cases.ts'
import type { LoadGenerators } from './interference.ts'
import { measureInterfaceLoad } from './interface-load.ts'
import type { LoadGenerator } from './load-generator.ts'
import { measureMaterial } from './material.ts'
import { measureMixedWorkload } from './mixed-workload.ts'
import { measureNeighbours } from './neighbours.ts'
import { problemsIn } from './comparison.ts'
import { reasonOf } from './program.ts'
import { contendersOf } from './ratios.ts'
import { markdown } from './report.ts'
import type { DatasetSize } from './rows.ts'
import type { ServerUnderTest } from './server.ts'
import { startCopy, startServers, type BenchmarkRun } from './servers.ts'

/** How many requests each connection of a case sends on average. */
const requestsPerConnection = 4

/** The requests of the interface: each kind several times for each company. */
const interfaceReplies = 400

interface SmokeResult {
  readonly row: string[]
  readonly problem?: string
}

/** Prints a line for each case and server, and returns what is wrong. */
export async function smoke(run: BenchmarkRun, size: DatasetSize, generators: LoadGenerators): Promise<string[]> {
  const { only } = run.options
  const problems = await smokeCases(run, size, generators.large)
  if (only.includes('material')) {
    run.log('material')
    problems.push(...(await measureMaterial(run, size)).comparisons.flatMap(problemsIn))
  }
  if (only.includes('mixed') || only.includes('interface') || only.includes('neighbours'))
    problems.push(...(await smokeLoads(run, size, generators)))
  return problems
}

async function smokeCases(run: BenchmarkRun, size: DatasetSize, generator: LoadGenerator): Promise<string[]> {
  const chosen = caseNames.filter((name) => name !== 'interface' && run.options.only.includes(name))
  if (chosen.length === 0) return []
  const { servers, problems } = await startServers(run, chosen.flatMap(serversOf), size)
  const results: SmokeResult[] = []
  try {
    for (const name of chosen) {
      for (const server of servers.filter((each) => serversOf(name).includes(each.name))) {
        run.log(`${name} of ${server.name}`)
        results.push(await resultOf(name, server, generator))
      }
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  const titles = ['Case', 'Server', 'Right', 'Rejected', '']
  console.log(markdown([titles, ...results.map(({ row }) => row)]))
  return [...problems, ...results.flatMap(({ problem }) => problem ?? [])]
}

async function smokeLoads(run: BenchmarkRun, size: DatasetSize, generators: LoadGenerators): Promise<string[]> {
  const { only, mixedSeconds } = run.options
  const problems: string[] = []
  const server = await startCopy(run, 'loads', size)
  try {
    if (only.includes('mixed')) {
      run.log('the mixed workload')
      const mixed = await measureMixedWorkload(server, mixedSeconds)
      problems.push(...mixed.problems)
    }
    if (only.includes('neighbours')) {
      run.log('neighbours of a flood')
      problems.push(...(await measureNeighbours(server, { seconds: mixedSeconds, rounds: 1 })).problems)
    }
    if (only.includes('interface')) {
      run.log('every request of the interface')
      const load = await measureInterfaceLoad(server, generators, { replies: interfaceReplies })
      console.log(`\n${load.table}`)
      problems.push(...load.problems)
    }
  } finally {
    await server.stop()
  }
  return problems
}

/** A case that compares nothing is sent to Dagsverk alone. */
function serversOf(name: CaseName): string[] {
  const contenders = contendersOf(name)
  return contenders.length === 0 ? ['dagsverk'] : contenders
}

async function resultOf(name: CaseName, server: ServerUnderTest, generator: LoadGenerator): Promise<SmokeResult> {
  const { dialect, size, port } = server
  const replies = cases[name].connections * requestsPerConnection
  const job = { case: name, dialect, size, seed: 1, port, serverPid: 0, warmUpMs: 0, replies }
  const title = `${name}: ${server.name}`
  try {
    const { requests, rejected, firstRejection } = await generator.measure(job)
    const row = [name, server.name, String(requests), String(rejected)]
    if (rejected === 0) return { row: [...row, ''] }
    return { row: [...row, 'REJECTED'], problem: `${title} rejected ${rejected} of ${replies}: ${firstRejection}` }
  } catch (error) {
    return { row: [name, server.name, '–', '–', 'WRONG'], problem: `${title} failed: ${reasonOf(error)}` }
  }
}
