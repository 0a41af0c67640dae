// Session routes: sign in, sign out, current session, switch company.
import { readFields, textIn } from '../body.ts'
import { json, openEndpoint, type AppRoute, type AppState, type Asked } from '../route.ts'
import { words } from '../paths.ts'
import { deviceCookie } from '../../auth/mfa/trusted-devices.ts'
import { noCookie, sessionCookie } from '../../auth/sessions/session-cookie.ts'
import type { Opened, Visitor } from '../../auth/sessions/sessions.ts'
import type { Endpoint, Reply } from '../../http/request.ts'
import { companiesOf } from '../../store/accounts/users.ts'

export const sessionRoutes: readonly AppRoute[] = [
  {
    method: 'GET',
    path: words.session,
    access: 'anybody',
    isBeforeFactor: true,
    answer: async (asked) => json(await shown(asked)),
  },
  {
    method: 'DELETE',
    path: words.session,
    access: 'anybody',
    isBeforeFactor: true,
    answer: async ({ sessions, request, visitor }) => {
      await sessions.signOut(request, visitor)
      // Keeps the cookie of a trusted device, which outlives the session.
      const forgetting = { 'Set-Cookie': noCookie, 'Clear-Site-Data': '"cache"' }
      return { status: 204, headers: forgetting, body: null }
    },
  },
  {
    method: 'POST',
    path: words.sessionCompany,
    access: 'anybody',
    isBeforeFactor: true,
    answer: async ({ sessions, request, visitor }) => {
      const company = textIn(await readFields(request), 'company')
      return signedIn({ session: await sessions.moveTo(request, visitor, company), device: null })
    },
  },
]

export function signInEndpoint(state: AppState): Endpoint {
  return openEndpoint(
    'POST',
    words.session,
    async (request) => {
      const fields = await readFields(request)
      const opened = await state.sessions.signIn(request, {
        email: textIn(fields, 'email').slice(0, 300),
        password: textIn(fields, 'password').slice(0, 1_000),
        company: fields.get('company') ?? '',
        code: (fields.get('code') ?? '').slice(0, 100),
        isTrusting: fields.get('trust') === 'true',
      })
      return signedIn(opened)
    },
    state,
  )
}

/** The page reloads the session, because a new session id has another CSRF token. */
function signedIn(opened: Opened): Reply {
  return {
    status: 204,
    headers: { 'Cache-Control': 'no-store' },
    cookies: cookiesOf(opened),
    body: null,
  }
}

export function cookiesOf({ session, device }: Opened): string[] {
  return [sessionCookie(session), ...(device === null ? [] : [deviceCookie(device)])]
}

async function shown({ store, visitor, today, isSandbox }: Asked) {
  return {
    ...personOf(visitor),
    lacksFactor: visitor.lacksFactor && !isSandbox,
    companies: (await companiesOf(store, visitor.userId)).map(({ name }) => name),
    today: today(visitor.caller.company.zone),
    isSandbox,
    fourEyes: visitor.caller.company.settings.requiresFourEyes,
  }
}

function personOf({ caller, email, role, departments, csrf, via, isOperator }: Visitor) {
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
