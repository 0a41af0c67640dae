// Screens in the order of the navigation: path, scope, roles and shortcut; and pages without a session.
import type { Role, Scope, Session } from '../../src/app/contract/session.ts'
import type { IconName } from '../components/Icon.tsx'
import type { Texts } from '../i18n/frame.ts'

export interface AppScreen {
  readonly to: `/app/${ScreenName}`
  readonly name: ScreenName
  readonly icon: IconName
  /** Pressed after `g`. */
  readonly shortcut: string
  readonly scope: Scope | null
  /** Limits it to these roles; otherwise everybody with the scope. */
  readonly roles?: readonly Role[]
  /** Also for the operator of the server. */
  readonly isForOperators?: true
  readonly isSecondary?: true
  /** Moved to the account menu on phones. */
  readonly isHiddenInBottomBar?: true
}

type ScreenName = keyof Texts['screens']

function screen(name: ScreenName, icon: IconName, shortcut: string, more: Partial<AppScreen> = {}): AppScreen {
  return { to: `/app/${name}`, name, icon, shortcut, scope: null, ...more }
}

const hidden = { isHiddenInBottomBar: true } as const
const secondary = { isSecondary: true, ...hidden } as const

const screens: readonly AppScreen[] = [
  screen('i-dag', 'today', 'i', { roles: ['viewer', 'approver', 'auditor', 'admin'] }),
  screen('uttak', 'usage', 'u', { scope: 'material:write', ...hidden }),
  screen('godkjenning', 'approve', 'g', { scope: 'material:approve' }),
  screen('omsetning', 'revenue', 'o', { scope: 'revenue:read' }),
  screen('eksport', 'export', 'x', { scope: 'material:read' }),
  screen('register', 'register', 'r', { scope: 'directory:read', ...hidden }),
  screen('utforsk', 'explore', 'e', { scope: 'directory:read', ...secondary }),
  screen('administrasjon', 'settings', 'a', { roles: ['admin'], isForOperators: true, ...secondary }),
  screen('revisjon', 'history', 'l', { roles: ['auditor', 'admin'], ...secondary }),
  screen('hjelp', 'help', 'h', secondary),
]

/** Roles that may open a screen, lowest first: shown to those who may not. */
export function rolesForPath(pathname: string): readonly Role[] {
  return minimumRoles[pathname] ?? screens.find(({ to }) => to === pathname)?.roles ?? ['viewer', 'approver']
}

const minimumRoles: Readonly<Record<string, readonly Role[] | undefined>> = {
  '/app/uttak': ['registrant', 'approver'],
  '/app/import': ['approver', 'admin'],
}

export function screensFor({ scopes, role, isOperator }: Session): readonly AppScreen[] {
  return screens
    .filter(({ scope }) => scope === null || scopes.includes(scope))
    .filter(
      ({ roles, isForOperators }) => roles === undefined || roles.includes(role) || (isForOperators && isOperator),
    )
}

const publicPaths: ReadonlySet<string> = new Set(['/setup', '/app/invitasjon', '/app/glemt', '/app/ny-adgang'])

export function isPublic(pathname: string): boolean {
  return publicPaths.has(pathname)
}
