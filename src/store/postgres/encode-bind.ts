// Bind messages of PostgreSQL's extended query protocol, with Describe, Execute and Sync in one buffer.
import type { SqlValue } from '../../engine/sql/dialect.ts'

/**
 * Binds the values to the statement of this name, and what follows: `execute` and the like. The driver makes a buffer of each
 * message, and a chunk of the socket's stream of each buffer.
 */
export function encodeBind(statement: string, values: readonly SqlValue[], tail: Buffer): Buffer {
  const texts = values.map(toText)
  const lengths = texts.map((text) => (text === null ? nullLength : Buffer.byteLength(text)))
  // The statement, and the numbers of formats, values, and formats of the result; none of the formats means text.
  const fixedBytes = 1 + statement.length + 1 + 3 * 2
  const bytes = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), 4 + fixedBytes)
  const message = Buffer.allocUnsafe(1 + bytes + tail.length)
  message[0] = bindCode
  message.writeInt32BE(bytes, 1)
  // The portal has no name.
  message[5] = 0
  let at = 6 + message.write(statement, 6, 'latin1')
  message[at++] = 0
  at = message.writeInt16BE(0, at)
  at = message.writeInt16BE(texts.length, at)
  for (const [index, text] of texts.entries()) {
    at = message.writeInt32BE(lengths[index] ?? nullLength, at)
    if (text !== null) at += message.write(text, at)
  }
  at = message.writeInt16BE(0, at)
  tail.copy(message, at)
  return message
}

function toText(value: SqlValue): string | null {
  if (value === null || typeof value === 'string') return value
  return typeof value === 'number' ? String(value) : `\\x${value.toString('hex')}`
}

const bindCode = 'B'.charCodeAt(0)
const nullLength = -1

/** Executes the portal without a name, and returns all of its rows. */
export const execute = Buffer.from('E\0\0\0\x09\0\0\0\0\0', 'latin1')
/** Ends what is one transaction, unless there is one. */
const sync = Buffer.from('S\0\0\0\x04', 'latin1')
export const executeSync = Buffer.concat([execute, sync])
export const describeExecuteSync = Buffer.concat([Buffer.from('D\0\0\0\x06P\0', 'latin1'), executeSync])
