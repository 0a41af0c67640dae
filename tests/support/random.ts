// Chance that can be had again: every random program prints its seed, and DAGSVERK_TEST_SEED repeats it.

export interface Dice {
  readonly seed: number
  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

/** Dice with the seed of the environment, or one of their own. */
export function seededDice(): Dice {
  const seed = Number(process.env['DAGSVERK_TEST_SEED'] ?? Date.now() % 1_000_000_000)
  process.stderr.write(`SEED=${seed}\n`)
  return diceOf(seed)
}

/** Mulberry32: good enough to mix things up, and the same everywhere. */
export function diceOf(seed: number): Dice {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    seed,
    below,
    pick: (list) => {
      const picked = list[below(list.length)]
      if (picked === undefined) throw new Error('nothing to pick from')
      return picked
    },
  }
}
