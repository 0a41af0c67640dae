// Smoke run: sends a few requests of each case to each server and checks every answer, without measuring.
import { caseNames, cases, type CaseName } from './cases.ts'
import { startServers, type Bench } from './contestants.ts'
import { contestantsOf } from './goals.ts'
import type { Loader } from './loader.ts'
import { reasonOf } from './program.ts'
import { printTable } from './report.ts'
import type { Size } from './rows.ts'
import type { Server } from './server.ts'

/** How many requests each connection of a case sends on average. */
const requestsPerConnection = 4

interface Outcome {
  readonly line: string[]
  readonly problem?: string
}

/** Prints a line for each case and server, and returns what is wrong. */
export async function smoke(bench: Bench, size: Size, loader: Loader): Promise<string[]> {
  const chosen = caseNames.filter((name) => bench.options.only.includes(name))
  const { servers, problems } = await startServers(bench, chosen.flatMap(partakersOf), size)
  const outcomes: Outcome[] = []
  try {
    for (const name of chosen) {
      for (const server of servers.filter((each) => partakersOf(name).includes(each.name))) {
        bench.say(`${name} of ${server.name}`)
        outcomes.push(await outcomeOf(name, server, loader))
      }
    }
  } finally {
    for (const server of servers) await server.stop()
  }
  printTable([['case', 'who', 'right', 'refused', ''], ...outcomes.map(({ line }) => line)])
  return [...problems, ...outcomes.flatMap(({ problem }) => problem ?? [])]
}

/** A case without contestants is sent to Dagsverk alone. */
function partakersOf(name: CaseName): string[] {
  const contestants = contestantsOf(name)
  return contestants.length === 0 ? ['dagsverk'] : contestants
}

async function outcomeOf(name: CaseName, server: Server, loader: Loader): Promise<Outcome> {
  const { dialect, size, port } = server
  const replies = cases[name].connections * requestsPerConnection
  const job = {
    case: name,
    dialect,
    size,
    seed: 1,
    port,
    serverPid: 0,
    warmUpMs: 0,
    replies,
  }
  const who = `${name}: ${server.name}`
  try {
    const { requests, refused, rejection } = await loader.measure(job)
    const line = [name, server.name, String(requests), String(refused)]
    if (refused === 0) return { line }
    return {
      line: [...line, 'REFUSED'],
      problem: `${who} refused ${refused} of ${replies}: ${rejection}`,
    }
  } catch (error) {
    return {
      line: [name, server.name, '–', '–', 'WRONG'],
      problem: `${who} failed: ${reasonOf(error)}`,
    }
  }
}
