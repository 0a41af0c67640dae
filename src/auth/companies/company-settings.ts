// What a company may decide about the interface for itself; kept as JSON of what differs from the defaults.
import type { Role } from '../roles.ts'

/** A time zone as the IANA database spells it, or null for what is none. */
export function zoneNamed(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export interface CompanySettings {
  /** A date with a zone or offset is refused, whatever it says. */
  readonly refusesZones: boolean
  /** An insert on a cell that has a record is refused. */
  readonly forbidsSecondRecord: boolean
  /** Whoever registered a transaction does not approve it. */
  readonly requiresFourEyes: boolean
  /** A password or key that stands in the address is refused, also the right one. */
  readonly refusesQueryCredentials: boolean
  /** A transaction names no department, project, site or employee that the directory does not know. */
  readonly requiresKnownSubjects: boolean
  /** Who is this here signs in with a second factor (ADR 0090). */
  readonly requiresFactorOfRegistrant: boolean
  readonly requiresFactorOfViewer: boolean
  readonly requiresFactorOfApprover: boolean
  readonly requiresFactorOfAuditor: boolean
  readonly requiresFactorOfAdmin: boolean
}

export const defaultSettings: CompanySettings = {
  refusesZones: false,
  forbidsSecondRecord: false,
  requiresFourEyes: false,
  refusesQueryCredentials: false,
  requiresKnownSubjects: false,
  requiresFactorOfRegistrant: false,
  requiresFactorOfViewer: false,
  requiresFactorOfApprover: false,
  requiresFactorOfAuditor: false,
  requiresFactorOfAdmin: false,
}

export type SettingName = keyof CompanySettings

/** Their names, as a command takes them. */
export const settingNames: Readonly<Record<string, SettingName>> = {
  'refuses-zones': 'refusesZones',
  'forbids-second-record': 'forbidsSecondRecord',
  'requires-four-eyes': 'requiresFourEyes',
  'refuses-query-credentials': 'refusesQueryCredentials',
  'requires-known-subjects': 'requiresKnownSubjects',
  'requires-factor-of-registrant': 'requiresFactorOfRegistrant',
  'requires-factor-of-viewer': 'requiresFactorOfViewer',
  'requires-factor-of-approver': 'requiresFactorOfApprover',
  'requires-factor-of-auditor': 'requiresFactorOfAuditor',
  'requires-factor-of-admin': 'requiresFactorOfAdmin',
}

/** By role: whether a second factor is wanted. */
export const factorSettings: Readonly<Record<Role, SettingName>> = {
  registrant: 'requiresFactorOfRegistrant',
  viewer: 'requiresFactorOfViewer',
  approver: 'requiresFactorOfApprover',
  auditor: 'requiresFactorOfAuditor',
  admin: 'requiresFactorOfAdmin',
}

/** Reads the stored JSON; what a newer program may have added is left aside. */
export function parseSettings(stored: string): CompanySettings {
  const read: unknown = JSON.parse(stored)
  const differing = new Map(Object.entries(typeof read === 'object' && read !== null ? read : {}))
  const valueOf = (name: SettingName) => {
    const value = differing.get(name)
    return typeof value === 'boolean' ? value : defaultSettings[name]
  }
  return {
    refusesZones: valueOf('refusesZones'),
    forbidsSecondRecord: valueOf('forbidsSecondRecord'),
    requiresFourEyes: valueOf('requiresFourEyes'),
    refusesQueryCredentials: valueOf('refusesQueryCredentials'),
    requiresKnownSubjects: valueOf('requiresKnownSubjects'),
    requiresFactorOfRegistrant: valueOf('requiresFactorOfRegistrant'),
    requiresFactorOfViewer: valueOf('requiresFactorOfViewer'),
    requiresFactorOfApprover: valueOf('requiresFactorOfApprover'),
    requiresFactorOfAuditor: valueOf('requiresFactorOfAuditor'),
    requiresFactorOfAdmin: valueOf('requiresFactorOfAdmin'),
  }
}

export function writeSettings(settings: CompanySettings): string {
  return JSON.stringify(
    Object.fromEntries(
      Object.values(settingNames)
        .filter((name) => settings[name] !== defaultSettings[name])
        .map((name) => [name, settings[name]]),
    ),
  )
}
