// Reads a list of export lines from a file, standard input or arguments.
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Runtime } from '../../server/environment.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyId } from '../../engine/model/resource.ts'
import { parseLineList, type IdentifierKind } from '../../imports/line-list.ts'
import { exitCodes, OperatorError, usageError } from '../../lib/operator-error.ts'
import type { LineReference } from '../../export/reconcile.ts'

/** Reads a file, or standard input for `-`. Throws an `OperatorError` with the position. */
export async function readLineList(
  { runtime, companyId }: { readonly runtime: Runtime; readonly companyId: CompanyId },
  file: string,
  by: IdentifierKind,
): Promise<LineReference[]> {
  const bytes = file === '-' ? await buffer(runtime.input) : readInputFile(resolve(runtime.cwd, file))
  return withUsageErrors(() => parseLineList(bytes, by, { companyId }))
}

/** The ids of the list; throws when an entry has none. */
export function requireIds(list: readonly LineReference[]): number[] {
  return list.map(({ id }, index) => {
    if (id === null) throw usageError(`The list cannot be read: entry ${index + 1} has no id.`)
    return id
  })
}

/** Parses ids in arguments: `17 18` or `17,18`. */
export function parseIds(texts: readonly string[]): LineReference[] {
  const ids = texts.flatMap((text) => text.split(',')).filter((text) => text !== '')
  return ids.map((text) => ({ id: parseLineId(text), externalId: null, exportKey: null }))
}

export function parseLineId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw usageError(`"${text}" is not the Id of a line.`)
}

async function withUsageErrors(read: () => Promise<LineReference[]>): Promise<LineReference[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiError) throw usageError(error.message, error)
    throw error
  }
}

/** Of a file that is larger than `bytesMax` one byte more, without reading it into memory. */
export function readInputFile(path: string, bytesMax = Infinity): Buffer {
  try {
    return statSync(path).size > bytesMax ? Buffer.alloc(bytesMax + 1) : readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OperatorError(`${path} cannot be read: ${code}.`, exitCodes.failure, error)
  }
}
