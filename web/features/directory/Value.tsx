// A field value as text.
import { isDay } from '../../api/days.ts'
import { dayText, momentText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { textOf } from '../../api/sets.ts'
import { useText } from '../../i18n/translation.tsx'

/** Related records by name, booleans as yes or no, dates and times formatted. */
export function Value({ value }: { value: unknown }) {
  const { say, language } = useText()
  const { zone } = useSession()
  if (typeof value === 'boolean') return value ? say.yes : say.no
  if (typeof value === 'object' && value !== null) return nameIn(value)
  const text = textOf(value)
  if (isDay(text)) return dayText(text, language, 'full')
  return isMoment(text) ? momentText(Date.parse(text) * 1000, language, zone) : text
}

function isMoment(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
}

export function nameIn(record: object): string {
  const fields = new Map<string, unknown>(Object.entries(record))
  const person = [fields.get('Fornavn'), fields.get('Etternavn')].map(textOf).join(' ').trim()
  return textOf(fields.get('Navn')) || person
}
