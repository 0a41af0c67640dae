// Invitations: send, withdraw, and accept by link.
import { administered, checked, invalid, numberIn } from '../audited-action.ts'
import { placeIn } from './people.ts'
import { readFields, textIn, type Fields } from '../body.ts'
import { addressOf, json, openEndpoint, type AppState, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { invitedBy, join, type Invited, type NewPerson } from '../../auth/companies/invitations.ts'
import { hashChosen } from '../../auth/passwords/password-hash.ts'
import {
  emailProblem,
  passwordProblem,
  personNameProblem,
} from '../../auth/passwords/password-rules.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { sendInvitation } from '../../notifications/mail/invite.ts'
import { withdrawInvitation } from '../../store/accounts/invitations.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

/** `link` is null when it was sent by mail; otherwise it is only in this reply. */
export async function inviteOne(asked: Asked): Promise<Reply> {
  const { request, visitor, minting, outbox } = asked
  const fields = await readFields(request)
  const email = checked('email', textIn(fields, 'email').trim(), emailProblem)
  const inviting = {
    email,
    place: placeIn(fields),
    company: visitor.caller.company,
    by: visitor.email,
    language: languageOf(request.header('accept-language')),
    address: addressOf(asked, request),
  }
  return administered(asked, 'person-invite', async (transaction, now) => {
    const made = { random: minting.random, outbox }
    const { id, link } = await sendInvitation(transaction, { ...inviting, now }, made)
    return { answer: { email, link }, about: { invitation: id, role: inviting.place.role } }
  })
}

export async function withdrawOne(asked: Asked): Promise<Reply> {
  const id = numberIn(await readFields(asked.request), 'id')
  return administered(asked, 'invitation-withdraw', async (transaction) => {
    if (!(await withdrawInvitation(transaction, transaction.companyId, id)))
      throw new Fault('NotFound', { says: { what: String(id) } })
    return { answer: {}, about: { invitation: id } }
  })
}

/** Endpoints for the holder of a link. Its token is sent in the body, so that no log contains it. */
export function invitationEndpoints(state: AppState): Endpoint[] {
  return [
    openEndpoint('POST', words.invitation, (request) => look(request, state), state),
    openEndpoint('POST', words.invitationAccept, (request) => accept(request, state), state),
  ]
}

async function look(request: Request, { store, clock }: AppState): Promise<Reply> {
  const token = textIn(await readFields(request), 'token')
  const { invitation, company, isKnown } = await invitedBy(store, token, clock())
  const { email, role } = invitation
  return json({ email, role, company: company.name, isKnown })
}

/** An existing user joins with the account's password; a new one chooses name and password. Both sign in afterwards. */
async function accept(request: Request, state: AppState): Promise<Reply> {
  const { store, sessions, clock } = state
  const fields = await readFields(request)
  const invited = await invitedBy(store, textIn(fields, 'token'), clock())
  const { email } = invited.invitation
  let person: NewPerson | null = null
  if (invited.isKnown) {
    const password = textIn(fields, 'password').slice(0, 1_000)
    await sessions.trials.requirePassword(request, { email, password, company: '' })
  } else person = await newPersonIn(fields, invited, state)
  await join(store, invited, person, { now: clock(), requestId: request.id })
  return json({ email, company: invited.company.name })
}

async function newPersonIn(
  fields: Fields,
  { invitation, company }: Invited,
  { minting }: AppState,
): Promise<NewPerson> {
  const name = checked('name', textIn(fields, 'name').trim(), personNameProblem)
  const password = textIn(fields, 'password')
  const problem = passwordProblem(password, [invitation.email, name, company.name])
  if (problem !== null) throw invalid('password', problem)
  return { name, passwordHash: await hashChosen(password, minting.hashCost) }
}
