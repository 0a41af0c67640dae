// Decodes text files in the encodings that spreadsheets write.
import { isUtf8 } from 'node:buffer'

/**
 * UTF-8, UTF-16 or Windows-1252, with or without a byte order mark. Text that is not UTF-8 and lacks the zero bytes of
 * Latin letters in UTF-16 is decoded as Windows-1252, in which every byte is a character.
 */
export function decodeFileText(bytes: Buffer): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes)
}

function detectEncoding(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  const start = bytes.subarray(0, sampleBytes)
  if (isMostlyZero(start, 1)) return 'utf-16le'
  if (isMostlyZero(start, 0)) return 'utf-16be'
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252'
}

const sampleBytes = 200

function isMostlyZero(bytes: Buffer, first: 0 | 1): boolean {
  if (bytes.length < 4) return false
  let zeros = 0
  for (let at = first; at < bytes.length; at += 2) if (bytes[at] === 0) zeros += 1
  return zeros > bytes.length / 4
}
