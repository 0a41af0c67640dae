import { expect, test } from 'vitest'
import { defaultSettings, parseSettings, settingNames, writeSettings } from './company-settings.ts'

test('only values that differ from the defaults are stored', () => {
  expect(writeSettings(defaultSettings)).toBe('{}')
  expect(parseSettings('{}')).toEqual(defaultSettings)
  for (const name of Object.values(settingNames)) {
    const settings = { ...defaultSettings, [name]: true }
    expect(writeSettings(settings)).toBe(`{"${name}":true}`)
    expect(parseSettings(writeSettings(settings))).toEqual(settings)
  }
})

test('unknown settings are ignored', () => {
  expect(parseSettings('{"newer":1,"refusesZones":"yes"}')).toEqual(defaultSettings)
})

test('every setting has a name on the command line', () => {
  expect(Object.values(settingNames).toSorted()).toEqual(Object.keys(defaultSettings).toSorted())
})
