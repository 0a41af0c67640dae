// Invitations by mail, or as a link to pass on when no mail server is configured.
import type { Place } from '../../auth/companies/company-people.ts'
import { invitationTime, invite } from '../../auth/companies/invitations.ts'
import type { Random } from '../../auth/tokens/secret.ts'
import { momentIn } from './format-time.ts'
import type { Outbox } from './mail-queue.ts'
import { invitationLetter } from './texts.ts'
import type { Language } from '../../errors/messages.ts'
import type { Transaction } from '../../store/store.ts'

export interface Inviting {
  readonly email: string
  readonly place: Place
  readonly company: { readonly name: string; readonly zone: string }
  /** Display name of the inviting person. */
  readonly by: string
  readonly language: Language
  /** Base URL of the server, without a trailing slash. */
  readonly address: string
  /** Microseconds. */
  readonly now: number
}

/** Returns the invitation's id, and the link when it is not sent by mail. Throws `AlreadyExists`. */
export async function sendInvitation(
  transaction: Transaction,
  { email, place, company, by, language, address, now }: Inviting,
  { random, outbox }: { readonly random: Random; readonly outbox: Outbox | null },
): Promise<{ id: number; link: string | null }> {
  const { id, token } = await invite(transaction, email, place, { random, now })
  // In the fragment, so that no proxy logs it.
  const link = `${address}/app/invitasjon#${token}`
  if (outbox === null) return { id, link }
  const until = momentIn(language, company.zone, now + invitationTime)
  const details = { company: company.name, by, role: place.role, link, until }
  await outbox.post(transaction, 'invitation', invitationLetter(email, details, language), dayMs)
  return { id, link: null }
}

const dayMs = 24 * 3_600_000
