// Passkey endpoints: sign in, register, delete.
import { administered } from '../audited-action.ts'
import { grave } from './account-routes.ts'
import { readFields, textIn } from '../body.ts'
import { json, openEndpoint, type AppRoute, type AppState, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { noPasskeyCookie } from '../../auth/mfa/passkeys.ts'
import { sessionCookie } from '../../auth/sessions/session-cookie.ts'
import { Fault } from '../../errors/catalog.ts'
import type { Endpoint, Reply } from '../../http/request.ts'
import { deletePasskey, listPasskeys } from '../../store/accounts/passkeys.ts'

export function passkeyEndpoints(state: AppState): Endpoint[] {
  return [
    openEndpoint(
      'POST',
      words.passkeyAsk,
      async (request) => {
        const { challenge, site, cookie } = state.passkeys.ask(request, null)
        return { ...json({ challenge, site }), cookies: [cookie] }
      },
      state,
    ),
    openEndpoint(
      'POST',
      words.passkey,
      async (request) => {
        const fields = await readFields(request)
        const session = await state.passkeys.signIn(request, {
          id: textIn(fields, 'id'),
          clientData: textIn(fields, 'clientData'),
          authenticatorData: textIn(fields, 'authenticatorData'),
          signature: textIn(fields, 'signature'),
        })
        const cookies = [sessionCookie(session), noPasskeyCookie]
        return { status: 204, headers: { 'Cache-Control': 'no-store' }, cookies, body: null }
      },
      state,
    ),
  ]
}

/** Lists the existing passkeys, so that a device does not register a second one. */
async function ask({ store, passkeys, request, visitor }: Asked): Promise<Reply> {
  const { challenge, site, cookie } = passkeys.ask(request, visitor)
  const known = await listPasskeys(store, visitor.userId)
  const user = Buffer.from(String(visitor.userId)).toString('base64url')
  const told = { challenge, site, user, name: visitor.email, known: known.map(({ id }) => id) }
  return { ...json(told), cookies: [cookie] }
}

async function make(asked: Asked): Promise<Reply> {
  const { passkeys, request, visitor } = asked
  const fields = await readFields(request)
  const made = {
    id: textIn(fields, 'id').slice(0, 1_500),
    publicKey: textIn(fields, 'publicKey').slice(0, 4_000),
    clientData: textIn(fields, 'clientData'),
    authenticatorData: textIn(fields, 'authenticatorData'),
  }
  const reply = await administered(asked, 'passkey-add', async (transaction) => {
    await passkeys.make(transaction, request, visitor, made)
    return { answer: {}, about: { user: visitor.userId } }
  })
  return { ...reply, cookies: [noPasskeyCookie] }
}

async function end(asked: Asked): Promise<Reply> {
  const { userId } = asked.visitor
  const id = textIn(await readFields(asked.request), 'id')
  return administered(asked, 'passkey-end', async (transaction) => {
    if (!(await deletePasskey(transaction, userId, id)))
      throw new Fault('NotFound', { says: { what: id.slice(0, 60) } })
    return { answer: {}, about: { user: userId } }
  })
}

export const passkeyRoutes: readonly AppRoute[] = [
  grave(words.accountPasskeyAsk, ask),
  grave(words.accountPasskey, make),
  grave(words.accountPasskeyEnd, end),
]
