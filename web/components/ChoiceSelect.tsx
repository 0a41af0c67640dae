// ChoiceSelect: the browser's own select, of named values, or of values that are names; '' may be one of them.
import { NativeSelect, type NativeSelectProps } from '@mantine/core'

export type Choice<Value extends string> = readonly [value: Value, name: string]

interface ChoiceSelectProps<Value extends string> extends Omit<NativeSelectProps, 'value' | 'data' | 'onChange'> {
  readonly value: Value
  readonly choices: readonly (Choice<Value> | Value)[]
  readonly onPick: (value: Value) => void
}

export function ChoiceSelect<Value extends string>({ choices, onPick, ...select }: ChoiceSelectProps<Value>) {
  const named = choices.map((choice): Choice<Value> => (typeof choice === 'string' ? [choice, choice] : choice))
  return (
    <NativeSelect
      {...select}
      data={named.map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => {
        const picked = named.find(([value]) => value === currentTarget.value)
        if (picked !== undefined) onPick(picked[0])
      }}
    />
  )
}
