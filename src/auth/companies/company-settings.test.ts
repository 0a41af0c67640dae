import { expect, test } from 'vitest'
import { defaultSettings, parseSettings, companySettingNames, writeSettings } from './company-settings.ts'

const textValues = new Map<string, string>([
  ['dayEndsAt', '03:00'],
  ['amounts', 'with-tax'],
])

test('only values that differ from the defaults are stored', () => {
  expect(writeSettings(defaultSettings)).toBe('{}')
  expect(parseSettings('{}')).toEqual(defaultSettings)
  for (const name of Object.values(companySettingNames)) {
    const value = textValues.get(name) ?? true
    const settings = { ...defaultSettings, [name]: value }
    expect(writeSettings(settings)).toBe(JSON.stringify({ [name]: value }))
    expect(parseSettings(writeSettings(settings))).toEqual(settings)
  }
})

test('unknown settings are ignored', () => {
  const stored = '{"newer":1,"refusesZones":"yes","dayEndsAt":"24:00","amounts":true}'
  expect(parseSettings(stored)).toEqual(defaultSettings)
})

test('the names of settings on the command line and in requests of the app stay the same', () => {
  expect(Object.keys(companySettingNames)).toEqual([
    'day-ends-at',
    'amounts',
    'refuses-zones',
    'forbids-second-record',
    'requires-four-eyes',
    'refuses-query-credentials',
    'requires-known-subjects',
    'requires-factor-of-registrant',
    'requires-factor-of-viewer',
    'requires-factor-of-approver',
    'requires-factor-of-auditor',
    'requires-factor-of-admin',
  ])
})
