// Reads the first sheet of an Excel workbook in a thread, with limits on size, memory and time.
import { Worker } from 'node:worker_threads'
import { ApiError } from '../errors/api-error.ts'
import { createMutex } from '../lib/mutex.ts'
import { message, type LocalizedMessage } from '../errors/messages.ts'
import type { WorkbookProblem, WorkbookResult, WorkbookTask } from './workbook-thread.ts'
import { partsMax, readZipEntries } from './zip.ts'

/** Rows of cells as text: numbers with a decimal point, dates as `2024-05-01`. Throws `UnreadableFile`. */
export async function readWorkbook(bytes: Buffer): Promise<readonly (readonly string[])[]> {
  const parts = readZipEntries(bytes)
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
const small: Lane = { unpackedBytesMax: 5 * MiB, memoryMiBMax: 256, readingMsMax: 10_000, inTurn: createMutex() }

const large: Lane = { unpackedBytesMax: 50 * MiB, memoryMiBMax: 1024, readingMsMax: 60_000, inTurn: createMutex() }

function unreadableFileError(problem: LocalizedMessage): ApiError {
  return new ApiError('UnreadableFile', { params: { problem } })
}

function tooLarge({ unpackedBytesMax }: Lane): ApiError {
  return unreadableFileError(message('decompressedTooLarge', { max: unpackedBytesMax }))
}

function readInWorker(bytes: Buffer, lane: Lane): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const task: WorkbookTask = { bytes, unpackedBytesMax: lane.unpackedBytesMax }
    const worker = new Worker(new URL('./workbook-thread.ts', import.meta.url), {
      workerData: task,
      // A small file can describe a sheet of billions of cells.
      resourceLimits: { maxOldGenerationSizeMb: lane.memoryMiBMax },
    })
    let result: WorkbookResult = { problem: 'unreadable' }
    const end = setTimeout(() => {
      result = { problem: 'tooMuch' }
      void worker.terminate()
    }, lane.readingMsMax)
    worker.once('message', (message: WorkbookResult) => {
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

function problemError(problem: WorkbookProblem, lane: Lane): ApiError {
  if (problem === 'tooLarge') return tooLarge(lane)
  return unreadableFileError(message(problem === 'tooMuch' ? 'readingTooCostly' : 'notAWorkbook'))
}
