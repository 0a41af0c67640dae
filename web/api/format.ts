// Formatting of numbers, dates and times by language. Amounts are integers of ten-thousandths.
import type { Language } from '../i18n/language.ts'

const locales = { nb: 'nb-NO', en: 'en-GB' } as const

const numbers = new Map<string, Intl.NumberFormat>()

function getNumberFormat(language: Language, places: number): Intl.NumberFormat {
  const key = `${language}${places}`
  const known = numbers.get(key)
  if (known !== undefined) return known
  const options = { minimumFractionDigits: places, maximumFractionDigits: places }
  const made = new Intl.NumberFormat(locales[language], options)
  numbers.set(key, made)
  return made
}

/** `12 500`, or `12 500,50` with two decimals. */
export function formatAmount(amount: number, language: Language, places = 0): string {
  return getNumberFormat(language, places).format(amount / 10_000)
}

/** As many decimals as needed, at most four: `2,5`. */
export function formatQuantity(quantity: number, language: Language): string {
  return quantityFormats[language].format(quantity / 10_000)
}

const quantityFormats = {
  nb: new Intl.NumberFormat('nb-NO', { maximumFractionDigits: 4 }),
  en: new Intl.NumberFormat('en-GB', { maximumFractionDigits: 4 }),
}

/** `+4,2 %`, always signed, so that colour is not the only difference; from ten times as much on, `> +999 %`. */
function formatPercentChange(share: number, language: Language, places = 1): string {
  if (share > 9.99) return '> +999 %'
  const text = getNumberFormat(language, places).format(Math.abs(share) * 100)
  const sign = Math.round(share * 100 * 10 ** places) === 0 ? '' : share > 0 ? '+' : '−'
  return `${sign}${text} %`
}

export function formatCount(count: number, language: Language): string {
  return getNumberFormat(language, 0).format(count)
}

/** Typed or pasted text as a decimal text with a point; null when it is no number. */
export function parseTypedAmount(typed: string): string | null {
  const plain = typed.replace(/[\s  ]|kr/gi, '').replace(/−/g, '-')
  const pointed = plain.includes(',') ? plain.replace(/\./g, '').replace(',', '.') : plain
  return /^-?\d{1,11}(\.\d{1,4})?$/.test(pointed) ? pointed : null
}

/** Ten-thousandths as the decimal text that the server reads: `12500.5`. */
export function toDecimalText(amount: number): string {
  const magnitude = Math.abs(amount)
  const places = String(magnitude % 10_000).padStart(4, '0')
  return `${amount < 0 ? '-' : ''}${Math.floor(magnitude / 10_000)}.${places}`
}

/** The same as a user types it: `12500,5`. */
export function toTypedText(amount: number, language: Language): string {
  const text = toDecimalText(amount).replace(/\.?0+$/, '')
  return language === 'nb' ? text.replace('.', ',') : text
}

/** A duration in microseconds, in its two largest units: `45 s`, `12 min`, `3 t 20 min`, `2 d 4 t`. */
function formatDuration(microseconds: number, language: Language): string {
  const seconds = Math.round(microseconds / 1_000_000)
  const units = durationUnits.map(([unit, size], at) => {
    const [, larger = Infinity] = durationUnits[at - 1] ?? []
    return { unit: unit[language], count: Math.floor((seconds % larger) / size) }
  })
  const first = units.findIndex(({ count }) => count > 0)
  if (first < 0) return `0 ${units.at(-1)?.unit}`
  // Seconds next to minutes are noise.
  return units
    .slice(first, first === units.length - 2 ? first + 1 : first + 2)
    .filter(({ count }) => count > 0)
    .map(({ unit, count }) => `${count} ${unit}`)
    .join(' ')
}

const durationUnits = [
  [{ nb: 'd', en: 'd' }, 86_400],
  [{ nb: 't', en: 'h' }, 3_600],
  [{ nb: 'min', en: 'min' }, 60],
  [{ nb: 's', en: 's' }, 1],
] as const

const days = new Map<string, Intl.DateTimeFormat>()

function getDayFormat(language: Language, name: DayFormat): Intl.DateTimeFormat {
  const key = language + name
  const known = days.get(key)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(locales[language], { timeZone: 'UTC', ...dayFormats[name] })
  days.set(key, made)
  return made
}

const dayFormats = {
  /** `fre. 20. nov.` */
  short: { weekday: 'short', day: 'numeric', month: 'short' },
  /** `20. nov. 2026` */
  full: { day: 'numeric', month: 'short', year: 'numeric' },
  /** `fredag 20. november 2026` */
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  weekday: { weekday: 'short' },
  dayMonth: { day: 'numeric', month: 'short' },
  /** `09.11.2026`, and `09/11/2026` in English. */
  numeric: { day: '2-digit', month: '2-digit', year: 'numeric' },
  /** `9.11.` */
  digits: { day: 'numeric', month: 'numeric' },
  month: { month: 'short' },
  monthYear: { month: 'long', year: 'numeric' },
} as const

export type DayFormat = keyof typeof dayFormats

export function formatDay(day: string, language: Language, form: DayFormat = 'short'): string {
  return getDayFormat(language, form).format(Date.parse(day))
}

/** Time of day of milliseconds since 1970, in the company's time zone. */
function formatTime(milliseconds: number, language: Language, zone: string): string {
  return new Intl.DateTimeFormat(locales[language], { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(
    milliseconds,
  )
}

/** Date of microseconds since 1970, in the company's time zone. */
export function toDay(microseconds: number, zone: string): string {
  const known = zones.get(zone)
  const format = known ?? new Intl.DateTimeFormat('sv-SE', { timeZone: zone })
  if (known === undefined) zones.set(zone, format)
  return format.format(microseconds / 1000)
}

const zones = new Map<string, Intl.DateTimeFormat>()

/** Date and time of microseconds since 1970, in the company's time zone. */
export function formatTimestamp(microseconds: number, language: Language, zone: string): string {
  return new Intl.DateTimeFormat(locales[language], {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  }).format(microseconds / 1000)
}

export type Formatter = ReturnType<typeof createFormatter>

/** The functions above for a user: in the language of the session, and the time zone of the company. */
export function createFormatter(language: Language, zone: string) {
  return {
    /** A dash for an amount that is unknown. */
    amount: (amount: number | null, places?: number) =>
      amount === null ? '–' : formatAmount(amount, language, places),
    quantity: (quantity: number) => formatQuantity(quantity, language),
    percentChange: (share: number, places?: number) => formatPercentChange(share, language, places),
    count: (count: number) => formatCount(count, language),
    duration: (microseconds: number) => formatDuration(microseconds, language),
    day: (day: string, form?: DayFormat) => formatDay(day, language, form),
    time: (milliseconds: number) => formatTime(milliseconds, language, zone),
    timestamp: (microseconds: number) => formatTimestamp(microseconds, language, zone),
  }
}
