// Invitations by mail, or as a link to pass on when no mail server is configured.
import type { MembershipRole } from '../../auth/companies/company-people.ts'
import { invitationLifetime, createInvitation } from '../../auth/companies/invitations.ts'
import type { Random } from '../../auth/tokens/secret.ts'
import { formatTime } from './format-time.ts'
import type { MailQueue } from './mail-queue.ts'
import { mailMessage, roleNames } from './texts.ts'
import type { Language } from '../../errors/messages.ts'
import type { Transaction } from '../../store/store.ts'

export interface InvitationRequest {
  readonly email: string
  readonly membership: MembershipRole
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
  { email, membership, company, by, language, address, now }: InvitationRequest,
  { random, mailQueue }: { readonly random: Random; readonly mailQueue: MailQueue | null },
): Promise<{ id: number; link: string | null }> {
  const { id, token } = await createInvitation(transaction, email, membership, { random, now })
  // In the fragment, so that no proxy logs it.
  const link = `${address}/app/invitasjon#${token}`
  if (mailQueue === null) return { id, link }
  const until = formatTime(language, company.zone, now + invitationLifetime)
  const details = { company: company.name, by, role: roleNames[language][membership.role], link, until }
  await mailQueue.enqueue(transaction, 'invitation', mailMessage('invitation', email, language, details))
  return { id, link: null }
}
