// Reads the central directory of a ZIP file, before anything is unpacked (ZIP APPNOTE 4.3).

export interface ZipEntry {
  /** The offset of its local header. */
  readonly offset: number
  readonly compressedBytes: number
  /** As the central directory claims; the actual size may differ. */
  readonly uncompressedBytes: number
  /** 0 is stored, 8 is deflated. */
  readonly method: number
}

export const partsMax = 1000

/** The entries of a file, at most `partsMax + 1` of them; null when it is no readable ZIP file. */
export function readZipEntries(bytes: Buffer): readonly ZipEntry[] | null {
  const end = bytes.lastIndexOf(endMark)
  if (end === -1 || end + 22 > bytes.length) return null
  const parts: ZipEntry[] = []
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0 && parts.length <= partsMax; left--) {
    if (at + 46 > bytes.length || !bytes.subarray(at, at + 4).equals(entryMark)) return null
    parts.push({
      method: bytes.readUInt16LE(at + 10),
      compressedBytes: bytes.readUInt32LE(at + 20),
      uncompressedBytes: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    })
    at += 46 + lengthsAt(bytes, at + 28, 3)
  }
  return parts
}

/** The compressed bytes of an entry; null without a valid local header. */
export function compressedBytesOf(bytes: Buffer, { offset, compressedBytes }: ZipEntry): Buffer | null {
  if (offset + 30 > bytes.length || !bytes.subarray(offset, offset + 4).equals(partMark)) return null
  const start = offset + 30 + lengthsAt(bytes, offset + 26, 2)
  return start + compressedBytes > bytes.length ? null : bytes.subarray(start, start + compressedBytes)
}

/** The total length of variable-length fields: name, extra field, comment. */
function lengthsAt(bytes: Buffer, at: number, count: number): number {
  return Array.from({ length: count }, (_, index) => bytes.readUInt16LE(at + 2 * index)).reduce(
    (sum, length) => sum + length,
  )
}

const endMark = Buffer.from('PK\u0005\u0006', 'latin1')
const entryMark = Buffer.from('PK\u0001\u0002', 'latin1')
const partMark = Buffer.from('PK\u0003\u0004', 'latin1')
