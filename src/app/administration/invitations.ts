// Invitations: send, withdraw, and accept by link.
import type { InvitedPerson } from '../contract/administration.ts'
import type { Empty } from '../contract/path.ts'
import type { OpenedInvitation } from '../contract/session.ts'
import { auditedAction } from '../company-transaction.ts'
import { idIn, validateField } from '../request-values.ts'
import { parseMembership, readMembership } from './people.ts'
import { readFields, textIn, type BodyFields } from '../body.ts'
import { linkBaseUrl, publicPost, type AppContext, type AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import {
  findInvitationByToken,
  acceptInvitation,
  type PendingInvitation,
  type NewPerson,
} from '../../auth/companies/invitations.ts'
import { hashPassword } from '../../auth/passwords/password-hash.ts'
import { emailProblem, personNameProblem, requireAcceptablePassword } from '../../auth/passwords/password-rules.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { deleteInvitation } from '../../store/accounts/invitations.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { notFoundError } from '../../errors/api-error.ts'

/** `link` is null when it was sent by mail; otherwise it is only in this reply. */
export async function inviteUser(appRequest: AppRequest): Promise<InvitedPerson> {
  const { request, sessionUser, cryptoContext, mailQueue } = appRequest
  const fields = await readFields(request)
  const email = validateField('email', textIn(fields, 'email').trim(), emailProblem)
  const inviting = {
    email,
    membership: parseMembership(fields),
    company: sessionUser.caller.company,
    by: sessionUser.email,
    language: negotiateLanguage(request.header('accept-language')),
    address: linkBaseUrl(appRequest, request),
  }
  return auditedAction(appRequest, 'person-invite', async (transaction, { now }) => {
    const made = { random: cryptoContext.random, mailQueue }
    const { id, link } = await sendInvitation(transaction, { ...inviting, now }, made)
    const { role } = inviting.membership
    return { result: { email, link }, auditData: { invitation: id, role } }
  })
}

export async function withdrawUserInvitation(appRequest: AppRequest): Promise<Empty> {
  const id = idIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'invitation-withdraw', async (transaction) => {
    if (!(await deleteInvitation(transaction, { companyId: transaction.companyId, id })))
      throw notFoundError(String(id))
    return { result: {}, auditData: { invitation: id } }
  })
}

/** Endpoints for the holder of a link. Its token is sent in the body, so that no log contains it. */
export function invitationEndpoints(state: AppContext): Endpoint[] {
  return [
    publicPost(appPaths.invitation, state, (request) => look(request, state)),
    publicPost(appPaths.invitationAccept, state, (request) => accept(request, state)),
  ]
}

async function look(request: Request, { store, clock }: AppContext): Promise<OpenedInvitation> {
  const token = textIn(await readFields(request), 'token')
  const { invitation, company, hasAccount } = await findInvitationByToken(store, token, clock())
  const { role } = readMembership(invitation)
  return { email: invitation.email, role, company: company.name, isKnown: hasAccount }
}

/** An existing user joins with the account's password; a new one chooses name and password. Both sign in afterwards. */
async function accept(request: Request, state: AppContext): Promise<{ email: string; company: string }> {
  const { store, sessions, clock } = state
  const fields = await readFields(request)
  const invited = await findInvitationByToken(store, textIn(fields, 'token'), clock())
  const { email } = invited.invitation
  let person: NewPerson | null = null
  if (invited.hasAccount) {
    const password = textIn(fields, 'password').slice(0, 1_000)
    await sessions.passwordCheck.requirePassword(request, { email, password, company: '' })
  } else person = await newPersonIn(fields, invited, state)
  await acceptInvitation(store, invited, person, { now: clock(), requestId: request.id })
  return { email, company: invited.company.name }
}

async function newPersonIn(
  fields: BodyFields,
  { invitation, company }: PendingInvitation,
  { cryptoContext }: AppContext,
): Promise<NewPerson> {
  const name = validateField('name', textIn(fields, 'name').trim(), personNameProblem)
  const password = textIn(fields, 'password')
  requireAcceptablePassword(password, [invitation.email, name, company.name])
  return { name, passwordHash: await hashPassword(password, cryptoContext.hashCost) }
}
