// QueryForm: the set and the query options.
import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type SyntheticEvent } from 'react'
import { RequestError } from '../../api/client.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import {
  exploredSets,
  optionNames,
  parseErrorPosition,
  type ExploredSet,
  type ExploreOption,
  type ExploreOptions,
} from './explore-params.ts'
import { setDescriptionsQuery } from './api.ts'
import { FilterConditionBuilder, NameChips } from './QueryBuilder.tsx'
import { useExploreText } from './i18n.ts'
import styles from './Explore.module.css'

export function getTarget(error: Error): string | null {
  return error instanceof RequestError ? error.target : null
}

interface QueryFormProps {
  readonly set: ExploredSet
  readonly options: ExploreOptions
  readonly error: Error | null
  readonly onRun: (set: ExploredSet, options: ExploreOptions) => void
}

export function QueryForm({ set, options, error, onRun }: QueryFormProps) {
  const { t } = useExploreText()
  const [typed, setTyped] = useState(options)
  const { data: sets } = useQuery(setDescriptionsQuery)
  const names = sets?.find((one) => one.name === set)
  const setOption = (name: ExploreOption) => (text: string) => setTyped({ ...typed, [name]: text })
  const position = error === null ? null : parseErrorPosition(getTarget(error))
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    onRun(set, typed)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <ChoiceSelect
        label={t.explore.set}
        value={set}
        choices={exploredSets.map((name) => [name, name])}
        onPick={(chosen) => onRun(chosen, {})}
      />
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
      <Button type="submit">{t.explore.ask}</Button>
    </form>
  )
}

/** Marks the position of the error. */
function ErrorPosition({ text, column }: { text: string; column: number }) {
  return (
    <pre className={styles.broken} aria-hidden="true">
      {text}
      {'\n'}
      {' '.repeat(Math.max(0, column - 1))}^
    </pre>
  )
}
