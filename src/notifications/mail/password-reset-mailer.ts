// Those who said that they forgot their password get a link; those whom nobody knows get nothing.
import type { Minting } from '../../auth/tokens/credential-factory.ts'
import { passwordLinkFor, passwordLinkTime } from '../../auth/passwords/password-reset.ts'
import type { Outbox } from './mail-queue.ts'
import { forgottenLetter } from './texts.ts'
import { isAnyForgotten, takeForgotten } from '../../store/accounts/password-links.ts'
import type { Store, Writer } from '../../store/store.ts'
import { findUser } from '../../store/accounts/users.ts'

export interface Answering {
  readonly store: Store
  readonly outbox: Outbox
  readonly minting: Pick<Minting, 'random' | 'clock'>
}

/** Answers everybody who waits. Servers on one database share the work, and nobody is answered twice. */
export async function answerForgotten(answering: Answering): Promise<void> {
  const { store } = answering
  while (await isAnyForgotten(store)) {
    const isAnswered = await store.inHouseTransaction((writer) => answerOne(writer, answering))
    if (!isAnswered) return
  }
}

/** False where another server has the last of them. */
async function answerOne(writer: Writer, { outbox, minting }: Answering): Promise<boolean> {
  const asked = await takeForgotten(writer)
  if (asked === undefined) return false
  const user = await findUser(writer, asked.emailKey)
  if (user === undefined || user.disabledAt !== null) return true
  const token = await passwordLinkFor(writer, user, minting)
  if (token === null) return true
  const link = passwordLink(asked.address, token)
  const letter = forgottenLetter(user.email, link, asked.language === 'nb' ? 'nb' : 'en')
  await outbox.post(writer, 'password', letter, passwordLinkTime / 1000)
  return true
}

/** What stands after the # reaches no log of any proxy. */
export function passwordLink(address: string, token: string): string {
  return `${address}/app/ny-adgang#${token}`
}
