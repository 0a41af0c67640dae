// What every 401 asks for (RFC 9110, 11.6.1).
import { Fault } from '../../errors/catalog.ts'

export const challenge: Readonly<Record<string, string>> = {
  'WWW-Authenticate': 'Basic realm="dagsverk", charset="UTF-8", Bearer realm="dagsverk"',
}

/** The one answer to an unknown company, a wrong password, a disabled company and an unknown key. */
export function invalidCredentials(): Fault {
  return new Fault('InvalidCredentials', { headers: challenge })
}
