// A server and its client in one process: prints how many bytes of heap a point read allocates.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { defaultHashCost } from '../../src/auth/passwords/password-hash.ts'
import { runCommand } from '../../src/cli/main.ts'

/** What the program prints, as JSON. */
export interface PointReadAllocation {
  /** Per request; the median over the batches, because code is compiled during some of them. */
  readonly heapBytes: number
  /** The status line and the headers of a reply. */
  readonly headBytes: number
}

const { gc } = globalThis
if (gc === undefined) throw new Error('node needs --expose-gc')
const [key = ''] = process.argv.slice(2)
const [warmUpRequests, batches, requestsOfBatch] = [3000, 70, 100]
const endOfArray = ']'.charCodeAt(0)

const listening = Promise.withResolvers<string>()
const stopping = Promise.withResolvers<void>()
const ended = runCommand(['serve'], {
  environment: process.env,
  cwd: process.cwd(),
  program: '',
  appFolder: '',
  input: (async function* () {})(),
  // The request log is written, and dropped.
  print: () => undefined,
  printMessage: (text) => {
    const address = / serves on (?<address>http:\S+)\n/.exec(text)?.groups?.['address']
    if (address !== undefined) listening.resolve(address)
  },
  clock: () => Date.now() * 1000,
  monotonicMs: () => performance.now(),
  random: randomBytes,
  hashCost: defaultHashCost,
  onStop: (listener) => void stopping.promise.then(listener),
  onReload: () => undefined,
})
void ended.then((code) => listening.reject(new Error(`the server ended with ${code}`)))

const { host, hostname, port } = new URL(await listening.promise)
const socket = connect(Number(port), hostname)
await once(socket, 'connect')
let receive: (part: Buffer) => void = () => undefined
socket.on('data', (part: Buffer) => receive(part))

const body = '[{"Dato":"2024-05-01","AvdelingID":"20","Omsetning":1}]'
const head = `Host: ${host}\r\ntb-key: ${key}\r\n`
await send(
  `POST /dev/Omsetning/LagreEllerOppdaterOmsetningPrDato HTTP/1.1\r\n${head}` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
)
const search = encodeURI("$filter=Dato eq datetime('2024-05-01') and ipType eq 'I' and AvdelingID eq '20'")
const pointRead = Buffer.from(`GET /dev/Omsetning/Finn?${search} HTTP/1.1\r\n${head}\r\n`)
const reply = await send(pointRead)
await repeatPointRead(warmUpRequests)
const allocated: number[] = []
for (let batch = 0; batch < batches; batch++) {
  gc({ type: 'minor' })
  const before = getHeapStatistics().used_heap_size
  await repeatPointRead(requestsOfBatch)
  allocated.push((getHeapStatistics().used_heap_size - before) / requestsOfBatch)
}
const [median = NaN] = allocated.sort((one, other) => one - other).slice(batches / 2)
socket.destroy()
stopping.resolve()
await ended
const result: PointReadAllocation = { heapBytes: Math.round(median), headBytes: reply.indexOf('\r\n\r\n') + 4 }
process.stdout.write(JSON.stringify(result))

/** The reply, which has an array of one record. */
function send(request: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    receive = (part) => {
      text += part.toString('latin1')
      if (!isLast(part)) return
      if (/^HTTP\/1\.1 200 .*\[\{[^}]*\}\]$/s.test(text)) resolve(text)
      else reject(new Error(text))
    }
    socket.write(request)
  })
}

/** One after another, with as little garbage of the client as possible. */
function repeatPointRead(times: number): Promise<void> {
  return new Promise((resolve) => {
    let left = times
    receive = (part) => {
      if (!isLast(part)) return
      left -= 1
      if (left === 0) resolve()
      else socket.write(pointRead)
    }
    socket.write(pointRead)
  })
}

function isLast(part: Buffer): boolean {
  return part[part.length - 1] === endOfArray
}
