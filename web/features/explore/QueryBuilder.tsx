// Query building by click: $select and $expand chips, and a $filter condition.
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { operators, partsOf, toggled, withCondition, type SetNames } from './api.ts'
import { exploreText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'

interface NamesProps {
  readonly label: string
  readonly names: readonly string[]
  /** The option's text. */
  readonly list: string
  readonly onChange: (list: string) => void
}

export function Names({ label, names, list, onChange }: NamesProps) {
  const chosen = new Set(partsOf(list).map((part) => part.split('(')[0]))
  return (
    <div className="chip-list explore-names" role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={chosen.has(name)}
          onClick={() => onChange(toggled(list, name))}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

interface ConditionProps {
  readonly names: SetNames
  readonly filter: string
  readonly onChange: (filter: string) => void
}

export function Condition({ names: { fields }, filter, onChange }: ConditionProps) {
  const { say } = useText(exploreText)
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [operator, setOperator] = useState<(typeof operators)[number]>('eq')
  const [value, setValue] = useState('')
  const field = fields.find((one) => one.name === name) ?? fields[0]
  return (
    <div className="explore-condition" role="group" aria-label={say.explore.condition}>
      <NativeSelect
        aria-label={say.explore.field}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        data={fields.map((one) => one.name)}
      />
      <NativeSelect
        aria-label={say.explore.operator}
        value={operator}
        onChange={({ currentTarget }) =>
          setOperator(operators.find((one) => one === currentTarget.value) ?? 'eq')
        }
        data={[...operators]}
      />
      <TextInput
        aria-label={say.explore.value}
        placeholder={say.explore.value}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={value === '' || field === undefined}
        onClick={() => {
          if (field !== undefined) onChange(withCondition(filter, field, operator, value))
          setValue('')
        }}
      >
        {say.explore.addCondition}
      </Button>
    </div>
  )
}
