// Screens in the order of the navigation: path, scope, roles and keyboard shortcut.
import type { Role, Session } from '../../src/app/contract/session.ts'
import type { IconName } from '../components/Icon.tsx'

export interface AppScreen {
  readonly to:
    | '/app/i-dag'
    | '/app/uttak'
    | '/app/godkjenning'
    | '/app/omsetning'
    | '/app/eksport'
    | '/app/register'
    | '/app/utforsk'
    | '/app/administrasjon'
    | '/app/revisjon'
    | '/app/hjelp'
  readonly name:
    | 'i-dag'
    | 'uttak'
    | 'godkjenning'
    | 'omsetning'
    | 'eksport'
    | 'register'
    | 'utforsk'
    | 'administrasjon'
    | 'revisjon'
    | 'hjelp'
  readonly icon: IconName
  /** Pressed after `g`. */
  readonly shortcut: string
  readonly scope: string | null
  /** Limits it to these roles; otherwise everybody with the scope. */
  readonly roles?: readonly Role[]
  /** Also for the operator of the server. */
  readonly isForOperators?: true
  readonly isSecondary?: true
  /** Moved to the account menu on phones. */
  readonly isHiddenInBottomBar?: true
}

const secondary = { isSecondary: true, isHiddenInBottomBar: true } as const

const screens: readonly AppScreen[] = [
  {
    to: '/app/i-dag',
    name: 'i-dag',
    icon: 'today',
    shortcut: 'i',
    scope: null,
    roles: ['viewer', 'approver', 'auditor', 'admin'],
  },
  {
    to: '/app/uttak',
    name: 'uttak',
    icon: 'usage',
    shortcut: 'u',
    scope: 'material:write',
    isHiddenInBottomBar: true,
  },
  {
    to: '/app/godkjenning',
    name: 'godkjenning',
    icon: 'approve',
    shortcut: 'g',
    scope: 'material:approve',
  },
  {
    to: '/app/omsetning',
    name: 'omsetning',
    icon: 'revenue',
    shortcut: 'o',
    scope: 'revenue:read',
  },
  {
    to: '/app/eksport',
    name: 'eksport',
    icon: 'export',
    shortcut: 'x',
    scope: 'material:read',
  },
  {
    to: '/app/register',
    name: 'register',
    icon: 'register',
    shortcut: 'r',
    scope: 'directory:read',
    isHiddenInBottomBar: true,
  },
  {
    to: '/app/utforsk',
    name: 'utforsk',
    icon: 'explore',
    shortcut: 'e',
    scope: 'directory:read',
    ...secondary,
  },
  {
    to: '/app/administrasjon',
    name: 'administrasjon',
    icon: 'settings',
    shortcut: 'a',
    scope: null,
    roles: ['admin'],
    isForOperators: true,
    ...secondary,
  },
  {
    to: '/app/revisjon',
    name: 'revisjon',
    icon: 'history',
    shortcut: 'l',
    scope: null,
    roles: ['auditor', 'admin'],
    ...secondary,
  },
  { to: '/app/hjelp', name: 'hjelp', icon: 'help', shortcut: 'h', scope: null, ...secondary },
]

/** Roles that may open a screen, lowest first: shown to those who may not. */
export function rolesForPath(pathname: string): readonly Role[] {
  return (
    minimumRoles[pathname] ??
    screens.find(({ to }) => to === pathname)?.roles ?? ['viewer', 'approver']
  )
}

const minimumRoles: Readonly<Record<string, readonly Role[] | undefined>> = {
  '/app/uttak': ['registrant', 'approver'],
  '/app/import': ['approver', 'admin'],
}

export function screensFor({ scopes, role, isOperator }: Session): readonly AppScreen[] {
  return screens
    .filter(({ scope }) => scope === null || scopes.includes(scope))
    .filter(
      ({ roles, isForOperators }) =>
        roles === undefined || roles.includes(role) || (isForOperators && isOperator),
    )
}
