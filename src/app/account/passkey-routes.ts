// Passkey endpoints: sign in, register, delete.
import type { Empty } from '../contract/path.ts'
import { auditedAction } from '../company-transaction.ts'
import { ownAccountReauthenticated } from './account-routes.ts'
import { readFields, textIn } from '../body.ts'
import { JsonReply, publicPost, postRoute, type AppRoute, type AppContext, type AppRequest } from '../route.ts'
import { appPaths } from '../contract/endpoints.ts'
import { clearedPasskeyCookie } from '../../auth/mfa/passkeys.ts'
import { sessionCookie } from '../../auth/sessions/session-cookie.ts'
import type { Endpoint } from '../../http/request.ts'
import { deletePasskey, listPasskeys } from '../../store/accounts/passkeys.ts'
import { notFoundError } from '../../errors/api-error.ts'

export function passkeyEndpoints(state: AppContext): Endpoint[] {
  return [
    publicPost(appPaths.passkeyAsk, state, async (request) => {
      const { challenge, site, cookie } = state.passkeys.createChallenge(request, null)
      return new JsonReply({ challenge, site }, { cookies: [cookie] })
    }),
    publicPost(appPaths.passkey, state, async (request) => {
      const fields = await readFields(request)
      const session = await state.passkeys.signIn(request, {
        id: textIn(fields, 'id'),
        clientData: textIn(fields, 'clientData'),
        authenticatorData: textIn(fields, 'authenticatorData'),
        signature: textIn(fields, 'signature'),
      })
      const cookies = [sessionCookie(session), clearedPasskeyCookie]
      return new JsonReply(null, { cookies })
    }),
  ]
}

/** Lists the existing passkeys, so that a device does not register a second one. */
async function ask({ store, passkeys, request, sessionUser }: AppRequest) {
  const { challenge, site, cookie } = passkeys.createChallenge(request, sessionUser)
  const known = await listPasskeys(store, { userId: sessionUser.userId })
  const user = Buffer.from(String(sessionUser.userId)).toString('base64url')
  const creationOptions = { challenge, site, user, name: sessionUser.email, known: known.map(({ id }) => id) }
  return new JsonReply(creationOptions, { cookies: [cookie] })
}

async function make(appRequest: AppRequest) {
  const { passkeys, request, sessionUser } = appRequest
  const fields = await readFields(request)
  const made = {
    id: textIn(fields, 'id').slice(0, 1_500),
    publicKey: textIn(fields, 'publicKey').slice(0, 4_000),
    clientData: textIn(fields, 'clientData'),
    authenticatorData: textIn(fields, 'authenticatorData'),
  }
  const result = await auditedAction(appRequest, 'passkey-add', async (transaction) => {
    await passkeys.register(transaction, request, sessionUser, made)
    return { result: {}, auditData: { user: sessionUser.userId } }
  })
  return new JsonReply(result, { cookies: [clearedPasskeyCookie] })
}

async function end(appRequest: AppRequest): Promise<Empty> {
  const { userId } = appRequest.sessionUser
  const id = textIn(await readFields(appRequest.request), 'id')
  return auditedAction(appRequest, 'passkey-end', async (transaction) => {
    if (!(await deletePasskey(transaction, { userId, id }))) throw notFoundError(id.slice(0, 60))
    return { result: {}, auditData: { user: userId } }
  })
}

export const passkeyRoutes: readonly AppRoute[] = [
  postRoute(appPaths.accountPasskeyAsk, 'anybody', ask, ownAccountReauthenticated),
  postRoute(appPaths.accountPasskey, 'anybody', make, ownAccountReauthenticated),
  postRoute(appPaths.accountPasskeyEnd, 'anybody', end, ownAccountReauthenticated),
]
