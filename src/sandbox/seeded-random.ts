// Deterministic random numbers: hashes of their arguments.

/** A number from 0 (inclusive) to 1 (exclusive), always the same for the same words. */
export function seededRandom(...words: readonly (string | number)[]): number {
  const text = words.join(' ')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  // FNV-1a gives similar values for similar inputs; the finalizer of MurmurHash3 spreads them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** True with a probability of 1 in `times`. */
export function hasChance(times: number, ...words: readonly (string | number)[]): boolean {
  return seededRandom(...words) * times < 1
}

/** An integer from `least` to `most`, inclusive. */
export function randomInteger(least: number, most: number, ...words: readonly (string | number)[]): number {
  return least + Math.floor(seededRandom(...words) * (most - least + 1))
}

export function pick<T>(list: readonly T[], ...words: readonly (string | number)[]): T {
  const one = list[Math.floor(seededRandom(...words) * list.length)]
  if (one === undefined) throw new Error('nothing to pick from')
  return one
}
