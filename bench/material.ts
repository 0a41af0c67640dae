// Material lines from registration to acknowledgement: the CPU of each step, beside the peer and while many wait.
import type { Comparison, Measurement } from './comparison.ts'
import { rangeText } from './figure.ts'
import { capClient, dagsverkClient, findRecords, type MaterialClient } from './material-clients.ts'
import { MeasuredCalls } from './measured-calls.ts'
import { reasonOf } from './program.ts'
import { ratioResults } from './ratios.ts'
import type { BenchmarkResult } from './report.ts'
import { usageOf, type DatasetSize } from './rows.ts'
import type { ServerUnderTest } from './server.ts'
import { startCapCopy, startCopy, startPostgresCopy, type BenchmarkRun } from './servers.ts'
import { median } from './statistics.ts'
import { waitingResults } from './waiting-lines.ts'

export interface MaterialLoad {
  readonly comparisons: Comparison[]
  readonly results: BenchmarkResult[]
}

/** One company's lines are compared; another one's wait in large numbers. */
const comparedCompany = 1
const waitingCompany = 2

export async function measureMaterial(run: BenchmarkRun, size: DatasetSize): Promise<MaterialLoad> {
  const servers: ServerUnderTest[] = []
  try {
    const dagsverk = await startCopy(run, 'dagsverk', size)
    servers.push(dagsverk)
    const cap = await startCapCopy(run, size)
    if (cap !== null) servers.push(cap)
    const postgres = await startPostgresCopy(run, 'postgres', size)
    if (postgres !== null) servers.push(postgres)

    // The first one hashes the company's password, which takes as long as many reads.
    await findRecords(dagsverk, comparedCompany, 1)
    const clients = [await dagsverkClient(dagsverk, comparedCompany)]
    if (cap !== null) clients.push(capClient(cap, comparedCompany))
    if (postgres !== null) clients.push(await dagsverkClient(postgres, comparedCompany))
    const rounds = await roundsOf(run, clients)
    const comparisons = steps.map((step) => comparisonOf(step, rounds))
    const results = [...comparisons.flatMap(ratioResults), retrievalResult(rounds)]
    for (const server of [dagsverk, postgres]) {
      if (server === null) continue
      results.push(...(await waitingResults(run, await dagsverkClient(server, waitingCompany))))
    }
    return { comparisons, results }
  } finally {
    for (const server of servers) await server.stop()
  }
}

type MaterialStep = 'register' | 'approve' | 'retrieve' | 'acknowledge'

const steps: readonly MaterialStep[] = ['register', 'approve', 'retrieve', 'acknowledge']

/** The calls of each step in one round, and reads of as many revenue records. */
type MaterialRound = Record<MaterialStep | 'find', Measurement>

interface MaterialRounds {
  readonly rounds: Record<string, MaterialRound>[]
  readonly failures: Record<string, string>
}

/** The clients in alternating order; one that fails takes no part in later rounds. */
async function roundsOf({ options, log }: BenchmarkRun, clients: readonly MaterialClient[]): Promise<MaterialRounds> {
  const rounds: Record<string, MaterialRound>[] = []
  const failures: Record<string, string> = {}
  for (let number = 1; number <= options.rounds; number++) {
    const round: Record<string, MaterialRound> = {}
    const order = number % 2 === 1 ? clients : clients.toReversed()
    for (const client of order.filter(({ server }) => failures[server.name] === undefined)) {
      const { name } = client.server
      try {
        round[name] = await roundOf(client)
      } catch (error) {
        failures[name] = reasonOf(error)
      }
    }
    rounds.push(round)
    log(`material, round ${number} of ${options.rounds}`)
  }
  return { rounds, failures }
}

const callsPerRound = 5
const linesPerCall = 1000

/** Each retrieval is the first one of its lines. */
async function roundOf(client: MaterialClient): Promise<MaterialRound> {
  const { server } = client
  const calls = {
    register: new MeasuredCalls(server),
    approve: new MeasuredCalls(server),
    retrieve: new MeasuredCalls(server),
    find: new MeasuredCalls(server),
    acknowledge: new MeasuredCalls(server),
  }
  const lines = Array.from({ length: linesPerCall }, (_, index) => usageOf(index))
  for (let call = 0; call < callsPerRound; call++) {
    const ids = await calls.register.measure(() => client.register(lines))
    await calls.approve.measure(() => client.approve(ids))
    const retrieved = await calls.retrieve.measure(() => client.retrieve())
    if (retrieved.lines !== linesPerCall)
      throw new Error(`retrieved ${retrieved.lines} lines instead of ${linesPerCall}`)
    if (server.dialect === 'dagsverk')
      await calls.find.measure(() => findRecords(server, comparedCompany, linesPerCall))
    await calls.acknowledge.measure(() => client.acknowledge(ids))
  }
  return {
    register: calls.register.result(),
    approve: calls.approve.result(),
    retrieve: calls.retrieve.result(),
    find: calls.find.result(),
    acknowledge: calls.acknowledge.result(),
  }
}

function comparisonOf(step: MaterialStep, { rounds, failures }: MaterialRounds): Comparison {
  const measured = rounds.map((round) =>
    Object.fromEntries(Object.entries(round).map(([name, calls]) => [name, calls[step]])),
  )
  return { name: step, rounds: measured, failures }
}

function retrievalResult({ rounds }: MaterialRounds): BenchmarkResult {
  const ratios = rounds.flatMap(({ dagsverk }) => {
    const [find, retrieve] = [dagsverk?.find.cpuSeconds, dagsverk?.retrieve.cpuSeconds]
    return find && retrieve ? [find / retrieve] : []
  })
  return {
    title: 'first retrieval of 1,000 lines / Finn of 1,000 records (cpu)',
    value: median(ratios),
    unit: '',
    goal: 'firstRetrieval',
    detail: rangeText(ratios),
  }
}
