// A server and its client in one process: prints how many objects are kept after requests of several kinds.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { queryObjects } from 'node:v8'
import { startServerInProcess } from './server-in-process.ts'

/** What the program prints, as JSON: objects by kind of request. */
export type KeptObjects = Readonly<Record<string, number>>

const [key = '', warmUp = '', measured = ''] = process.argv.slice(2)
const { address, stop } = await startServerInProcess()
const { host, hostname, port } = new URL(address)

/** A date of its own for each number. */
function dateOf(number: number): string {
  return new Date(Date.UTC(2000, 0, 1 + (number % 9000))).toISOString().slice(0, 10)
}

function get(path: string): string {
  return `GET ${encodeURI(path)} HTTP/1.1\r\nHost: ${host}\r\ntb-key: ${key}\r\n\r\n`
}

function post(path: string, body: string): string {
  return (
    `POST ${path} HTTP/1.1\r\nHost: ${host}\r\ntb-key: ${key}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  )
}

function upsert(number: number): string {
  const row = `{"Dato":"${dateOf(number % 50)}","AvdelingID":"${number % 7}","Omsetning":${number}}`
  return post('/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato', `[${row}]`)
}

const requests: Readonly<Record<string, (number: number) => string>> = {
  'a point read': (number) =>
    get(`/dev/Omsetning/Finn?$filter=Dato eq datetime'${dateOf(number)}' and AvdelingID eq '${number}'`),
  'a related read': (number) => get(`/odata/Ansatt?$expand=Avdeling&$filter=Id gt ${number}&$top=2`),
  'an upsert': upsert,
  'a registration': (number) =>
    post('/prosjekt/Transaksjon/Batch', `[{"EksternId":"${number}","Dato":"2024-05-01","VareId":"A1","Antall":2}]`),
  'an acknowledgement': (number) => post('/prosjekt/TransaksjonsEksport/Eksportert', `{"ids":[${number}]}`),
  'an idempotent write': (number) =>
    upsert(number).replace('Content-Type', `Idempotency-Key: k${number}\r\nContent-Type`),
  'a wrong filter': (number) => get(`/dev/Omsetning/Finn?$filter=Feil${number} eq 1`),
  'an unknown path': (number) => get(`/finnes/ikke/${number}`),
  'a rejected key': (number) => get('/dev/Omsetning/Finn').replace(key, `${key.slice(0, -6)}${100_000 + number}`),
}

/** One after another; the connection is opened again where the server closed it. */
async function repeat(request: (number: number) => string, from: number, to: number): Promise<void> {
  let socket: Socket | null = null
  for (let number = from; number < to; number++) {
    socket ??= await open()
    socket.write(request(number))
    const [reply] = (await once(socket, 'data')) as [Buffer]
    if (!/^HTTP\/1\.1 [2-4]/.test(reply.toString('latin1'))) throw new Error(reply.toString())
    if (!reply.includes('onnection: close')) continue
    socket.destroy()
    socket = null
  }
  socket?.destroy()
}

async function open(): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  await once(socket, 'connect')
  return socket
}

/** A request whose client leaves before the reply, in the middle of a body, or without a byte. */
async function leave(from: number, to: number): Promise<void> {
  for (let number = from; number < to; number++) {
    const socket = await open()
    const text = upsert(number)
    socket.write(text.slice(0, [0, text.length, text.length - 5][number % 3]))
    await new Promise(setImmediate)
    socket.destroy()
    await once(socket, 'close')
  }
}

const kept: Record<string, number> = {}
await measure('a client that leaves', leave)
for (const [kind, request] of Object.entries(requests)) await measure(kind, (from, to) => repeat(request, from, to))
await stop()
process.stdout.write(JSON.stringify(kept satisfies KeptObjects))

async function measure(kind: string, send: (from: number, to: number) => Promise<void>): Promise<void> {
  const count = Number(measured)
  await send(0, Number(warmUp))
  let least = Infinity
  // What every request keeps is there each time; what is not done yet on a busy machine, or done meanwhile, is not.
  for (let attempt = 0; attempt < 3 && least > count / 4; attempt++) {
    const from = Number(warmUp) + attempt * count
    const before = await countObjects()
    await send(from, from + count)
    least = Math.min(least, (await countObjects()) - before)
  }
  kept[kind] = least
}

/** After what the last requests started is done, unless the machine is busy. */
async function countObjects(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 300))
  return queryObjects(Object, { format: 'count' })
}
