// How long a start takes, and how much memory a server holds that has nothing to do.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './contestants.ts'
import { filledDagsverk, startDagsverk } from './dagsverk.ts'
import { residentMbOf } from './machine.ts'
import { copyFolder } from './places.ts'
import { figure, type Finding } from './report.ts'
import type { Size } from './rows.ts'
import { median, quantile } from './statistics.ts'

export async function startFindings(bench: Bench, size: Size): Promise<Finding[]> {
  const filled = await filledDagsverk(size, bench.say)
  const dataFolder = copyFolder(filled, join(bench.scratch, 'starts'))
  const logFile = join(bench.scratch, 'starts.log')
  const readySeconds: number[] = []
  const idleMb: number[] = []
  for (let round = 1; round <= bench.options.rounds; round++) {
    bench.say(`start, round ${round}`)
    const server = await startDagsverk('starts', { dataFolder }, size, logFile)
    await sleep(1500)
    readySeconds.push(server.readyMs / 1000)
    idleMb.push(residentMbOf(server.pid) ?? Number.NaN)
    await server.stop()
  }
  return [
    {
      what: 'start to ready',
      reached: median(readySeconds),
      unit: ' s',
      atMost: 0.5,
      detail: range(readySeconds),
    },
    {
      what: 'idle memory',
      reached: median(idleMb),
      unit: ' MB',
      atMost: 110,
      detail: range(idleMb),
    },
  ]
}

function range(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b)
  return `${figure(quantile(sorted, 0))} to ${figure(quantile(sorted, 1))}`
}
