// Workbook process: the program that reads the first sheet of an Excel workbook.
import { inflateRawSync } from 'node:zlib'
import { readSheet } from 'read-excel-file/node'
import { compressedBytesOf, readZipEntries } from './zip.ts'

export interface WorkbookTask {
  readonly bytes: Uint8Array
  readonly unpackedBytesMax: number
}

export type WorkbookResult = { readonly rows: string[][] } | { readonly problem: 'tooLarge' | 'tooMuch' | 'unreadable' }

async function readFirstSheet(bytes: Buffer, unpackedBytesMax: number): Promise<WorkbookResult> {
  if (!unpacksWithin(bytes, unpackedBytesMax)) return { problem: 'tooLarge' }
  try {
    const rows = await readSheet(bytes, { trim: false, parseNumber: (text) => String(Number(text)) })
    return { rows: rows.map((row) => row.map(cellText)) }
  } catch (error) {
    // Of the stack, of an array or a string, or of a buffer: whether the process gets there before its time limit depends on the machine.
    const isOfLimit = error instanceof RangeError && /exceeded|length|allocation/.test(error.message)
    return { problem: isOfLimit ? 'tooMuch' : 'unreadable' }
  }
}

/** The central directory may lie about sizes, so each entry is unpacked once within the remaining limit. */
function unpacksWithin(bytes: Buffer, unpackedBytesMax: number): boolean {
  let left = unpackedBytesMax
  for (const part of readZipEntries(bytes) ?? []) {
    const packed = compressedBytesOf(bytes, part)
    if (packed === null) return false
    try {
      left -= part.method === 0 ? packed.length : inflateRawSync(packed, { maxOutputLength: left + 1 }).length
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

// A terminal sends these to every process, but the server finishes its requests first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
process.once('message', ({ bytes, unpackedBytesMax }: WorkbookTask) => {
  void readFirstSheet(Buffer.from(bytes), unpackedBytesMax).then((result) => process.send?.(result))
})
