// What a browser calls itself, in the two words that people know it by.

/** Like `Firefox, Windows`; '' for what is not known. The first that fits counts: many name others beside themselves. */
export function browserName(agent: string): string {
  return [nameIn(agent, browsers), nameIn(agent, systems)].filter((name) => name !== '').join(', ')
}

function nameIn(agent: string, names: readonly (readonly [RegExp, string])[]): string {
  return names.find(([pattern]) => pattern.test(agent))?.[1] ?? ''
}

const browsers = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/Chrome\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const

const systems = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const
