// The rights that a credential may carry.

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

/** What a company's password carries at most; an administrator may take some away. */
export const passwordScopes: readonly Scope[] = [
  'revenue:read',
  'revenue:write',
  'directory:read',
  'material:read',
  'material:write',
  'material:export',
]

function isScope(name: string): name is Scope {
  return scopes.some((scope) => scope === name)
}

/** The scopes that a stored or typed list names; `revenue:*` is all of revenue. Unknown names apart. */
export function parseScopes(text: string): { scopes: Scope[]; unknown: string[] } {
  const named = text.split(/[\s,]+/).filter((name) => name !== '')
  const known = (name: string) =>
    name.endsWith(':*')
      ? scopes.filter((scope) => scope.startsWith(name.slice(0, -1)))
      : [name].filter(isScope)
  return {
    scopes: [...new Set(named.flatMap(known))],
    unknown: named.filter((name) => known(name).length === 0),
  }
}
