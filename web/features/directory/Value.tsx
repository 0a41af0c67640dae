// A field value as text.
import { isDay } from '../../api/days.ts'
import { getDisplayName, toText } from '../../api/sets.ts'
import { useTranslation } from '../../i18n/translation.ts'

/** Related records by name, booleans as yes or no, dates and times formatted. */
export function Value({ value }: { value: unknown }) {
  const { t, format } = useTranslation()
  const text = toCellValue(value)
  if (typeof text === 'boolean') return text ? t.yes : t.no
  if (isDay(text)) return format.day(text, 'full')
  const isTimestamp = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(text)
  return isTimestamp ? format.timestamp(Date.parse(text) * 1000) : text
}

/** Related records by name. */
export function toCellValue(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value
  return typeof value === 'object' && value !== null ? getDisplayName(value) : toText(value)
}
