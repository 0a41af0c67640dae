// Passkey endpoints: sign in, register, delete.
import { auditedAction } from '../audited-action.ts'
import { reauthenticatedRoute } from './account-routes.ts'
import { readFields, textIn } from '../body.ts'
import {
  jsonReply,
  publicEndpoint,
  type AppRoute,
  type AppContext,
  type AppRequest,
} from '../route.ts'
import { appPaths } from '../paths.ts'
import { clearedPasskeyCookie } from '../../auth/mfa/passkeys.ts'
import { sessionCookie } from '../../auth/sessions/session-cookie.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Endpoint, Reply } from '../../http/request.ts'
import { deletePasskey, listPasskeys } from '../../store/accounts/passkeys.ts'

export function passkeyEndpoints(state: AppContext): Endpoint[] {
  return [
    publicEndpoint(
      'POST',
      appPaths.passkeyAsk,
      async (request) => {
        const { challenge, site, cookie } = state.passkeys.createChallenge(request, null)
        return { ...jsonReply({ challenge, site }), cookies: [cookie] }
      },
      state,
    ),
    publicEndpoint(
      'POST',
      appPaths.passkey,
      async (request) => {
        const fields = await readFields(request)
        const session = await state.passkeys.signIn(request, {
          id: textIn(fields, 'id'),
          clientData: textIn(fields, 'clientData'),
          authenticatorData: textIn(fields, 'authenticatorData'),
          signature: textIn(fields, 'signature'),
        })
        const cookies = [sessionCookie(session), clearedPasskeyCookie]
        return { status: 204, headers: { 'Cache-Control': 'no-store' }, cookies, body: null }
      },
      state,
    ),
  ]
}

/** Lists the existing passkeys, so that a device does not register a second one. */
async function ask({ store, passkeys, request, sessionUser }: AppRequest): Promise<Reply> {
  const { challenge, site, cookie } = passkeys.createChallenge(request, sessionUser)
  const known = await listPasskeys(store, sessionUser.userId)
  const user = Buffer.from(String(sessionUser.userId)).toString('base64url')
  const creationOptions = {
    challenge,
    site,
    user,
    name: sessionUser.email,
    known: known.map(({ id }) => id),
  }
  return { ...jsonReply(creationOptions), cookies: [cookie] }
}

async function make(appRequest: AppRequest): Promise<Reply> {
  const { passkeys, request, sessionUser } = appRequest
  const fields = await readFields(request)
  const made = {
    id: textIn(fields, 'id').slice(0, 1_500),
    publicKey: textIn(fields, 'publicKey').slice(0, 4_000),
    clientData: textIn(fields, 'clientData'),
    authenticatorData: textIn(fields, 'authenticatorData'),
  }
  const reply = await auditedAction(appRequest, 'passkey-add', async (transaction) => {
    await passkeys.register(transaction, request, sessionUser, made)
    return { answer: {}, auditData: { user: sessionUser.userId } }
  })
  return { ...reply, cookies: [clearedPasskeyCookie] }
}

async function end(appRequest: AppRequest): Promise<Reply> {
  const { userId } = appRequest.sessionUser
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'passkey-end', async (transaction) => {
    if (!(await deletePasskey(transaction, userId, id)))
      throw new ApiError('NotFound', { params: { what: id.slice(0, 60) } })
    return { answer: {}, auditData: { user: userId } }
  })
}

export const passkeyRoutes: readonly AppRoute[] = [
  reauthenticatedRoute(appPaths.accountPasskeyAsk, ask),
  reauthenticatedRoute(appPaths.accountPasskey, make),
  reauthenticatedRoute(appPaths.accountPasskeyEnd, end),
]
