// Limits of the URL and the headers of a request, also of one inside of a batch.
import { ApiError } from './api-error.ts'

interface HeaderLimits {
  readonly headersBytesMax: number
  readonly headersMax: number
}

/** Throws `HeadersTooLarge`. `target` is the location of the request in a batch. */
export function requireShortHeaders(bytes: number, count: number, limits: HeaderLimits, target?: string): void {
  if (bytes > limits.headersBytesMax) throw headersTooLargeError(limits, 'headersBytesMax', target)
  if (count > limits.headersMax) throw headersTooLargeError(limits, 'headersMax', target)
}

export function headersTooLargeError(
  { headersBytesMax: max, headersMax: countMax }: HeaderLimits,
  limitName: keyof HeaderLimits,
  target?: string,
): ApiError {
  return new ApiError('HeadersTooLarge', { target, params: { max, countMax, limitName } })
}

export function urlTooLongError<Name extends string>(
  limits: Readonly<Record<Name, number>>,
  limitName: Name,
  target?: string,
): ApiError {
  return new ApiError('UrlTooLong', { target, params: { max: limits[limitName], limitName } })
}
