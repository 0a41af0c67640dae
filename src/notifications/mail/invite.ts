// An invitation goes out: as a letter where mail is sent, and otherwise as a link that whoever invites passes on.
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
  /** Who invites, as the reader knows them. */
  readonly by: string
  readonly language: Language
  /** Of the server, without a slash at its end. */
  readonly address: string
  /** Microseconds. */
  readonly now: number
}

/** The invitation's number, and its link where no letter has it. Throws `AlreadyExists`. */
export async function sendInvitation(
  transaction: Transaction,
  { email, place, company, by, language, address, now }: Inviting,
  { random, outbox }: { readonly random: Random; readonly outbox: Outbox | null },
): Promise<{ id: number; link: string | null }> {
  const { id, token } = await invite(transaction, email, place, { random, now })
  // After the #, so that it reaches no log of any proxy.
  const link = `${address}/app/invitasjon#${token}`
  if (outbox === null) return { id, link }
  const until = momentIn(language, company.zone, now + invitationTime)
  const told = { company: company.name, by, role: place.role, link, until }
  await outbox.post(transaction, 'invitation', invitationLetter(email, told, language), dayMs)
  return { id, link: null }
}

const dayMs = 24 * 3_600_000
