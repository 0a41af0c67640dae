// Seeded random numbers: every random walk prints its seed, and SEED repeats it.

/** Seed of generated requests: the same in every run, unless SEED is set. */
export const seed = Number(process.env['SEED'] ?? 1)

export interface SeededRandom {
  readonly seed: number
  /** An integer from 0 up to, not including, the limit. */
  below(limit: number): number
  pick<T>(list: readonly T[]): T
}

/** Seeded by SEED, or by the clock, since the times of kills and stops vary anyway. */
export function seededRandom(): SeededRandom {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000)
  process.stderr.write(`SEED=${seed}\n`)
  return randomFrom(seed)
}

/** Mulberry32: sufficient for shuffling, and the same on every platform. */
export function randomFrom(seed: number): SeededRandom {
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
