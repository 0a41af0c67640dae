// What links that were sent to somebody open: an invitation to a company, and a new password.
import { act } from './ask.ts'
import type { Role } from './session.ts'

export interface Invitation {
  readonly email: string
  readonly role: Role
  readonly company: string
  /** There is an account already, and its password is asked for. */
  readonly isKnown: boolean
}

/** What stands after the # reaches no server by itself, and so no log. */
export const tokenInAddress = (): string => window.location.hash.slice(1)

export const lookAtInvitation = (token: string): Promise<Invitation> =>
  act<Invitation>('POST', '/app/invitasjon/se', { token })

export const acceptInvitation = (token: string, name: string, password: string): Promise<unknown> =>
  act('POST', '/app/invitasjon/godta', { token, password, ...(name === '' ? {} : { name }) })

export const askForLink = (email: string): Promise<null> =>
  act('POST', '/app/glemt/be-om', { email })

export const setPassword = (token: string, password: string): Promise<null> =>
  act('POST', '/app/ny-adgang/sett', { token, password })
