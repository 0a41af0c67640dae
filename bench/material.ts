// Measures the hand-off: the cost of a line to register, approve, retrieve and acknowledge, by the number of
// waiting lines. Run: node bench/material.ts [--sizes 10000,100000,1000000] [--postgres URL]
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mkdtempSync, rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import { cpuSecondsOf, resetPeak, peakMbOf, residentMbOf } from './machine.ts'
import { usageOf } from './rows.ts'
import { startSandbox, type Sandbox } from './sandbox.ts'
import { median } from './statistics.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    postgres: { type: 'string' },
  },
})

/** How many ids one call contains. */
const callLines = 10_000
const acknowledgements = 5

/** The reply as text, and its time in milliseconds. */
async function call(
  { address }: Sandbox,
  method: string,
  path: string,
  body?: unknown,
): Promise<void> {
  const reply = await fetch(address + path, {
    method,
    headers: { 'tb-key': 'empty-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (!reply.ok) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`)
}

/** Reads the whole list and discards it; how far memory rose. */
async function retrieve(server: Sandbox): Promise<{ bytes: number; roseMb: number }> {
  const { pid } = server
  resetPeak(pid)
  const before = residentMbOf(pid) ?? NaN
  const reply = await fetch(`${server.address}/prosjekt/TransaksjonsEksport`, {
    headers: { 'tb-key': 'empty-key' },
  })
  let bytes = 0
  if (reply.body !== null) for await (const piece of reply.body) bytes += piece.length
  return { bytes, roseMb: (peakMbOf(pid) ?? NaN) - before }
}

/** The cost of the work to the server, in seconds of CPU, and its duration. */
async function measured<T>({ pid }: Sandbox, work: () => Promise<T>) {
  const cpuBefore = cpuSecondsOf(pid) ?? NaN
  const began = performance.now()
  const value = await work()
  const seconds = (performance.now() - began) / 1000
  return { value, seconds, cpu: (cpuSecondsOf(pid) ?? NaN) - cpuBefore }
}

/**
 * Rows that plain INSERTs with as many columns as the ledger write per second of CPU: the floor.
 */
function rawLines(): number {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-raw-'))
  const database = new Database(join(folder, 'raw.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  const columns = Array.from({ length: 16 }, (_, index) => `c${index}`)
  database.exec(`create table raw (${columns.join(' , ')}, primary key (c0)) without rowid`)
  const insert = database.prepare(`insert into raw values (${columns.map(() => '?').join(',')})`)
  const write = database.transaction((from: number) => {
    for (let line = from; line < from + callLines; line++)
      insert.run(line, ...columns.slice(1).map((_, index) => (index % 2 === 0 ? line : 'marked')))
  })
  const began = process.cpuUsage()
  for (let turn = 0; turn < 10; turn++) write(turn * callLines)
  const { user, system } = process.cpuUsage(began)
  database.close()
  rmSync(folder, { recursive: true, force: true })
  return (10 * callLines) / ((user + system) / 1_000_000)
}

interface Cost {
  readonly cpu: number
  readonly seconds: number
}

function formatCosts(act: string, costs: readonly Cost[], lines: number, floor: number): string {
  const perCpu = lines / median(costs.map(({ cpu }) => cpu))
  const perSecond = lines / median(costs.map(({ seconds }) => seconds))
  const [cpu, rate] = [perCpu, perSecond].map((one) => Math.round(one).toLocaleString('en'))
  return `  ${act.padEnd(11)} ${cpu} lines per second of CPU (${(perCpu / floor).toFixed(2)} of the floor), ${rate} by the clock`
}

const server = await startSandbox(options.postgres)
const floor = rawLines()
console.log(options.postgres === undefined ? 'SQLite' : 'PostgreSQL')
console.log(`floor: ${Math.round(floor).toLocaleString('en')} plain inserts per second of CPU`)
let waiting = 0
let next = 1
for (const size of options.sizes.split(',').map(Number)) {
  const costs: Record<'register' | 'approve' | 'acknowledge', Cost[]> = {
    register: [],
    approve: [],
    acknowledge: [],
  }
  const post = (path: string, body: unknown) =>
    measured(server, () => call(server, 'POST', `/prosjekt/${path}`, body))
  const oldest = next - waiting
  while (waiting < size + acknowledgements * callLines) {
    const rows = Array.from({ length: callLines }, (_, index) => usageOf(index))
    const ids = Array.from({ length: callLines }, (_, index) => next + index)
    costs.register.push(await post('Transaksjon/Batch', rows))
    costs.approve.push(await post('Transaksjon/Godkjenn', { ids }))
    next += callLines
    waiting += callLines
  }
  const lines = waiting
  const list = await measured(server, () => retrieve(server))
  for (let turn = 0; turn < acknowledgements; turn++) {
    const ids = Array.from({ length: callLines }, (_, index) => oldest + turn * callLines + index)
    costs.acknowledge.push(await post('Transaksjonseksport/Eksportert', { ids }))
    waiting -= callLines
  }
  console.log(`${size.toLocaleString('en')} waiting`)
  for (const [act, all] of Object.entries(costs))
    console.log(formatCosts(act, all, callLines, floor))
  console.log(formatCosts('retrieve', [list], lines, floor))
  const { bytes, roseMb } = list.value
  console.log(`            ${Math.round(bytes / 1e6)} MB, memory rose ${Math.round(roseMb)} MB`)
}
server.stop()
