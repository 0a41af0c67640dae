// Chance without chance: numbers that look thrown and depend on nothing but the words they are asked with.

/** A number from 0 up to 1, the same for the same words wherever and whenever it is asked. */
export function dice(...words: readonly (string | number)[]): number {
  const text = words.join(' ')
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  // FNV-1a leaves neighbours alike; the last step of MurmurHash3 parts them.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/** Whether something happens that happens once in `times`. */
export function isOnceIn(times: number, ...words: readonly (string | number)[]): boolean {
  return dice(...words) * times < 1
}

/** A whole number from `least` to `most`. */
export function between(
  least: number,
  most: number,
  ...words: readonly (string | number)[]
): number {
  return least + Math.floor(dice(...words) * (most - least + 1))
}
