// Start-up time of a server, and its memory when idle.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startDagsverk } from './dagsverk.ts'
import { figure, rangeText } from './figure.ts'
import { filledDagsverk } from './fill-dagsverk.ts'
import { copyFolder } from './location.ts'
import { residentMbOf } from './machine.ts'
import type { BenchmarkResult } from './report.ts'
import type { DatasetSize } from './rows.ts'
import type { BenchmarkRun } from './servers.ts'
import { median } from './statistics.ts'

export async function measureStarts(
  { options, scratch, log }: BenchmarkRun,
  size: DatasetSize,
): Promise<BenchmarkResult[]> {
  const dataFolder = copyFolder(await filledDagsverk(size, log), join(scratch, 'starts'))
  const logFile = join(scratch, 'starts.log')
  const cpuSeconds: number[] = []
  const readySeconds: number[] = []
  const idleMb: number[] = []
  for (let round = 1; round <= options.rounds; round++) {
    log(`start, round ${round}`)
    const server = await startDagsverk('starts', { dataFolder }, size, logFile)
    await sleep(1500)
    cpuSeconds.push(server.readyCpuSeconds ?? Number.NaN)
    readySeconds.push(server.readyMs / 1000)
    idleMb.push(residentMbOf(server.pid) ?? Number.NaN)
    await server.stop()
  }
  return [
    {
      title: 'start to ready, CPU time',
      value: median(cpuSeconds),
      unit: ' s',
      goal: 'startCpu',
      detail: `${rangeText(cpuSeconds)}; by the clock ${figure(median(readySeconds))} s`,
    },
    { title: 'idle memory', value: median(idleMb), unit: ' MB', goal: 'idleMemory', detail: rangeText(idleMb) },
  ]
}
