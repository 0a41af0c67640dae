// Password reset: request a link, choose a new password.
import { checked } from '../audited-action.ts'
import { readFields, textIn } from '../body.ts'
import { addressOf, openEndpoint, type AppState } from '../route.ts'
import { words } from '../paths.ts'
import { emailProblem } from '../../auth/passwords/password-rules.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Endpoint, Reply, Request } from '../../http/request.ts'
import { changedLetter } from '../../notifications/mail/texts.ts'
import { languageOf } from '../../engine/formats/negotiation/negotiate.ts'

export function recoveryEndpoints(state: AppState): Endpoint[] {
  return [
    openEndpoint('POST', words.forgotten, (request) => ask(request, state), state),
    openEndpoint('POST', words.newPassword, (request) => change(request, state), state),
  ]
}

/** The reply does not reveal whether the account exists. Throws `NoMail`, `InvalidValue` and `RateLimited`. */
async function ask(request: Request, state: AppState): Promise<Reply> {
  if (state.outbox === null) throw new Fault('NoMail')
  const email = checked('email', textIn(await readFields(request), 'email').trim(), emailProblem)
  const language = languageOf(request.header('accept-language'))
  await state.recovery.ask(request, { email, language, address: addressOf(state, request) })
  return done
}

async function change(request: Request, { recovery, outbox }: AppState): Promise<Reply> {
  const fields = await readFields(request)
  const language = languageOf(request.header('accept-language'))
  const token = textIn(fields, 'token')
  const changing = { token, password: textIn(fields, 'password'), requestId: request.id }
  await recovery.change(changing, async (writer, to) =>
    outbox?.post(writer, 'password', changedLetter(to, language), dayMs),
  )
  return done
}

const done: Reply = { status: 204, headers: { 'Cache-Control': 'no-store' }, body: null }

const dayMs = 24 * 3_600_000
