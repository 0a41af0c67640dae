// Formatting of numbers, dates and times by language. Amounts are integers of ten-thousandths.
import type { Language } from '../../src/app/contract/session.ts'

const locales = { nb: 'nb-NO', en: 'en-GB' } as const

export type Formatter = ReturnType<typeof createFormatter>

/** For a user: in the language of the session, and the time zone of the company. */
export function createFormatter(language: Language, zone: string) {
  const locale = locales[language]
  const decimals = memoize(
    (places: number) => new Intl.NumberFormat(locale, { minimumFractionDigits: places, maximumFractionDigits: places }),
  )
  const quantities = once(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 4 }))
  const days = memoize((form: DayFormat) => new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...dayFormats[form] }))
  const clock = { timeZone: zone, hour: '2-digit', minute: '2-digit' } as const
  const times = once(() => new Intl.DateTimeFormat(locale, clock))
  const timestamps = once(() => new Intl.DateTimeFormat(locale, { ...dayFormats.full, ...clock }))
  return {
    /** `12 500`, or `12 500,50` with two decimals; a dash for an amount that is unknown. */
    amount: (amount: number | null, places = 0) => (amount === null ? '–' : decimals(places).format(amount / 10_000)),
    /** As many decimals as needed, at most four: `2,5`. */
    quantity: (quantity: number) => quantities().format(quantity / 10_000),
    /** `+4,2 %`, in English `+4.2%`, always signed, so that colour is not the only difference; from ten times as much on, `> +999 %`. */
    percentChange: (share: number, places = 1) => {
      const unit = language === 'nb' ? ' %' : '%'
      if (share > 9.99) return `> +999${unit}`
      const sign = Math.round(share * 100 * 10 ** places) === 0 ? '' : share > 0 ? '+' : '−'
      return `${sign}${decimals(places).format(Math.abs(share) * 100)}${unit}`
    },
    count: (count: number) => decimals(0).format(count),
    duration: (microseconds: number) => formatDuration(microseconds, language),
    bytes: (bytes: number) => {
      const [unit, size] = bytes >= 1_000_000 ? ['megabyte', 1024 * 1024] : ['kilobyte', 1024]
      return new Intl.NumberFormat(locale, { style: 'unit', unit, maximumFractionDigits: 1 }).format(bytes / size)
    },
    day: (day: string, form: DayFormat = 'short') => days(form).format(Date.parse(day)),
    /** Time of day of milliseconds since 1970. */
    time: (milliseconds: number) => times().format(milliseconds),
    /** Date and time of microseconds since 1970. */
    timestamp: (microseconds: number) => timestamps().format(microseconds / 1000),
  }
}

/** The formatters of the platform are slow to create. */
function memoize<Key, Value>(create: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return (key) => {
    const value = values.get(key) ?? create(key)
    values.set(key, value)
    return value
  }
}

function once<Value>(create: () => Value): () => Value {
  return memoize<void, Value>(create)
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

type DayFormat = keyof typeof dayFormats

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

/**
 * Typed or pasted text as a decimal text with a point; null when it is no number. The decimal sign is the last of `.` and `,`.
 * A comma alone is a decimal sign in Norwegian; in English it separates thousands where three digits follow each.
 */
export function parseTypedAmount(typed: string, language: Language): string | null {
  const plain = typed.replace(/[\s\u00A0\u202F]|kr/gi, '').replace(/−/g, '-')
  const thousandsByComma = language === 'en' ? /^-?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/ : /^-?[1-9]\d{0,2}(,\d{3})+\.\d*$/
  const isPointDecimal = !plain.includes(',') || thousandsByComma.test(plain)
  if (!isPointDecimal && plain.lastIndexOf('.') > plain.lastIndexOf(',')) return null
  const pointed = isPointDecimal ? plain.replaceAll(',', '') : plain.replaceAll('.', '').replace(',', '.')
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

const dayOf = memoize((zone: string) => new Intl.DateTimeFormat('sv-SE', { timeZone: zone }))

/** Date of microseconds since 1970, in the company's time zone. */
export function toDay(microseconds: number, zone: string): string {
  return dayOf(zone).format(microseconds / 1000)
}
