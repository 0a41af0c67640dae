// Query building by click: $select and $expand chips, and a $filter condition.
import type { SetDescription } from '../../../src/app/contract/directory.ts'
import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { operators, splitList, toggleName, addCondition } from './api.ts'
import { useExploreText } from './i18n.ts'
import styles from './Explore.module.css'

interface NameChipsProps {
  readonly label: string
  readonly names: readonly string[]
  /** The option's text. */
  readonly list: string
  readonly onChange: (list: string) => void
}

export function NameChips({ label, names, list, onChange }: NameChipsProps) {
  const chosen = new Set(splitList(list).map((part) => part.split('(')[0]))
  return (
    <div className={styles.names} role="group" aria-label={label}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={chosen.has(name)}
          onClick={() => onChange(toggleName(list, name))}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

interface FilterConditionBuilderProps {
  readonly names: SetDescription
  readonly filter: string
  readonly onChange: (filter: string) => void
}

export function FilterConditionBuilder({ names: { fields }, filter, onChange }: FilterConditionBuilderProps) {
  const { t } = useExploreText()
  const [name, setName] = useState(fields[0]?.name ?? '')
  const [operator, setOperator] = useState<(typeof operators)[number]>('eq')
  const [value, setValue] = useState('')
  const field = fields.find((one) => one.name === name) ?? fields[0]
  return (
    <div className={styles.condition} role="group" aria-label={t.explore.condition}>
      <ChoiceSelect
        aria-label={t.explore.field}
        value={name}
        choices={fields.map((one) => [one.name, one.name])}
        onPick={setName}
      />
      <ChoiceSelect
        aria-label={t.explore.operator}
        value={operator}
        choices={operators.map((one) => [one, one])}
        onPick={setOperator}
      />
      <TextInput
        aria-label={t.explore.value}
        placeholder={t.explore.value}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={value === '' || field === undefined}
        onClick={() => {
          if (field !== undefined) onChange(addCondition(filter, field, operator, value))
          setValue('')
        }}
      >
        {t.explore.addCondition}
      </Button>
    </div>
  )
}
