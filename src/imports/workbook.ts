// Reads the first sheet of an Excel workbook in a worker, with limits on size, memory and time.
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { inflateRawSync } from 'node:zlib'
import { ApiError } from '../errors/api-error.ts'
import { createMutex } from '../lib/mutex.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import { compressedBytesOf, readZipEntries } from './zip.ts'

/** Rows of cells as text: numbers with a decimal point, dates as `2024-05-01`. Throws `UnreadableFile`. */
export async function readWorkbook(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const parts = readZipEntries(bytes, partsMax)
  if (parts === null) throw unreadableFileError(message('notAWorkbook'))
  if (parts.length > partsMax) throw unreadableFileError(message('tooManyParts', { max: partsMax }))
  const unpacked = parts.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0)
  if (unpacked > large.unpackedBytesMax) throw tooLarge(large)
  const lane = unpacked > small.unpackedBytesMax ? large : small
  return lane.inTurn(() => readInWorker(bytes, lane))
}

/** A tiny file can expand to fill a worker's memory, so each lane runs one worker at a time. */
interface Lane {
  readonly unpackedBytesMax: number
  readonly memoryMiBMax: number
  readonly readingMsMax: number
  readonly inTurn: ReturnType<typeof createMutex>
}

const MiB = 1024 * 1024

/** Ordinary files do not wait for large ones. */
const small: Lane = {
  unpackedBytesMax: 5 * MiB,
  memoryMiBMax: 256,
  readingMsMax: 10_000,
  inTurn: createMutex(),
}

const large: Lane = {
  unpackedBytesMax: 50 * MiB,
  memoryMiBMax: 1024,
  readingMsMax: 60_000,
  inTurn: createMutex(),
}

const partsMax = 1000

function unreadableFileError(problem: LocalizedMessage): ApiError {
  return new ApiError('UnreadableFile', { params: { problem } })
}

function tooLarge({ unpackedBytesMax }: Lane): ApiError {
  return unreadableFileError(message('decompressedTooLarge', { max: unpackedBytesMax }))
}

/** The worker's result: the rows, or the problem. */
type WorkerResult =
  | { readonly rows: string[][] }
  | { readonly problem: 'tooLarge' | 'tooMuch' | 'unreadable' }

function readInWorker(bytes: Buffer, lane: Lane): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(fileURLToPath(import.meta.url), {
      workerData: { [taskName]: { bytes, unpackedBytesMax: lane.unpackedBytesMax } },
      // A small file can describe a sheet of billions of cells.
      resourceLimits: { maxOldGenerationSizeMb: lane.memoryMiBMax },
    })
    let result: WorkerResult = { problem: 'unreadable' }
    const end = setTimeout(() => {
      result = { problem: 'tooMuch' }
      void worker.terminate()
    }, lane.readingMsMax)
    worker.once('message', (message: WorkerResult) => {
      result = message
      void worker.terminate()
    })
    worker.once('error', () => (result = { problem: 'tooMuch' }))
    // Settles on exit, because the worker's memory is not released before.
    worker.once('exit', () => {
      clearTimeout(end)
      if ('rows' in result) resolve(result.rows)
      else reject(problemError(result.problem, lane))
    })
  })
}

function problemError(problem: 'tooLarge' | 'tooMuch' | 'unreadable', lane: Lane): ApiError {
  if (problem === 'tooLarge') return tooLarge(lane)
  return unreadableFileError(message(problem === 'tooMuch' ? 'readingTooCostly' : 'notAWorkbook'))
}

const taskName = 'dagsverk workbook'

/** Runs in the worker. */
async function readSheetInWorker(bytes: Buffer, unpackedBytesMax: number): Promise<WorkerResult> {
  if (!unpacksWithin(bytes, unpackedBytesMax)) return { problem: 'tooLarge' }
  // Here, so that the server does not load it.
  const { readSheet } = await import('read-excel-file/node')
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
  for (const part of readZipEntries(bytes, partsMax) ?? []) {
    const packed = compressedBytesOf(bytes, part)
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
    parentPort.postMessage(await readSheetInWorker(Buffer.from(bytes), unpackedBytesMax), [])
  }
