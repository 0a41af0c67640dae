// Reads a list of export lines from a file, standard input or arguments.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { World } from '../../server/environment.ts'
import { Fault } from '../../errors/catalog.ts'
import { entryAt, lineListIn, namedOf, type Naming } from '../../imports/line-list.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import type { Named } from '../../export/reconcile.ts'

/** Reads a file, or standard input for `-`. Throws an `OperatorError` with the position. */
export async function readLineList(world: World, file: string, by: Naming): Promise<Named[]> {
  const bytes = file === '-' ? await readInput(world) : readBytes(resolve(world.cwd, file))
  return withUsageErrors(() => lineListIn(bytes, by))
}

/** The ids of the list; throws when an entry has none. */
export function idsOf(list: readonly Named[]): number[] {
  return list.map(({ id }, index) => {
    if (id === null)
      throw new OperatorError(
        `The list cannot be read: entry ${index + 1} has no id.`,
        exitCodes.usage,
      )
    return id
  })
}

/** Parses ids in arguments: `17 18` or `17,18`. */
export function readIds(texts: readonly string[]): Promise<Named[]> {
  return withUsageErrors(async () =>
    texts
      .flatMap((text) => text.split(','))
      .filter((text) => text !== '')
      .map((text, index) => namedOf(text, 'id', entryAt(index))),
  )
}

async function withUsageErrors(read: () => Promise<Named[]>): Promise<Named[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Fault) throw new OperatorError(error.message, exitCodes.usage, error)
    throw error
  }
}

async function readInput({ input }: World): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of input) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OperatorError(`${path} cannot be read: ${code}.`, exitCodes.failure, error)
  }
}
