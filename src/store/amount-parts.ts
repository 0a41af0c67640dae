// Amount parts: a sum of ten-thousandths in two parts, which the databases add up without overflow.

/** Units of the currency, and the ten-thousandths that are left. */
export interface AmountParts {
  readonly whole: number
  readonly part: number
}

/** The row with the amount in place of its parts. */
export function withAmount<Row extends AmountParts>({ whole, part, ...row }: Row) {
  return { ...row, amount: whole * 10_000 + part }
}
