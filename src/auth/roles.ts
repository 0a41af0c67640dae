// Roles of people in a company. Operators of the server are outside of them.
import { scopes, type Scope } from './scopes.ts'

export const roles = ['registrant', 'viewer', 'approver', 'auditor', 'admin'] as const

export type Role = (typeof roles)[number]

export function isRole(name: string): name is Role {
  return roles.some((role) => role === name)
}

/** Scopes of each role in the browser app. The departments of an approver are stored with the membership (ADR 0039). */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  registrant: ['directory:read', 'material:write'],
  viewer: ['revenue:read', 'directory:read', 'material:read'],
  approver: ['revenue:read', 'revenue:write', 'directory:read', 'material:read', 'material:write', 'material:approve'],
  auditor: ['revenue:read', 'directory:read', 'material:read'],
  admin: scopes,
}
