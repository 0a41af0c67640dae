// The hand-off, measured: what a line costs to register, approve, retrieve and mark, while more and more lines wait.
// Run: node --conditions=dagsverk-src bench/material.ts [--sizes 10000,100000,1000000] [--postgres URL]
import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { projectFolder } from './places.ts'
import { median } from './statistics.ts'

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10000,100000,1000000' },
    postgres: { type: 'string' },
  },
})

/** How many ids one call carries. */
const callLines = 10_000
const marks = 5

interface Server {
  readonly address: string
  readonly process: ChildProcess
}

/** The sandbox: the whole product, with a company that has nothing in it. */
const start = async (): Promise<Server> => {
  const store = options.postgres === undefined ? [] : ['--sandbox-store', options.postgres]
  const child = spawn(
    process.execPath,
    ['-C', 'dagsverk-src', 'src/dagsverk.js', 'serve', '--sandbox', '--port', '0', ...store],
    { cwd: projectFolder, stdio: ['ignore', 'inherit', 'pipe'] },
  )
  let told = ''
  for await (const text of child.stderr.setEncoding('utf8')) {
    told += String(text)
    const address = /serves on (http\S+)/.exec(told)?.[1]
    if (address !== undefined) {
      child.stderr.resume()
      return { address, process: child }
    }
  }
  throw new Error(`the server did not start:\n${told}`)
}

/** The answer as text, and how many milliseconds it took. */
const call = async (
  { address }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ text: string; ms: number }> => {
  const began = performance.now()
  const answer = await fetch(address + path, {
    method,
    headers: { 'tb-key': 'empty-key', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${text.slice(0, 500)}`)
  return { text, ms: performance.now() - began }
}

const usage = (index: number) => ({
  Dato: '2025-06-02',
  VareId: `V${index % 500}`,
  Varenavn: 'Skrue 4x40',
  Antall: 1 + (index % 9),
  Salgspris: 12.5,
  AvdelingId: String(index % 20),
})

/** Megabytes that the process holds now; NaN where the system does not tell. */
const megabytes = ({ process: { pid } }: Server): number => {
  try {
    const status = readFileSync(join('/proc', String(pid), 'status'), 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  } catch {
    return NaN
  }
}

/** Reads the whole list and throws it away; how far memory rose. */
const stream = async (server: Server) => {
  const before = megabytes(server)
  let highest = before
  const watch = setInterval(() => (highest = Math.max(highest, megabytes(server))), 20)
  const began = performance.now()
  const answer = await fetch(`${server.address}/prosjekt/TransaksjonsEksport`, {
    headers: { 'tb-key': 'empty-key' },
  })
  let bytes = 0
  if (answer.body !== null) for await (const piece of answer.body) bytes += piece.length
  clearInterval(watch)
  return { ms: performance.now() - began, bytes, rose: highest - before }
}

const perSecond = (lines: number, ms: number): string =>
  `${Math.round((lines / ms) * 1000).toLocaleString('en')} lines/s`

const server = await start()
console.log(options.postgres === undefined ? 'SQLite' : 'PostgreSQL')
let waiting = 0
let next = 1
for (const size of options.sizes.split(',').map(Number)) {
  const times: Record<'register' | 'approve' | 'mark', number[]> = {
    register: [],
    approve: [],
    mark: [],
  }
  const oldest = next - waiting
  while (waiting < size + marks * callLines) {
    const rows = Array.from({ length: callLines }, (_, index) => usage(index))
    const ids = Array.from({ length: callLines }, (_, index) => next + index)
    times.register.push((await call(server, 'POST', '/prosjekt/Transaksjon/Batch', rows)).ms)
    times.approve.push((await call(server, 'POST', '/prosjekt/Transaksjon/Godkjenn', { ids })).ms)
    next += callLines
    waiting += callLines
  }
  const { ms, bytes, rose } = await stream(server)
  const lines = waiting
  for (let turn = 0; turn < marks; turn++) {
    const ids = Array.from({ length: callLines }, (_, index) => oldest + turn * callLines + index)
    const path = '/prosjekt/Transaksjonseksport/Eksportert'
    times.mark.push((await call(server, 'POST', path, { ids })).ms)
    waiting -= callLines
  }
  console.log(`${size.toLocaleString('en')} waiting`)
  for (const [act, all] of Object.entries(times))
    console.log(`  ${act.padEnd(9)} ${perSecond(callLines, median(all))}`)
  console.log(
    `  retrieve  ${perSecond(lines, ms)}, ${Math.round(bytes / 1e6)} MB, memory rose ${Math.round(rose)} MB`,
  )
}
server.process.kill('SIGINT')
