// Scopes: the permissions that a credential can carry.

export const scopes = [
  'revenue:read',
  'revenue:write',
  'directory:read',
  'directory:personal',
  'directory:write',
  'material:read',
  'material:write',
  'material:approve',
  'material:export',
  'export:undo',
] as const

export type Scope = (typeof scopes)[number]

/** The most a password can carry; an administrator may remove some of them. */
export const passwordScopes: readonly Scope[] = [
  'revenue:read',
  'revenue:write',
  'directory:read',
  'material:read',
  'material:write',
  'material:export',
]

/** By kind of credential: the most it can carry. */
export const scopesOfKind = { key: scopes, password: passwordScopes } as const

/** Parses a stored or typed list of scopes; `revenue:*` means all of revenue. Returns unknown names separately. */
export function parseScopes(text: string): { scopes: Scope[]; unknown: string[] } {
  const named = text.split(/[\s,]+/).filter((name) => name !== '')
  const known = (name: string) =>
    scopes.filter((scope) => (name.endsWith(':*') ? scope.startsWith(name.slice(0, -1)) : scope === name))
  return { scopes: [...new Set(named.flatMap(known))], unknown: named.filter((name) => known(name).length === 0) }
}
