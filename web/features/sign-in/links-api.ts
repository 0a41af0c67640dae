// What links that were sent to somebody open: an invitation to a company, and a new password.
import { act } from '../../api/client.ts'
import type { Role } from '../../api/session.ts'

export interface Invitation {
  readonly email: string
  readonly role: Role
  readonly company: string
  /** There is an account already, and its password is asked for. */
  readonly isKnown: boolean
}

/** What stands after the # reaches no server by itself, and so no log. */
export function tokenInAddress(): string {
  return window.location.hash.slice(1)
}

export function lookAtInvitation(token: string): Promise<Invitation> {
  return act<Invitation>('POST', '/app/invitasjon/se', { token })
}

export function acceptInvitation(token: string, name: string, password: string): Promise<unknown> {
  return act('POST', '/app/invitasjon/godta', { token, password, ...(name === '' ? {} : { name }) })
}

export function askForLink(email: string): Promise<null> {
  return act('POST', '/app/glemt/be-om', { email })
}

export function setPassword(token: string, password: string): Promise<null> {
  return act('POST', '/app/ny-adgang/sett', { token, password })
}
