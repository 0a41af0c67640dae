// What a person may be in a company; the operator of the server stands outside all of them.
import { scopes, type Scope } from './scopes.ts'

export const roles = ['registrant', 'viewer', 'approver', 'auditor', 'admin'] as const

export type Role = (typeof roles)[number]

export function isRole(name: string): name is Role {
  return roles.some((role) => role === name)
}

/** What a role lets a person do in the browser app; which departments an approver may decide on is theirs (ADR 0060). */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  registrant: ['directory:read', 'material:write'],
  viewer: ['revenue:read', 'directory:read', 'material:read'],
  approver: [
    'revenue:read',
    'revenue:write',
    'directory:read',
    'material:read',
    'material:write',
    'material:approve',
  ],
  auditor: ['revenue:read', 'directory:read', 'material:read'],
  admin: scopes,
}
