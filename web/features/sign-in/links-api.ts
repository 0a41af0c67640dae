// Links sent by e-mail: invitations and password resets.
import { request } from '../../api/client.ts'
import type { Role } from '../../api/session.ts'

export interface Invitation {
  readonly email: string
  readonly role: Role
  readonly company: string
  /** An account exists: its password is required. */
  readonly isKnown: boolean
}

/** A URL fragment is not sent to servers, and therefore not logged. */
export function getTokenFromUrl(): string {
  return window.location.hash.slice(1)
}

export function getInvitation(token: string): Promise<Invitation> {
  return request<Invitation>('POST', '/app/invitasjon/se', { token })
}

export function acceptInvitation(token: string, name: string, password: string): Promise<unknown> {
  return request('POST', '/app/invitasjon/godta', {
    token,
    password,
    ...(name === '' ? {} : { name }),
  })
}

export function requestResetLink(email: string): Promise<null> {
  return request('POST', '/app/glemt/be-om', { email })
}

export function setPassword(token: string, password: string): Promise<null> {
  return request('POST', '/app/ny-adgang/sett', { token, password })
}
