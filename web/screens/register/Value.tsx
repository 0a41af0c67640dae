// A value of a record as people read it.
import { isDay } from '../../data/days.ts'
import { dayText } from '../../data/format.ts'
import { textOf } from '../../data/sets.ts'
import { useText } from '../../text/text.tsx'

/** A related record by its name, a flag in words, a day as people write it. */
export const Value = ({ value }: { value: unknown }) => {
  const { say, language } = useText()
  if (typeof value === 'boolean') return value ? say.yes : say.no
  if (typeof value === 'object' && value !== null) return nameIn(value)
  const text = textOf(value)
  return isDay(text) ? dayText(text, language, 'full') : text
}

export const nameIn = (record: object): string => {
  const fields = new Map<string, unknown>(Object.entries(record))
  const person = [fields.get('Fornavn'), fields.get('Etternavn')].map(textOf).join(' ').trim()
  return textOf(fields.get('Navn')) || person
}
