// DayField: a date, typed or picked from a calendar, both in the language of the app.
import '@mantine/dates/styles.layer.css'
import { TextInput, type MantineSize, type TextInputProps } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import { useState } from 'react'
import nb from 'dayjs/locale/nb'
import { isDay } from '../api/days.ts'
import { useSession } from '../api/session.ts'
import { parseTypedDay } from '../api/typed-day.ts'
import { defineSection, defineTranslation } from '../i18n/translation.ts'
import { useMatches } from './use-matches.ts'

interface DayFieldProps extends Pick<TextInputProps, 'ref' | 'label' | 'error'> {
  readonly size?: MantineSize
  /** Stands in the field, before the date. */
  readonly inlineLabel?: string
  /** A day, or '' for none; any other text is what was typed, as passed to `onInvalid`. */
  readonly value: string
  /** The first day that the calendar offers: an earlier one may be typed, and has an error. */
  readonly min?: string
  readonly max?: string
  /** Whether the date may be removed: then `onPick` is called with ''. */
  readonly isOptional?: boolean
  readonly onPick: (day: string) => void
  /** What is typed is no date; a form takes the text as the value, which it must not send. */
  readonly onInvalid?: (typed: string) => void
}

export function DayField(props: DayFieldProps) {
  const { inlineLabel, value, min, max, isOptional = false, error, onPick, onInvalid, ...others } = props
  const { t, language, format } = useDayFieldText()
  const [invalid, setInvalid] = useInvalidText(value)
  const [isLeft, setLeft] = useState(false)
  // A phone's own picker is larger than any calendar of ours, and the one that its owner knows.
  const isTouch = useMatches('(pointer: coarse)')
  const pick = (day: string | null) => {
    if (isDay(day ?? '') || isOptional) onPick(day ?? '')
  }
  const { today } = useSession()
  const parse = (typed: string) => parseTypedDay(typed, today, language)
  const type = (typed: string) => {
    setLeft(false)
    if (parse(typed) !== null || (isOptional && typed.trim() === '')) return setInvalid(null)
    setInvalid(typed)
    onInvalid?.(typed.trim())
  }
  const describeOutside = (day: string) => {
    if (max !== undefined && day > max) return t.dayField.after(format.day(max, 'numeric'))
    return min !== undefined && day < min && t.dayField.before(format.day(min, 'numeric'))
  }
  const isProblem = (invalid ?? '').trim() !== '' && (isLeft || Boolean(error))
  const common = {
    ...others,
    error: isProblem
      ? t.dayField.notADay(invalid ?? '', format.day(today, 'numeric'))
      : (error ?? (isDay(value) && describeOutside(value))),
    ...(inlineLabel !== undefined && {
      'aria-label': inlineLabel,
      leftSection: <span className="field-label">{inlineLabel}</span>,
      leftSectionWidth: 42,
    }),
  }
  if (isTouch)
    return (
      <TextInput
        {...common}
        type="date"
        value={value}
        {...(min === undefined ? {} : { min })}
        {...(max === undefined ? {} : { max })}
        onChange={({ currentTarget }) => pick(currentTarget.value)}
      />
    )
  return (
    <DateInput
      {...common}
      {...(inlineLabel !== undefined && { w: isOptional ? '9.5rem' : '8.75rem' })}
      locale={language === 'nb' ? nb.name : language}
      firstDayOfWeek={1}
      hideOutsideDates
      // Above the field, where it does not cover what is wrong, nor the button below.
      {...(Boolean(error) && { popoverProps: { position: 'top-start' } })}
      weekendDays={[]}
      ariaLabels={t.dayField.calendar}
      valueFormat={(day) => format.day(day, 'numeric')}
      dateParser={parse}
      onInput={({ currentTarget }) => type(currentTarget.value)}
      onBlur={() => setLeft(true)}
      // The text stays for correction; an emptied field shows its date again.
      fixOnBlur={(invalid ?? '').trim() === ''}
      placeholder={t.dayField.placeholder}
      clearable={isOptional}
      clearButtonProps={{ 'aria-label': t.dayField.remove }}
      value={isDay(value) ? value : null}
      // As with the browser's own field, a typed date may be outside.
      excludeDate={(day) => day < (min ?? day) || day > (max ?? day)}
      onChange={(day) => {
        setInvalid(null)
        pick(day)
      }}
    />
  )
}

/** What is typed and no date; null once the field has another value. */
function useInvalidText(value: string) {
  const [invalid, setInvalid] = useState<string | null>(null)
  const [last, setLast] = useState(value)
  if (value !== last) {
    setLast(value)
    if (value !== invalid?.trim()) setInvalid(null)
  }
  return [invalid, setInvalid] as const
}

const dayFieldText = defineSection({
  dayField: {
    calendar: {
      nextMonth: ['Neste måned', 'Next month'],
      previousMonth: ['Forrige måned', 'Previous month'],
      nextYear: ['Neste år', 'Next year'],
      previousYear: ['Forrige år', 'Previous year'],
      nextDecade: ['Neste tiår', 'Next decade'],
      previousDecade: ['Forrige tiår', 'Previous decade'],
    },
    placeholder: ['dd.mm.åååå', 'dd/mm/yyyy'],
    notADay: (typed: string, example: string) => [
      `«${typed}» er ikke en dato i kalenderen. Skriv for eksempel ${example}.`,
      `“${typed}” is not a date in the calendar. Type, for example, ${example}.`,
    ],
    after: (last: string) => [`Datoen er etter ${last}.`, `The date is after ${last}.`],
    before: (first: string) => [`Datoen er før ${first}.`, `The date is before ${first}.`],
    remove: ['Fjern datoen', 'Remove the date'],
  },
})

const useDayFieldText = defineTranslation(dayFieldText)
