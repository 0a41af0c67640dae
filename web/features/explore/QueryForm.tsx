// QueryForm: the set and the query options, also built by click.
import { Button, Chip } from '../../components/Button.tsx'
import { TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import {
  optionNames,
  parseErrorPosition,
  type ExploredSet,
  type ExploreOption,
  type ExploreOptions,
} from './explore-params.ts'
import { setDescriptionsQuery, operators, splitList, toggleName, addCondition } from './api.ts'
import { useExploreText } from './i18n.ts'
import styles from './Explore.module.css'
import type { SetDescription } from '../../../src/app/contract/directory.ts'
import { exploredSets } from '../../../src/app/contract/screens.ts'

interface QueryFormProps {
  readonly set: ExploredSet
  readonly options: ExploreOptions
  readonly error: Error | null
  readonly onRun: (set: ExploredSet, options: ExploreOptions) => void
}

export function QueryForm({ set, options, error, onRun }: QueryFormProps) {
  const { t } = useExploreText()
  const [typed, setTyped] = useState(options)
  const sets = useQuery(setDescriptionsQuery).data?.sets
  const names = sets?.find((one) => one.name === set)
  const setOption = (name: ExploreOption) => (text: string) => setTyped({ ...typed, [name]: text })
  const position = parseErrorPosition(error)
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    onRun(set, typed)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <ChoiceSelect label={t.explore.set} value={set} choices={exploredSets} onPick={(chosen) => onRun(chosen, {})} />
      {optionNames.map((name) => (
        <div key={name}>
          <TextInput
            label={name}
            description={t.explore.options[name]}
            spellCheck={false}
            autoComplete="off"
            value={typed[name] ?? ''}
            error={position?.option === name && error !== null ? error.message : undefined}
            onChange={({ currentTarget }) => setOption(name)(currentTarget.value)}
          />
          {position?.option === name && <ErrorPosition text={options[name] ?? ''} column={position.column} />}
          {names !== undefined && (name === '$select' || name === '$expand') && (
            <NameChips
              label={t.explore.options[name]}
              names={name === '$select' ? names.fields.map((field) => field.name) : names.relations}
              list={typed[name] ?? ''}
              onChange={setOption(name)}
            />
          )}
          {names !== undefined && name === '$filter' && (
            <FilterConditionBuilder names={names} filter={typed.$filter ?? ''} onChange={setOption('$filter')} />
          )}
        </div>
      ))}
      <Button isPrimary label={t.explore.ask} type="submit" />
    </form>
  )
}

function ErrorPosition({ text, column }: { text: string; column: number }) {
  return (
    <pre className={styles.broken} aria-hidden="true">
      {text}
      {'\n'}
      {' '.repeat(Math.max(0, column - 1))}^
    </pre>
  )
}

interface NameChipsProps {
  readonly label: string
  readonly names: readonly string[]
  /** The option's text. */
  readonly list: string
  readonly onChange: (list: string) => void
}

function NameChips({ label, names, list, onChange }: NameChipsProps) {
  const chosen = new Set(splitList(list).map((part) => part.split('(')[0]))
  return (
    <div className={styles.names} role="group" aria-label={label}>
      {names.map((name) => (
        <Chip
          key={name}
          label={name}
          aria-pressed={chosen.has(name)}
          onClick={() => onChange(toggleName(list, name))}
        />
      ))}
    </div>
  )
}

interface FilterConditionBuilderProps {
  readonly names: SetDescription
  readonly filter: string
  readonly onChange: (filter: string) => void
}

function FilterConditionBuilder({ names: { fields }, filter, onChange }: FilterConditionBuilderProps) {
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
        choices={fields.map((one) => one.name)}
        onPick={setName}
      />
      <ChoiceSelect aria-label={t.explore.operator} value={operator} choices={operators} onPick={setOperator} />
      <TextInput
        aria-label={t.explore.value}
        placeholder={t.explore.value}
        value={value}
        onChange={({ currentTarget }) => setValue(currentTarget.value)}
      />
      <Button
        label={t.explore.addCondition}
        disabled={value === '' || field === undefined}
        onClick={() => {
          if (field !== undefined) onChange(addCondition(filter, field, operator, value))
          setValue('')
        }}
      />
    </div>
  )
}
