// The WWW-Authenticate header of 401 responses (RFC 9110, 11.6.1).
import { Fault } from '../../errors/catalog.ts'

export const challenge: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'Basic realm="dagsverk", charset="UTF-8", Bearer realm="dagsverk"',
}

/** The same error for an unknown company, a wrong password, a disabled company and an unknown key. */
export function invalidCredentials(): Fault {
  return new Fault('InvalidCredentials', { headers: challenge })
}
