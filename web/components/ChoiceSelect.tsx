// ChoiceSelect: the browser's own select, of named values; '' may be one of them.
import { NativeSelect, type NativeSelectProps } from '@mantine/core'

export type Choice<Value extends string> = readonly [value: Value, name: string]

interface ChoiceSelectProps<Value extends string> extends Omit<NativeSelectProps, 'value' | 'data' | 'onChange'> {
  readonly value: Value
  readonly choices: readonly Choice<Value>[]
  readonly onPick: (value: Value) => void
}

export function ChoiceSelect<Value extends string>({ choices, onPick, ...select }: ChoiceSelectProps<Value>) {
  return (
    <NativeSelect
      {...select}
      data={choices.map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => {
        const picked = choices.find(([value]) => value === currentTarget.value)
        if (picked !== undefined) onPick(picked[0])
      }}
    />
  )
}
