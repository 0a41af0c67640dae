// Password reset: request a link, choose a new password.
import { validateField } from '../request-values.ts'
import { readFields, textIn } from '../body.ts'
import { linkBaseUrl, publicPost, type AppContext } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import type { Endpoint, Request } from '../../http/request.ts'
import { mailMessage } from '../../notifications/mail/texts.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'
import { ApiError } from '../../errors/api-error.ts'

export function passwordResetEndpoints(state: AppContext): Endpoint[] {
  return [
    publicPost(appPaths.forgotten, state, (request) => ask(request, state)),
    publicPost(appPaths.newPassword, state, (request) => change(request, state)),
  ]
}

/** The reply does not reveal whether the account exists. Throws `MailNotConfigured`, `InvalidValue` and `RateLimited`. */
async function ask(request: Request, state: AppContext): Promise<null> {
  if (state.mailQueue === null) throw new ApiError('MailNotConfigured')
  const email = validateField('email', textIn(await readFields(request), 'email').trim(), emailProblem)
  const language = negotiateLanguage(request.header('accept-language'))
  await state.passwordReset.requestLink(request, { email, language, address: linkBaseUrl(state, request) })
  return null
}

async function change(request: Request, { passwordReset, mailQueue }: AppContext): Promise<null> {
  const fields = await readFields(request)
  const language = negotiateLanguage(request.header('accept-language'))
  const token = textIn(fields, 'token')
  const changing = { token, password: textIn(fields, 'password'), requestId: request.id }
  await passwordReset.change(changing, async (writer, to) =>
    mailQueue?.enqueue(writer, 'password', mailMessage('passwordChanged', to, language, {})),
  )
  return null
}
