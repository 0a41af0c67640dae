// Explore API: an OData query by form, its response, and the same query as code.
import type { SetPage } from '../../../src/app/contract/directory.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { Button, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { get, getText, RequestError } from '../../api/client.ts'
import {
  generateCode,
  exploredSets,
  languages,
  optionNames,
  parseErrorPosition,
  type ExploredSet,
  type OptionName,
  type ExploreOptions,
} from './explore-params.ts'
import { setDescriptionsQuery } from './api.ts'
import { toText } from '../../api/sets.ts'
import { CopyButton } from '../../components/CopyableText.tsx'
import { Page } from '../../components/Page.tsx'
import { FilterConditionBuilder, NameChips } from './QueryBuilder.tsx'
import { ErrorState, QueryStates, Loading } from '../../components/QueryStates.tsx'
import { exploreText } from './i18n.ts'
import { Table } from '../../components/Table.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import styles from './Explore.module.css'

const route = getRouteApi('/app/utforsk')

export function Explore() {
  const { t } = useTranslation()
  const { sett = 'Omsetning', ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const options: ExploreOptions = {
    $select: search.select,
    $filter: search.filter,
    $expand: search.expand,
    $orderby: search.orderby,
    $top: search.top ?? '20',
  }
  const query = useQuery({
    queryKey: ['explore', sett, options],
    queryFn: () => get(appPaths.read, { set: sett, ...options }),
    retry: false,
  })
  return (
    <Page title={t.screens.utforsk}>
      <div className={styles.explore}>
        <QueryForm
          key={sett}
          set={sett}
          options={options}
          error={query.error}
          onRun={(set, chosen) =>
            void navigate({
              search: {
                sett: set,
                select: chosen.$select || undefined,
                filter: chosen.$filter || undefined,
                expand: chosen.$expand || undefined,
                orderby: chosen.$orderby || undefined,
                top: chosen.$top || undefined,
              },
            })
          }
        />
        <div className={styles.result}>
          {query.error !== null && parseErrorPosition(getTarget(query.error)) === null && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data === undefined ? (
            query.isPending && <Loading />
          ) : (
            <Result reply={query.data} set={sett} options={options} />
          )}
          <Code set={sett} options={options} />
        </div>
      </div>
    </Page>
  )
}

function getTarget(error: Error): string | null {
  return error instanceof RequestError ? error.target : null
}

interface QueryFormProps {
  readonly set: ExploredSet
  readonly options: ExploreOptions
  readonly error: Error | null
  readonly onRun: (set: ExploredSet, options: ExploreOptions) => void
}

function QueryForm({ set, options, error, onRun }: QueryFormProps) {
  const { t } = useTranslation(exploreText)
  const [typed, setTyped] = useState(options)
  const { data: sets } = useQuery(setDescriptionsQuery)
  const names = sets?.find((one) => one.name === set)
  const setOption = (name: OptionName) => (text: string) => setTyped({ ...typed, [name]: text })
  const position = error === null ? null : parseErrorPosition(getTarget(error))
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    onRun(set, typed)
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <NativeSelect
        label={t.explore.set}
        value={set}
        onChange={({ currentTarget }) => {
          const chosen = exploredSets.find((one) => one === currentTarget.value)
          if (chosen !== undefined) onRun(chosen, {})
        }}
        data={[...exploredSets]}
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

interface ResultProps {
  readonly reply: SetPage
  readonly set: ExploredSet
  readonly options: ExploreOptions
}

function Result({ reply, set, options }: ResultProps) {
  const { t } = useTranslation(exploreText)
  const [chosen, setForm] = useState('grid')
  const { data: sets } = useQuery(setDescriptionsQuery)
  const hasXml = (sets?.some(({ name, hasXml: has }) => name === set && has) ?? false) && (options.$expand ?? '') === ''
  const form = chosen === 'xml' && !hasXml ? 'grid' : chosen
  return (
    <section aria-label={t.explore.answer}>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.explore.answer}
          value={form}
          onChange={setForm}
          data={[
            { value: 'grid', label: t.explore.grid },
            { value: 'json', label: 'JSON' },
            ...(hasXml ? [{ value: 'xml', label: 'XML' }] : []),
          ]}
        />
        <span className="muted" aria-live="polite">
          {t.explore.rows(reply.value.length)}
        </span>
      </div>
      {form === 'grid' && <Grid rows={reply.value} />}
      {form === 'json' && (
        <pre className="code" tabIndex={0}>
          {JSON.stringify(reply, null, 2)}
        </pre>
      )}
      {form === 'xml' && <Xml set={set} options={options} />}
    </section>
  )
}

function Grid({ rows }: { rows: SetPage['value'] }) {
  const { t } = useTranslation(exploreText)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <Table
      label={t.explore.answer}
      className=""
      rows={rows}
      keyOf={(_row, index) => index}
      columns={names.map((name) => ({
        title: name,
        isNumber: rows.some((row) => typeof row[name] === 'number'),
        show: (row: SetPage['value'][number]) => formatValue(row[name]),
      }))}
    />
  )
}

/** Loaded on demand; a line break after each element, as the response has none. */
function Xml({ set, options }: Pick<ResultProps, 'set' | 'options'>) {
  const query = useQuery({
    queryKey: ['explore', set, options, 'xml'],
    queryFn: () => getText(appPaths.read, { set, ...options }, 'application/xml'),
    retry: false,
  })
  return (
    <QueryStates query={query}>
      {(text) => (
        <pre className="code" tabIndex={0}>
          {text.replaceAll('><', '>\n<')}
        </pre>
      )}
    </QueryStates>
  )
}

function formatValue(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : toText(value)
}

function Code({ set, options }: { set: ExploredSet; options: ExploreOptions }) {
  const { t } = useTranslation(exploreText)
  const [language, setLanguage] = useState<(typeof languages)[number]>('curl')
  const code = generateCode(language, set, options, t.explore.key)
  return (
    <section aria-label={t.explore.code}>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.explore.code}
          value={language}
          onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'curl')}
          data={[...languages]}
        />
        <CopyButton text={code} />
      </div>
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </section>
  )
}
