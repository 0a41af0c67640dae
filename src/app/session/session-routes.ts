// Session routes: sign in, sign out, current session, switch company.
import { readFields, textIn } from '../body.ts'
import {
  deleteRoute,
  getRoute,
  JsonReply,
  postRoute,
  publicPost,
  type AppContext,
  type AppRequest,
  type AppRoute,
} from '../route.ts'
import { getPosition } from '../live/live-feed.ts'
import { topicsFor } from '../live/live.ts'
import { appPaths } from '../contract/endpoints.ts'
import type { SessionWithCsrf } from '../contract/session.ts'
import { deviceCookie } from '../../auth/mfa/trusted-devices.ts'
import { clearedSessionCookie, sessionCookie } from '../../auth/sessions/session-cookie.ts'
import type { NewSessionCookies } from '../../auth/sessions/sessions.ts'
import type { Endpoint } from '../../http/request.ts'
import { listWorkplaces } from '../../store/accounts/users.ts'

const anySession = { allowsMissingSecondFactor: true } as const

export const sessionRoutes: readonly AppRoute[] = [
  getRoute(appPaths.session, 'anybody', describeSession, { ...anySession, allowsNoSession: true }),
  deleteRoute(appPaths.session, 'anybody', signOut, anySession),
  postRoute(appPaths.sessionCompany, 'anybody', switchCompany, anySession),
]

async function signOut({ sessions, request, sessionUser }: AppRequest): Promise<JsonReply<null>> {
  await sessions.signOut(request, sessionUser)
  // Keeps the cookie of a trusted device, which outlives the session.
  return new JsonReply(null, { headers: { 'Clear-Site-Data': '"cache"' }, cookies: [clearedSessionCookie] })
}

async function switchCompany({ sessions, request, sessionUser }: AppRequest): Promise<JsonReply<null>> {
  const company = textIn(await readFields(request), 'company')
  const session = await sessions.switchCompany(request, sessionUser, company)
  return signedInReply({ session, device: null })
}

export function signInEndpoint(state: AppContext): Endpoint {
  return publicPost(appPaths.session, state, async (request) => {
    const fields = await readFields(request)
    const opened = await state.sessions.signIn(request, {
      email: textIn(fields, 'email').slice(0, 300),
      password: textIn(fields, 'password').slice(0, 1_000),
      company: fields.get('company') ?? '',
      code: (fields.get('code') ?? '').slice(0, 100),
      trustsDevice: fields.get('trust') === 'true',
    })
    return signedInReply(opened)
  })
}

/** The page reloads the session, because a new session id has another CSRF token. */
function signedInReply(opened: NewSessionCookies): JsonReply<null> {
  return new JsonReply(null, { cookies: cookiesOf(opened) })
}

export function cookiesOf({ session, device }: NewSessionCookies): string[] {
  return [sessionCookie(session), ...(device === null ? [] : [deviceCookie(device)])]
}

async function describeSession(appRequest: AppRequest): Promise<SessionWithCsrf> {
  const { store, sessionUser, today, isSandbox, companyId, company } = appRequest
  const { caller, userId, email, name, role, departments, csrf, via, isOperator, lacksSecondFactor } = sessionUser
  const { name: companyName, zone, currency, settings } = company
  return {
    email,
    name,
    via,
    role,
    isOperator,
    departments,
    scopes: [...caller.scopes],
    company: companyName,
    currency,
    zone,
    csrf,
    position: await getPosition(store, companyId, topicsFor(sessionUser)),
    lacksFactor: lacksSecondFactor && !isSandbox,
    companies: (await listWorkplaces(store, { userId })).map((workplace) => workplace.name),
    today: today(zone),
    isSandbox,
    fourEyes: settings.requiresFourEyes,
  }
}
