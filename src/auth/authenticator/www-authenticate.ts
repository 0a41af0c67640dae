// The WWW-Authenticate header of 401 responses (RFC 9110, 11.6.1).
import { ApiError } from '../../errors/api-error.ts'

export const authenticateHeader: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'Basic realm="dagsverk", charset="UTF-8", Bearer realm="dagsverk"',
}

/** The same error for an unknown company, a wrong password, a disabled company and an unknown key. */
export function invalidCredentials(): ApiError {
  return new ApiError('InvalidCredentials', { headers: authenticateHeader })
}
