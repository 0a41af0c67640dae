// What a person may be in a company; the operator of the server stands outside all of them.

export const roles = ['registrant', 'viewer', 'approver', 'auditor', 'admin'] as const

export type Role = (typeof roles)[number]

export const isRole = (name: string): name is Role => roles.some((role) => role === name)
