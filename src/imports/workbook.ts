// Reads the first sheet of an Excel workbook in a process, with limits on size, memory and time.
import { unreadableFileError } from './field-names.ts'
import type { ApiError } from '../errors/api-error.ts'
import { forkAtLowPriority } from '../store/fork-at-low-priority.ts'
import type { CompanyId } from '../engine/model/resource.ts'
import { CompanySlots } from '../store/company-slots.ts'
import type { RequestClient } from '../store/store.ts'
import type { WorkbookResult, WorkbookTask } from './workbook-process.ts'
import { partsMax, readZipEntries } from './zip.ts'

/** Who sends a file. */
export interface FileSender {
  readonly companyId: CompanyId
  /** A file that waits is dropped when its client disconnects. */
  readonly client?: RequestClient
}

/** Rows of cells as text: numbers with a decimal point, dates as `2024-05-01`. Throws `UnreadableFile`. */
export async function readWorkbook(
  bytes: Buffer,
  { companyId, client }: FileSender,
): Promise<readonly (readonly string[])[]> {
  const parts = readZipEntries(bytes)
  if (parts === null) throw unreadableFileError('notAWorkbook')
  if (parts.length > partsMax) throw unreadableFileError('tooManyParts', { max: partsMax })
  const unpacked = parts.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0)
  if (unpacked > large.unpackedBytesMax) throw tooLarge(large)
  const lane = unpacked > small.unpackedBytesMax ? large : small
  const release = await lane.slots.acquire(companyId, client)
  try {
    return await readInProcess(bytes, lane)
  } finally {
    release()
  }
}

/** A tiny file can expand to fill the memory, so each lane runs one process at a time, for each company in turn. */
interface Lane {
  readonly unpackedBytesMax: number
  readonly memoryMiBMax: number
  readonly readingMsMax: number
  readonly slots: CompanySlots
}

const MiB = 1024 * 1024

/** Ordinary files do not wait for large ones. */
const small: Lane = {
  unpackedBytesMax: 5 * MiB,
  memoryMiBMax: 256,
  readingMsMax: 10_000,
  slots: new CompanySlots({ count: 1, waitMs: null }),
}

const large: Lane = {
  unpackedBytesMax: 50 * MiB,
  memoryMiBMax: 1024,
  readingMsMax: 60_000,
  slots: new CompanySlots({ count: 1, waitMs: null }),
}

function tooLarge({ unpackedBytesMax }: Lane): ApiError {
  return unreadableFileError('decompressedTooLarge', { max: unpackedBytesMax })
}

/** In a process: where V8 reaches the limit of a thread's memory, it may abort the whole process. */
function readInProcess(bytes: Buffer, lane: Lane): Promise<string[][]> {
  return new Promise((resolve, reject) => {
    const task: WorkbookTask = { bytes, unpackedBytesMax: lane.unpackedBytesMax }
    const child = forkAtLowPriority(new URL('./workbook-process.ts', import.meta.url), [], {
      // A small file can describe a sheet of billions of cells.
      execArgv: [`--max-old-space-size=${lane.memoryMiBMax}`],
      stdio: 'ignore',
      serialization: 'advanced',
    })
    // Until it replies: killed by the time limit, or ended by that of the memory.
    let result: WorkbookResult = { problem: 'tooMuch' }
    const end = setTimeout(() => child.kill('SIGKILL'), lane.readingMsMax)
    child.once('message', (reply: WorkbookResult) => {
      result = reply
      child.kill('SIGKILL')
    })
    // Settles on exit, because the memory is not released before.
    const settle = () => {
      clearTimeout(end)
      if ('rows' in result) resolve(result.rows)
      else if (result.problem === 'tooLarge') reject(tooLarge(lane))
      else reject(unreadableFileError(result.problem === 'tooMuch' ? 'readingTooCostly' : 'notAWorkbook'))
    }
    child.once('exit', settle).once('error', settle)
    child.send(task)
  })
}
