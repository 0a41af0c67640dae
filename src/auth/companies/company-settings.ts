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

/** `requiresFactorOf…`: require a second factor of the members with this role (ADR 0041). */
export interface CompanySettings extends Readonly<Record<(typeof factorSettings)[Role], boolean>> {
  /** The time of day, `HH:MM`, until which sales belong to the day before. Reported to callers; changes nothing (ADR 0005). */
  readonly dayEndsAt: string
  /** Whether amounts contain tax. Reported to callers; changes nothing (ADR 0005). */
  readonly amounts: 'unstated' | 'with-tax' | 'without-tax'
  /** Reject every date that carries a time zone or offset. */
  readonly refusesZones: boolean
  /** Reject an insert when the cell already has a record. */
  readonly forbidsSecondRecord: boolean
  /** Who registered a transaction, or was the last to change it, may not approve it. */
  readonly requiresFourEyes: boolean
  /** Reject passwords and keys in the query string, even valid ones. */
  readonly refusesQueryCredentials: boolean
  /** Reject transactions that refer to unknown departments, projects, sites or employees. */
  readonly requiresKnownSubjects: boolean
}

export const defaultSettings: CompanySettings = {
  dayEndsAt: '00:00',
  amounts: 'unstated',
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

export type CompanySettingName = keyof CompanySettings

const settingNames = Object.keys(defaultSettings).filter(isSettingName)

function isSettingName(name: string): name is CompanySettingName {
  return Object.hasOwn(defaultSettings, name)
}

/** The settings by their names on the command line and in requests of the app, such as `day-ends-at`. */
export const companySettingNames: Readonly<Record<string, CompanySettingName>> = Object.fromEntries(
  settingNames.map((name) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), name]),
)

export type SettingValue = CompanySettings[CompanySettingName]

const textSettings: Readonly<Record<string, RegExp>> = {
  dayEndsAt: /^([01]\d|2[0-3]):[0-5]\d$/,
  amounts: /^(unstated|with-tax|without-tax)$/,
}

const switchValues: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
])

/** The value of a setting that is given as text; undefined when it is invalid. */
export function parseSetting(name: CompanySettingName, text: string): SettingValue | undefined {
  const value = typeof defaultSettings[name] === 'boolean' ? switchValues.get(text) : text
  return isSettingValue(name, value) ? value : undefined
}

function isSettingValue(name: string, value: unknown): value is SettingValue {
  const pattern = textSettings[name]
  if (pattern === undefined) return typeof value === 'boolean'
  return typeof value === 'string' && pattern.test(value)
}

/** By role: the setting that requires a second factor. */
export const factorSettings = {
  registrant: 'requiresFactorOfRegistrant',
  viewer: 'requiresFactorOfViewer',
  approver: 'requiresFactorOfApprover',
  auditor: 'requiresFactorOfAuditor',
  admin: 'requiresFactorOfAdmin',
} as const satisfies Readonly<Record<Role, string>>

/** Parses the stored JSON; ignores names and values that a newer version may have added. */
export function parseSettings(stored: string): CompanySettings {
  const read: unknown = JSON.parse(stored)
  const differing = Object.entries(typeof read === 'object' && read !== null ? read : {}).filter(
    ([name, value]) => isSettingName(name) && isSettingValue(name, value),
  )
  return { ...defaultSettings, ...Object.fromEntries(differing) }
}

export function writeSettings(settings: CompanySettings): string {
  const differing = settingNames.filter((name) => settings[name] !== defaultSettings[name])
  return JSON.stringify(settings, differing)
}
