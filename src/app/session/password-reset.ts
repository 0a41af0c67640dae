// Password reset: request a link, choose a new password.
import { validateField } from '../audited-action.ts'
import { readFields, textIn } from '../body.ts'
import { linkBaseUrl, publicEndpoint, type AppContext } from '../route.ts'
import { appPaths } from '../paths.ts'
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { passwordChangedMessage } from '../../notifications/mail/texts.ts'
import { negotiateLanguage } from '../../engine/formats/negotiation/negotiate.ts'

export function passwordResetEndpoints(state: AppContext): Endpoint[] {
  return [
    publicEndpoint('POST', appPaths.forgotten, (request) => ask(request, state), state),
    publicEndpoint('POST', appPaths.newPassword, (request) => change(request, state), state),
  ]
}

/** The reply does not reveal whether the account exists. Throws `MailNotConfigured`, `InvalidValue` and `RateLimited`. */
async function ask(request: Request, state: AppContext): Promise<Reply> {
  if (state.outbox === null) throw new ApiError('MailNotConfigured')
  const email = validateField(
    'email',
    textIn(await readFields(request), 'email').trim(),
    emailProblem,
  )
  const language = negotiateLanguage(request.header('accept-language'))
  await state.recovery.requestLink(request, {
    email,
    language,
    address: linkBaseUrl(state, request),
  })
  return done
}

async function change(request: Request, { recovery, outbox }: AppContext): Promise<Reply> {
  const fields = await readFields(request)
  const language = negotiateLanguage(request.header('accept-language'))
  const token = textIn(fields, 'token')
  const changing = { token, password: textIn(fields, 'password'), requestId: request.id }
  await recovery.change(changing, async (writer, to) =>
    outbox?.enqueue(writer, 'password', passwordChangedMessage(to, language), dayMs),
  )
  return done
}

const done: Reply = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

const dayMs = 24 * 3_600_000
