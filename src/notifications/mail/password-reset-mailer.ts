// Password-reset mailer: sends a link to each requested address that has an account.
import type { CryptoContext } from '../../auth/tokens/credential-factory.ts'
import { createPasswordLink, passwordLinkLifetime } from '../../auth/passwords/password-reset.ts'
import type { MailQueue } from './mail-queue.ts'
import { mailMessage } from './texts.ts'
import { hasResetRequest, takeResetRequest } from '../../store/accounts/password-links.ts'
import type { Store, Writer } from '../../store/store.ts'
import { findUser } from '../../store/accounts/users.ts'

export interface PasswordResetMailerOptions extends Pick<CryptoContext, 'clock' | 'random'> {
  readonly store: Store
  readonly mailQueue: MailQueue
}

/** Processes all waiting requests. Servers on one database share the work, and no request is processed twice. */
export async function sendPasswordResets(options: PasswordResetMailerOptions): Promise<void> {
  const { store } = options
  while (await hasResetRequest(store)) {
    const isProcessed = await store.inSystemTransaction((writer) => processOne(writer, options))
    if (!isProcessed) return
  }
}

/** False when another server took the last request. */
async function processOne(writer: Writer, options: PasswordResetMailerOptions): Promise<boolean> {
  const request = await takeResetRequest(writer)
  if (request === undefined) return false
  const user = await findUser(writer, request.emailKey)
  if (user === undefined || user.disabledAt !== null) return true
  const token = await createPasswordLink(writer, user, options)
  if (token === null) return true
  const link = passwordResetUrl(request.address, token)
  const language = request.language === 'nb' ? 'nb' : 'en'
  const message = mailMessage('passwordReset', user.email, language, { link })
  await options.mailQueue.enqueue(writer, 'password', message, passwordLinkLifetime)
  return true
}

/** The token is in the fragment, so that no proxy logs it. */
export function passwordResetUrl(address: string, token: string): string {
  return `${address}/app/ny-adgang#${token}`
}
