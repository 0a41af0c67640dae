// Floods: what one company sends to a server, each kind alone, and all of them together.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setPriority } from 'node:os'
import type { CaseName } from './cases.ts'
import { LoadGenerator } from './load-generator.ts'
import type { LoadJob } from './load-job.ts'
import { loadCores, pinned } from './machine.ts'
import { revenuePath } from './requests.ts'

export interface Flood {
  readonly title: string
  /** Returns the function that ends it. */
  readonly begin: () => Promise<() => Promise<void>>
}

export type FloodTarget = Pick<LoadJob, 'dialect' | 'size' | 'port'>

/** What the first company sends at a time, as often as it gets replies. */
const loads: readonly { readonly case: CaseName; readonly connections: number }[] = [
  { case: 'costly', connections: 60 },
  { case: 'stream', connections: 60 },
  { case: 'list100k', connections: 4 },
]

const slowReaders = 8
/** Bodies that are announced and never sent. */
const silentBodies = { count: 128, bytes: 32 * 2 ** 20 }

/** The first one is none: what a busy process on the core of the load does to the times alone. */
export function openFloods(target: FloodTarget): { readonly floods: readonly Flood[]; readonly close: () => void } {
  const generators: LoadGenerator[] = []
  const single: Flood[] = [
    ...loads.map((load) => {
      const generator = new LoadGenerator(floodPriority)
      generators.push(generator)
      return {
        title: `${load.connections} × ${load.case} of one company`,
        begin: () => send({ ...target, ...load, seed: 1, serverPid: 0, warmUpMs: 0 }, generator),
      }
    }),
    {
      title: `${slowReaders} slow readers of one company`,
      begin: () => hold(target.port, slowReaders, `GET ${revenuePath(1, 'Finn')} HTTP/1.1`),
    },
    {
      title: `${silentBodies.count} announced bodies of one company`,
      begin: () => hold(target.port, silentBodies.count, announcement),
    },
  ]
  const together: Flood = {
    title: 'all of these together',
    begin: async () => {
      const ends = await Promise.all(single.map(({ begin }) => begin()))
      return async () => {
        await Promise.all(ends.map((end) => end()))
      }
    },
  }
  return {
    floods: [{ title: 'a process that only computes', begin: compute }, ...single, together],
    close: () => generators.forEach((generator) => generator.close()),
  }
}

async function compute(): Promise<() => Promise<void>> {
  const [program = '', ...args] = pinned(loadCores, [process.execPath, '--eval', 'for (;;);'])
  const child = spawn(program, args, { stdio: 'ignore' })
  await once(child, 'spawn')
  setPriority(child.pid ?? 0, floodPriority)
  return async () => {
    child.kill()
    await once(child, 'exit')
  }
}

/** A list is written although its client has gone, so the end of a flood of lists waits for the last of them. */
async function send(job: LoadJob, generator: LoadGenerator): Promise<() => Promise<void>> {
  const started = Promise.withResolvers<void>()
  const flooding = generator.measure({ ...job, isDraining: job.case === 'list100k' }, started.resolve)
  await Promise.race([started.promise, flooding])
  return async () => {
    generator.stop()
    await flooding
  }
}

/** Connections that send a head and then neither read nor write. Returns the function that closes them. */
async function hold(port: number, count: number, head: string): Promise<() => Promise<void>> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => undefined))
  const closings = sockets.map((socket) => new Promise((resolve) => socket.once('close', resolve)))
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.pause().write(`${head}\r\nHost: 127.0.0.1\r\n\r\n`)
  }
  return async () => {
    for (const socket of sockets) socket.destroy()
    await Promise.all(closings)
  }
}

const announcement = [
  `POST ${revenuePath(1, 'LagreEllerOppdaterListe')} HTTP/1.1`,
  'Content-Type: application/json',
  `Content-Length: ${silentBodies.bytes}`,
].join('\r\n')

/** A generator gets the core only where those of the neighbours, which share it, need no time. */
const floodPriority = 19
