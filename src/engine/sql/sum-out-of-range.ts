// The error of a sum that is out of range.
import { Fault } from '../../errors/catalog.ts'

/** The marker in PostgreSQL's error for such a sum. */
export const outOfRangeMark = 'sum out of range: '

/** Sums are limited to the safe integers in ten-thousandths (ADR 0075). */
export function sumOutOfRange(cause?: Error): Fault {
  return new Fault('NumberOutOfRange', {
    target: '$apply',
    says: { field: '$apply', min: '-900719925474.0991', max: '900719925474.0991' },
    ...(cause === undefined ? {} : { cause }),
  })
}
