// DayField: a date, typed or picked from a calendar, both in the language of the app.
import '@mantine/dates/styles.layer.css'
import { TextInput, type MantineSize, type TextInputProps } from '@mantine/core'
import { DateInput } from '@mantine/dates'
import nb from 'dayjs/locale/nb'
import { isDay } from '../api/days.ts'
import { toDay } from '../api/format.ts'
import { parseTypedDay } from '../api/typed-day.ts'
import { defineSection, defineTranslation } from '../i18n/translation.ts'
import { useMatches } from './use-matches.ts'

interface DayFieldProps extends Pick<TextInputProps, 'ref' | 'label' | 'error'> {
  readonly size?: MantineSize
  /** Stands in the field, before the date. */
  readonly inlineLabel?: string
  /** '' for none. */
  readonly value: string
  /** The first day that the calendar offers. */
  readonly min?: string
  readonly max?: string
  /** Whether the date may be removed: then `onPick` is called with ''. */
  readonly isOptional?: boolean
  readonly onPick: (day: string) => void
}

export function DayField({ inlineLabel, value, min, max, isOptional = false, onPick, ...others }: DayFieldProps) {
  const { t, language, format } = useDayFieldText()
  // A phone's own picker is larger than any calendar of ours, and the one that its owner knows.
  const isTouch = useMatches('(pointer: coarse)')
  const pick = (day: string | null) => {
    if (isDay(day ?? '') || isOptional) onPick(day ?? '')
  }
  const common = {
    ...others,
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
      weekendDays={[]}
      ariaLabels={t.dayField.calendar}
      valueFormat={(day) => format.day(day, 'numeric')}
      dateParser={(typed) => parseTypedDay(typed, today(), language)}
      placeholder={t.dayField.placeholder}
      clearable={isOptional}
      clearButtonProps={{ 'aria-label': t.dayField.remove }}
      value={value === '' ? null : value}
      // As with the browser's own field, a typed date may be outside.
      excludeDate={(day) => day < (min ?? day) || day > (max ?? day)}
      onChange={pick}
    />
  )
}

/** Where the person is. */
function today(): string {
  return toDay(Date.now() * 1000, new Intl.DateTimeFormat().resolvedOptions().timeZone)
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
    remove: ['Fjern datoen', 'Remove the date'],
  },
})

const useDayFieldText = defineTranslation(dayFieldText)
