// DayField: a native date input for toolbars.
import { TextInput } from '@mantine/core'
import { isDay } from '../api/days.ts'

interface DayFieldProps {
  readonly label: string
  readonly value: string
  readonly min?: string
  readonly max?: string
  readonly onPick: (day: string) => void
}

export function DayField({ label, value, min, max, onPick }: DayFieldProps) {
  return (
    <TextInput
      type="date"
      aria-label={label}
      leftSection={<span className="field-label">{label}</span>}
      leftSectionWidth={42}
      value={value}
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      onChange={({ currentTarget }) => {
        if (isDay(currentTarget.value)) onPick(currentTarget.value)
      }}
    />
  )
}
