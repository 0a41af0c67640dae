// SQL functions for sums and averages of more than 64 bits in SQLite (ADR 0026).
import type Database from 'better-sqlite3'
import { divideRounded } from './functions.ts'
import { sumOutOfRangeError } from '../../engine/sql/sum-out-of-range.ts'

/** A sum of integers of any size has two parts: that of the lowest twenty bits, and that of the bits above. */
export function addSumFunctions(database: Database.Database): void {
  for (const [name, work] of Object.entries(sums))
    database.function(
      name,
      { deterministic: true, varargs: true, safeIntegers: true },
      (...args: (bigint | null)[]) => {
        const given = args.filter((one) => one !== null)
        return given.length < args.length ? null : work(...given)
      },
    )
}

function combine(whole = 0n, part = 0n): bigint {
  return (whole << 20n) + part
}

const sums: Readonly<Record<string, (...args: bigint[]) => number>> = {
  exact_total: (whole, part) => inRange(Number(combine(whole, part))),
  exact_average: (whole, part, count = 1n, scale = 1n) => {
    const average = divideRounded(combine(whole, part) * scale, count)
    return inRange(average ?? Infinity)
  },
  sum_is_below: (whole, part, amount = 0n) => Number(combine(whole, part) < amount),
  percent_is_below: (whole, part, wholeOfAll, partOfAll, amount = 0n) =>
    Number(combine(whole, part) * 1_000_000n < combine(wholeOfAll, partOfAll) * amount),
}

function inRange(number: number): number {
  if (Number.isSafeInteger(number)) return number + 0
  throw sumOutOfRangeError()
}
