// Start-up time of a server, and its memory when idle.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bench } from './contestants.ts'
import { filledDagsverk, startDagsverk } from './dagsverk.ts'
import { residentMbOf } from './machine.ts'
import { copyFolder } from './location.ts'
import { rangeText, type Finding } from './report.ts'
import type { Size } from './rows.ts'
import { median } from './statistics.ts'

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
      detail: rangeText(readySeconds),
    },
    {
      what: 'idle memory',
      reached: median(idleMb),
      unit: ' MB',
      atMost: 110,
      detail: rangeText(idleMb),
    },
  ]
}
