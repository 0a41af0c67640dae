// Reads the first sheet of an Excel workbook in a worker, with limits on size, memory and time.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { inflateRawSync } from 'node:zlib'
import { readSheet } from 'read-excel-file/node'
import { Fault } from '../errors/catalog.ts'
import { oneAtATime } from '../lib/mutex.ts'
import { phrase, type Phrase } from '../errors/messages.ts'
import { packedBytesOf, zipParts } from './zip.ts'

/** Rows of cells as text: numbers with a decimal point, dates as `2024-05-01`. Throws `UnreadableFile`. */
export async function readWorkbook(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const parts = zipParts(bytes, partsMax)
  if (parts === null) throw unreadable(phrase('noWorkbook'))
  if (parts.length > partsMax) throw unreadable(phrase('tooManyParts', { max: partsMax }))
  const unpacked = parts.reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)
  if (unpacked > large.unpackedBytesMax) throw tooLarge(large)
  const lane = unpacked > small.unpackedBytesMax ? large : small
  return lane.inTurn(() => readInThread(bytes, lane))
}

/** A tiny file can expand to fill a worker's memory, so each lane runs one worker at a time. */
interface Lane {
  readonly unpackedBytesMax: number
  readonly memoryMiBMax: number
  readonly readingMsMax: number
  readonly inTurn: ReturnType<typeof oneAtATime>
}

const MiB = 1024 * 1024

/** Ordinary files do not wait for large ones. */
const small: Lane = {
  unpackedBytesMax: 5 * MiB,
  memoryMiBMax: 256,
  readingMsMax: 10_000,
  inTurn: oneAtATime(),
}

const large: Lane = {
  unpackedBytesMax: 50 * MiB,
  memoryMiBMax: 1024,
  readingMsMax: 60_000,
  inTurn: oneAtATime(),
}

const partsMax = 1000

function unreadable(problem: Phrase): Fault {
  return new Fault('UnreadableFile', { says: { problem } })
}

function tooLarge({ unpackedBytesMax }: Lane): Fault {
  return unreadable(phrase('unpacksTooLarge', { max: unpackedBytesMax }))
}

/** The worker's result: the rows, or the problem. */
type Told =
  | { readonly rows: string[][] }
  | { readonly problem: 'tooLarge' | 'tooMuch' | 'unreadable' }

function readInThread(bytes: Buffer, lane: Lane): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData: { [taskName]: { bytes, unpackedBytesMax: lane.unpackedBytesMax } },
      // A small file can describe a sheet of billions of cells.
      resourceLimits: { maxOldGenerationSizeMb: lane.memoryMiBMax },
    })
    let told: Told = { problem: 'unreadable' }
    const end = setTimeout(() => {
      told = { problem: 'tooMuch' }
      void worker.terminate()
    }, lane.readingMsMax)
    worker.once('message', (message: Told) => {
      told = message
      void worker.terminate()
    })
    worker.once('error', () => (told = { problem: 'tooMuch' }))
    // Settles on exit, because the worker's memory is not released before.
    worker.once('exit', () => {
      clearTimeout(end)
      if ('rows' in told) resolve(told.rows)
      else reject(refusalOf(told.problem, lane))
    })
  })
}

function refusalOf(problem: 'tooLarge' | 'tooMuch' | 'unreadable', lane: Lane): Fault {
  if (problem === 'tooLarge') return tooLarge(lane)
  return unreadable(phrase(problem === 'tooMuch' ? 'takesTooMuch' : 'noWorkbook'))
}

const taskName = 'dagsverk workbook'

/** Runs in the worker. */
async function work(bytes: Buffer, unpackedBytesMax: number): Promise<Told> {
  if (!unpacksWithin(bytes, unpackedBytesMax)) return { problem: 'tooLarge' }
  try {
    const rows = await readSheet(bytes, {
      trim: false,
      parseNumber: (text) => String(Number(text)),
    })
    return { rows: rows.map((row) => row.map(cellText)) }
  } catch {
    return { problem: 'unreadable' }
  }
}

/** The central directory may lie about sizes, so each entry is unpacked once within the remaining limit. */
function unpacksWithin(bytes: Buffer, unpackedBytesMax: number): boolean {
  let left = unpackedBytesMax
  for (const part of zipParts(bytes, partsMax) ?? []) {
    const packed = packedBytesOf(bytes, part)
    if (packed === null) return false
    try {
      left -=
        part.method === 0
          ? packed.length
          : inflateRawSync(packed, { maxOutputLength: left + 1 }).length
    } catch {
      return false
    }
    if (left < 0) return false
  }
  return true
}

function cellText(cell: unknown): string {
  if (typeof cell === 'string') return cell
  if (typeof cell === 'boolean') return String(cell)
  if (!(cell instanceof Date)) return ''
  const text = Number.isNaN(cell.getTime()) ? '' : cell.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19)
}

if (!isMainThread && parentPort !== null && typeof workerData === 'object' && workerData !== null)
  if (taskName in workerData) {
    const { bytes, unpackedBytesMax } = workerData[taskName]
    parentPort.postMessage(await work(Buffer.from(bytes), unpackedBytesMax), [])
  }
