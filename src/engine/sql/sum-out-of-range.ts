// The error of a sum that is out of range.
import { ApiError } from '../../errors/api-error.ts'

/** The marker in PostgreSQL's error for such a sum. */
export const outOfRangePrefix = 'sum out of range: '

/** Sums are limited to the safe integers in ten-thousandths (ADR 0026). */
export function sumOutOfRangeError(cause?: Error): ApiError {
  return new ApiError('NumberOutOfRange', {
    target: '$apply',
    params: { field: '$apply', min: '-900719925474.0991', max: '900719925474.0991' },
    cause,
  })
}
