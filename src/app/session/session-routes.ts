// Session routes: sign in, sign out, current session, switch company.
import { readFields, textIn } from '../body.ts'
import {
  jsonReply,
  publicEndpoint,
  type AppRoute,
  type AppContext,
  type AppRequest,
} from '../route.ts'
import { appPaths } from '../paths.ts'
import { deviceCookie } from '../../auth/mfa/trusted-devices.ts'
import { clearedSessionCookie, sessionCookie } from '../../auth/sessions/session-cookie.ts'
import type { NewSessionCookies, SessionUser } from '../../auth/sessions/sessions.ts'
import type { Endpoint, Reply } from '../../http/request.ts'
import { listWorkplaces } from '../../store/accounts/users.ts'

export const sessionRoutes: readonly AppRoute[] = [
  {
    method: 'GET',
    path: appPaths.session,
    access: 'anybody',
    allowsMissingSecondFactor: true,
    handle: async (appRequest) => jsonReply(await describeSession(appRequest)),
  },
  {
    method: 'DELETE',
    path: appPaths.session,
    access: 'anybody',
    allowsMissingSecondFactor: true,
    handle: async ({ sessions, request, sessionUser }) => {
      await sessions.signOut(request, sessionUser)
      // Keeps the cookie of a trusted device, which outlives the session.
      const forgetting = { 'Set-Cookie': clearedSessionCookie, 'Clear-Site-Data': '"cache"' }
      return { status: 204, headers: forgetting, body: null }
    },
  },
  {
    method: 'POST',
    path: appPaths.sessionCompany,
    access: 'anybody',
    allowsMissingSecondFactor: true,
    handle: async ({ sessions, request, sessionUser }) => {
      const company = textIn(await readFields(request), 'company')
      return signedInReply({
        session: await sessions.switchCompany(request, sessionUser, company),
        device: null,
      })
    },
  },
]

export function signInEndpoint(state: AppContext): Endpoint {
  return publicEndpoint(
    'POST',
    appPaths.session,
    async (request) => {
      const fields = await readFields(request)
      const opened = await state.sessions.signIn(request, {
        email: textIn(fields, 'email').slice(0, 300),
        password: textIn(fields, 'password').slice(0, 1_000),
        company: fields.get('company') ?? '',
        code: (fields.get('code') ?? '').slice(0, 100),
        trustsDevice: fields.get('trust') === 'true',
      })
      return signedInReply(opened)
    },
    state,
  )
}

/** The page reloads the session, because a new session id has another CSRF token. */
function signedInReply(opened: NewSessionCookies): Reply {
  return {
    status: 204,
    headers: { 'Cache-Control': 'no-store' },
    cookies: cookiesOf(opened),
    body: null,
  }
}

export function cookiesOf({ session, device }: NewSessionCookies): string[] {
  return [sessionCookie(session), ...(device === null ? [] : [deviceCookie(device)])]
}

async function describeSession({ store, sessionUser, today, isSandbox }: AppRequest) {
  return {
    ...describeUser(sessionUser),
    lacksFactor: sessionUser.lacksSecondFactor && !isSandbox,
    companies: (await listWorkplaces(store, sessionUser.userId)).map(({ name }) => name),
    today: today(sessionUser.caller.company.zone),
    isSandbox,
    fourEyes: sessionUser.caller.company.settings.requiresFourEyes,
  }
}

function describeUser({ caller, email, role, departments, csrf, via, isOperator }: SessionUser) {
  return {
    email,
    via,
    role,
    isOperator,
    departments,
    scopes: [...caller.scopes],
    company: caller.company.name,
    currency: caller.company.currency,
    zone: caller.company.zone,
    csrf,
  }
}
