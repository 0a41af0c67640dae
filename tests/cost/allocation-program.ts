// A server and its client in one process: prints how many bytes of heap a point read, an upsert and a row of a list allocate.
import { once } from 'node:events'
import { connect } from 'node:net'
import { getHeapStatistics } from 'node:v8'
import { startServerInProcess } from './server-in-process.ts'

/** What the program prints, as JSON. */
export interface MeasuredAllocation {
  /** Per point read; the median over the batches, because code is compiled during some of them. */
  readonly heapBytes: number
  /** Per upsert of a stored cell, which is one commit. */
  readonly upsertBytes: number
  /** Per row of a list of stored cells. */
  readonly rowBytes: number
  /** The status line and the headers of a reply. */
  readonly headBytes: number
}

const { gc } = globalThis
if (gc === undefined) throw new Error('node needs --expose-gc')
const collect = gc
const [key = ''] = process.argv.slice(2)
const [warmUpRequests, batches, requestsOfBatch] = [3000, 70, 100]
const [warmUpLists, listBatches, listsOfBatch, rowsOfList] = [60, 20, 3, 2000]
const endOfArray = ']'.charCodeAt(0)

const { address, stop } = await startServerInProcess()
const { host, hostname, port } = new URL(address)
const socket = connect(Number(port), hostname)
await once(socket, 'connect')
let receive: (part: Buffer) => void = () => undefined
socket.on('data', (part: Buffer) => receive(part))

const head = `Host: ${host}\r\ntb-key: ${key}\r\n`
const upsert = setPerDate([{ Dato: '2024-05-01', AvdelingID: '20', Omsetning: 1 }])
await send(upsert)
const search = encodeURI("$filter=Dato eq datetime('2024-05-01') and ipType eq 'I' and AvdelingID eq '20'")
const pointRead = Buffer.from(`GET /dev/Omsetning/Finn?${search} HTTP/1.1\r\n${head}\r\n`)
const reply = await send(pointRead)
await repeat(pointRead, warmUpRequests)
const heapBytes = await heapBytesOf(pointRead, { batches, requests: requestsOfBatch })
await repeat(upsert, warmUpRequests)
const upsertBytes = await heapBytesOf(upsert, { batches, requests: requestsOfBatch })
const list = setPerDate(
  Array.from({ length: rowsOfList }, (_, index) => ({
    Dato: `2024-05-${10 + Math.floor(index / 100)}T00:00:00`,
    AvdelingID: `${100 + (index % 100)}`,
    Omsetning: 12_345.5,
  })),
)
await repeat(list, warmUpLists)
const listBytes = await heapBytesOf(list, { batches: listBatches, requests: listsOfBatch })
socket.destroy()
await stop()
const result: MeasuredAllocation = {
  heapBytes,
  upsertBytes,
  rowBytes: Math.round(listBytes / rowsOfList),
  headBytes: reply.indexOf('\r\n\r\n') + 4,
}
process.stdout.write(JSON.stringify(result))

function setPerDate(rows: readonly object[]): Buffer {
  const body = JSON.stringify(rows)
  return Buffer.from(
    `POST /dev/Omsetning/LagreEllerOppdaterOmsetningPrDato HTTP/1.1\r\n${head}` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  )
}

/** Per request. */
async function heapBytesOf(
  request: Buffer,
  { batches, requests }: { readonly batches: number; readonly requests: number },
): Promise<number> {
  const allocated: number[] = []
  for (let batch = 0; batch < batches; batch++) {
    collect({ type: 'minor' })
    const before = getHeapStatistics().used_heap_size
    await repeat(request, requests)
    allocated.push((getHeapStatistics().used_heap_size - before) / requests)
  }
  const [median = NaN] = allocated.sort((one, other) => one - other).slice(batches / 2)
  return Math.round(median)
}

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
function repeat(request: Buffer, times: number): Promise<void> {
  return new Promise((resolve) => {
    let left = times
    receive = (part) => {
      if (!isLast(part)) return
      left -= 1
      if (left === 0) resolve()
      else socket.write(request)
    }
    socket.write(request)
  })
}

function isLast(part: Buffer): boolean {
  return part[part.length - 1] === endOfArray
}
