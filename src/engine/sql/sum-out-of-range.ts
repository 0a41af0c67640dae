// The refusal of a sum that no number of the house can be.
import { Fault } from '../../errors/catalog.ts'

/** What PostgreSQL's error says of such a sum, and of nothing else. */
export const outOfRangeMark = 'sum out of range: '

/** The greatest sum, as a decimal: what a double has all digits of in ten-thousandths (ADR 0075). */
export function sumOutOfRange(cause?: Error): Fault {
  return new Fault('NumberOutOfRange', {
    target: '$apply',
    says: { field: '$apply', min: '-900719925474.0991', max: '900719925474.0991' },
    ...(cause === undefined ? {} : { cause }),
  })
}
