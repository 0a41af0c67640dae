// Links sent by e-mail: invitations and password resets.
import type { OpenedInvitation } from '../../../src/app/contract/session.ts'
import { post } from '../../api/client.ts'

/** A URL fragment is not sent to servers, and therefore not logged. */
export function getTokenFromUrl(): string {
  return window.location.hash.slice(1)
}

export function getInvitation(token: string): Promise<OpenedInvitation> {
  return post('invitation', { token })
}

export function acceptInvitation(token: string, name: string, password: string): Promise<unknown> {
  return post('invitationAccept', { token, password, ...(name === '' ? {} : { name }) })
}

export function requestResetLink(email: string): Promise<null> {
  return post('forgotten', { email })
}

export function setPassword(token: string, password: string): Promise<null> {
  return post('newPassword', { token, password })
}
