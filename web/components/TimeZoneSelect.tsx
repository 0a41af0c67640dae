// TimeZoneSelect: a time zone, searched by its name.
import { Select, type SelectProps } from '@mantine/core'
import { useTranslation } from '../i18n/translation.ts'

interface TimeZoneSelectProps extends Omit<SelectProps, 'value' | 'onChange' | 'data'> {
  readonly value: string
  readonly onChange: (zone: string) => void
}

export function TimeZoneSelect({ value, onChange, ...field }: TimeZoneSelectProps) {
  const { t } = useTranslation()
  return (
    <Select
      {...field}
      searchable
      allowDeselect={false}
      limit={60}
      value={value}
      data={zones.includes(value) ? zones : [value, ...zones]}
      nothingFoundMessage={t.states.noMatchTitle}
      onChange={(zone) => zone !== null && onChange(zone)}
    />
  )
}

const zones = Intl.supportedValuesOf('timeZone')
