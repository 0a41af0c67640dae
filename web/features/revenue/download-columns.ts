// Columns of the revenue downloads: every field that the rows have.
import type { SetRow } from '../../api/sets.ts'

/** The fields that every download has come first, the key last. */
export function downloadColumns([first = {}]: readonly SetRow[]): readonly string[] {
  const others = Object.keys(first).filter((name) => !name.startsWith('@') && name !== key)
  return [...new Set([...leading, ...others, key])]
}

const leading = ['Dato', 'AvdelingID', 'ipType', 'Omsetning', 'Merknad']
const key = 'InntektsPlanId'
