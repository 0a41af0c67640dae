// Company settings, stored as JSON of the values that differ from the defaults.
import type { Role } from '../roles.ts'

/** The canonical IANA name of a time zone, or null when it is unknown. */
export function canonicalTimeZone(text: string): string | null {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone
  } catch {
    return null
  }
}

export interface CompanySettings {
  /** Reject every date that carries a time zone or offset. */
  readonly refusesZones: boolean
  /** Reject an insert when the cell already has a record. */
  readonly forbidsSecondRecord: boolean
  /** The person who registered a transaction may not approve it. */
  readonly requiresFourEyes: boolean
  /** Reject passwords and keys in the query string, even valid ones. */
  readonly refusesQueryCredentials: boolean
  /** Reject transactions that refer to unknown departments, projects, sites or employees. */
  readonly requiresKnownSubjects: boolean
  /** Require a second factor of the members with this role (ADR 0041). */
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

/** Command-line names of the settings. */
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

/** By role: the setting that requires a second factor. */
export const factorSettings: Readonly<Record<Role, SettingName>> = {
  registrant: 'requiresFactorOfRegistrant',
  viewer: 'requiresFactorOfViewer',
  approver: 'requiresFactorOfApprover',
  auditor: 'requiresFactorOfAuditor',
  admin: 'requiresFactorOfAdmin',
}

/** Parses the stored JSON; ignores names that a newer version may have added. */
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
