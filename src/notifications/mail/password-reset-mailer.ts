// Password-reset mailer: sends a link to each requested address that has an account.
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

/** Processes all waiting requests. Servers on one database share the work, and no request is processed twice. */
export async function answerForgotten(answering: Answering): Promise<void> {
  const { store } = answering
  while (await isAnyForgotten(store)) {
    const isProcessed = await store.inHouseTransaction((writer) => processOne(writer, answering))
    if (!isProcessed) return
  }
}

/** False when another server took the last request. */
async function processOne(writer: Writer, { outbox, minting }: Answering): Promise<boolean> {
  const request = await takeForgotten(writer)
  if (request === undefined) return false
  const user = await findUser(writer, request.emailKey)
  if (user === undefined || user.disabledAt !== null) return true
  const token = await passwordLinkFor(writer, user, minting)
  if (token === null) return true
  const link = passwordLink(request.address, token)
  const letter = forgottenLetter(user.email, link, request.language === 'nb' ? 'nb' : 'en')
  await outbox.post(writer, 'password', letter, passwordLinkTime / 1000)
  return true
}

/** The token is in the fragment, so that no proxy logs it. */
export function passwordLink(address: string, token: string): string {
  return `${address}/app/ny-adgang#${token}`
}
