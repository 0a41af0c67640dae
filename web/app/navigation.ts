// Screens in the order of the navigation: path, scope, roles and keyboard shortcut.
import type { Role, Session } from '../api/session.ts'
import type { IconName } from '../components/Icon.tsx'

export interface Place {
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
  readonly letter: string
  readonly scope: string | null
  /** Limits it to these roles; otherwise everybody with the scope. */
  readonly roles?: readonly Role[]
  /** Also for the operator of the server. */
  readonly isForOperators?: true
  readonly isBelow?: true
  /** Moved to the account menu on phones. */
  readonly isOffBar?: true
}

const below = { isBelow: true, isOffBar: true } as const

const places: readonly Place[] = [
  {
    to: '/app/i-dag',
    name: 'i-dag',
    icon: 'today',
    letter: 'i',
    scope: null,
    roles: ['viewer', 'approver', 'auditor', 'admin'],
  },
  {
    to: '/app/uttak',
    name: 'uttak',
    icon: 'usage',
    letter: 'u',
    scope: 'material:write',
    isOffBar: true,
  },
  {
    to: '/app/godkjenning',
    name: 'godkjenning',
    icon: 'approve',
    letter: 'g',
    scope: 'material:approve',
  },
  {
    to: '/app/omsetning',
    name: 'omsetning',
    icon: 'revenue',
    letter: 'o',
    scope: 'revenue:read',
  },
  {
    to: '/app/eksport',
    name: 'eksport',
    icon: 'export',
    letter: 'x',
    scope: 'material:read',
  },
  {
    to: '/app/register',
    name: 'register',
    icon: 'register',
    letter: 'r',
    scope: 'directory:read',
    isOffBar: true,
  },
  {
    to: '/app/utforsk',
    name: 'utforsk',
    icon: 'explore',
    letter: 'e',
    scope: 'directory:read',
    ...below,
  },
  {
    to: '/app/administrasjon',
    name: 'administrasjon',
    icon: 'settings',
    letter: 'a',
    scope: null,
    roles: ['admin'],
    isForOperators: true,
    ...below,
  },
  {
    to: '/app/revisjon',
    name: 'revisjon',
    icon: 'history',
    letter: 'l',
    scope: null,
    roles: ['auditor', 'admin'],
    ...below,
  },
  { to: '/app/hjelp', name: 'hjelp', icon: 'help', letter: 'h', scope: null, ...below },
]

/** Roles that may open a screen, lowest first: shown to those who may not. */
export function rolesAt(pathname: string): readonly Role[] {
  return (
    least[pathname] ?? places.find(({ to }) => to === pathname)?.roles ?? ['viewer', 'approver']
  )
}

const least: Readonly<Record<string, readonly Role[] | undefined>> = {
  '/app/uttak': ['registrant', 'approver'],
  '/app/import': ['approver', 'admin'],
}

export function placesFor({ scopes, role, isOperator }: Session): readonly Place[] {
  return places
    .filter(({ scope }) => scope === null || scopes.includes(scope))
    .filter(
      ({ roles, isForOperators }) =>
        roles === undefined || roles.includes(role) || (isForOperators && isOperator),
    )
}
