// A list of lines that somebody hands to a command: a file, the standard input, or ids as they are typed.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { World } from '../../server/environment.ts'
import { Fault } from '../../errors/catalog.ts'
import { entryAt, lineListIn, namedOf, type Naming } from '../../imports/line-list.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import type { Named } from '../../export/reconcile.ts'

/** Reads the file; `-` is the standard input. Throws an `OperatorError` that names the place. */
export async function readLineList(world: World, file: string, by: Naming): Promise<Named[]> {
  const bytes = file === '-' ? await inputOf(world) : bytesOf(resolve(world.cwd, file))
  return asMisuse(() => lineListIn(bytes, by))
}

/** The ids of a list that is to be acted upon. */
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

/** Ids as they are typed: `17 18` or `17,18`. */
export function readIds(texts: readonly string[]): Promise<Named[]> {
  return asMisuse(async () =>
    texts
      .flatMap((text) => text.split(','))
      .filter((text) => text !== '')
      .map((text, index) => namedOf(text, 'id', entryAt(index))),
  )
}

async function asMisuse(read: () => Promise<Named[]>): Promise<Named[]> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Fault) throw new OperatorError(error.message, exitCodes.usage, error)
    throw error
  }
}

async function inputOf({ input }: World): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of input) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces)
}

function bytesOf(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new OperatorError(`${path} cannot be read: ${code}.`, exitCodes.failure, error)
  }
}
