// Explore API: an OData query by form, its response, and the same query as code.
import { Button, CopyButton, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState, type SyntheticEvent } from 'react'
import { ask, askText, Refusal } from '../../api/client.ts'
import {
  codeFor,
  exploredSets,
  languages,
  optionNames,
  placeIn,
  type ExploredSet,
  type OptionName,
  type Options,
} from './explore-params.ts'
import { setNamesQuery } from './api.ts'
import { textOf, type Page as Answer } from '../../api/sets.ts'
import { Page } from '../../components/Page.tsx'
import { Condition, Names } from './QueryBuilder.tsx'
import { ErrorState, Fetched, Loading } from '../../components/QueryStates.tsx'
import { exploreText } from './i18n.ts'
import { useText } from '../../i18n/translation.tsx'
import './Explore.css'

const route = getRouteApi('/app/utforsk')

export function Explore() {
  const { say } = useText()
  const { sett = 'Omsetning', ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const options: Options = {
    $select: search.select,
    $filter: search.filter,
    $expand: search.expand,
    $orderby: search.orderby,
    $top: search.top ?? '20',
  }
  const query = useQuery({
    queryKey: ['explore', sett, options],
    queryFn: () => ask<Answer>(`/app/les/${sett}`, options),
    retry: false,
  })
  return (
    <Page title={say.screens.utforsk}>
      <div className="explore">
        <QuestionForm
          key={sett}
          set={sett}
          options={options}
          error={query.error}
          onAsk={(set, asked) =>
            void navigate({
              search: {
                sett: set,
                select: asked.$select || undefined,
                filter: asked.$filter || undefined,
                expand: asked.$expand || undefined,
                orderby: asked.$orderby || undefined,
                top: asked.$top || undefined,
              },
            })
          }
        />
        <div className="explore-result">
          {query.error !== null && placeIn(targetOf(query.error)) === null && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data === undefined ? (
            query.isPending && <Loading />
          ) : (
            <Result answer={query.data} set={sett} options={options} />
          )}
          <Code set={sett} options={options} />
        </div>
      </div>
    </Page>
  )
}

function targetOf(error: Error): string | null {
  return error instanceof Refusal ? error.target : null
}

interface QuestionProps {
  readonly set: ExploredSet
  readonly options: Options
  readonly error: Error | null
  readonly onAsk: (set: ExploredSet, options: Options) => void
}

function QuestionForm({ set, options, error, onAsk }: QuestionProps) {
  const { say } = useText(exploreText)
  const [typed, setTyped] = useState(options)
  const { data: sets } = useQuery(setNamesQuery)
  const names = sets?.find((one) => one.name === set)
  const put = (name: OptionName) => (text: string) => setTyped({ ...typed, [name]: text })
  const position = error === null ? null : placeIn(targetOf(error))
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    onAsk(set, typed)
  }
  return (
    <form className="panel explore-form" onSubmit={submit}>
      <NativeSelect
        label={say.explore.set}
        value={set}
        onChange={({ currentTarget }) => {
          const chosen = exploredSets.find((one) => one === currentTarget.value)
          if (chosen !== undefined) onAsk(chosen, {})
        }}
        data={[...exploredSets]}
      />
      {optionNames.map((name) => (
        <div key={name}>
          <TextInput
            label={name}
            description={say.explore.options[name]}
            spellCheck={false}
            autoComplete="off"
            value={typed[name] ?? ''}
            error={position?.option === name && error !== null ? error.message : undefined}
            onChange={({ currentTarget }) => put(name)(currentTarget.value)}
          />
          {names !== undefined && (name === '$select' || name === '$expand') && (
            <Names
              label={say.explore.options[name]}
              names={name === '$select' ? names.fields.map((field) => field.name) : names.relations}
              list={typed[name] ?? ''}
              onChange={put(name)}
            />
          )}
          {names !== undefined && name === '$filter' && (
            <Condition names={names} filter={typed.$filter ?? ''} onChange={put('$filter')} />
          )}
          {position?.option === name && (
            <BrokenAt text={options[name] ?? ''} column={position.column} />
          )}
        </div>
      ))}
      <Button type="submit" size="sm">
        {say.explore.ask}
      </Button>
    </form>
  )
}

/** Marks the position of the error. */
function BrokenAt({ text, column }: { text: string; column: number }) {
  return (
    <pre className="broken-at" aria-hidden="true">
      {text}
      {'\n'}
      {' '.repeat(Math.max(0, column - 1))}^
    </pre>
  )
}

interface ResultProps {
  readonly answer: Answer
  readonly set: ExploredSet
  readonly options: Options
}

function Result({ answer, set, options }: ResultProps) {
  const { say } = useText(exploreText)
  const [chosen, setForm] = useState('grid')
  const { data: sets } = useQuery(setNamesQuery)
  const hasXml =
    (sets?.some(({ name, hasXml: has }) => name === set && has) ?? false) &&
    (options.$expand ?? '') === ''
  const form = chosen === 'xml' && !hasXml ? 'grid' : chosen
  return (
    <section aria-label={say.explore.answer}>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.explore.answer}
          value={form}
          onChange={setForm}
          data={[
            { value: 'grid', label: say.explore.grid },
            { value: 'json', label: 'JSON' },
            ...(hasXml ? [{ value: 'xml', label: 'XML' }] : []),
          ]}
        />
        <span className="muted" aria-live="polite">
          {say.explore.rows(answer.value.length)}
        </span>
      </div>
      {form === 'grid' && <Grid rows={answer.value} />}
      {form === 'json' && (
        <pre className="code" tabIndex={0}>
          {JSON.stringify(answer, null, 2)}
        </pre>
      )}
      {form === 'xml' && <Xml set={set} options={options} />}
    </section>
  )
}

function Grid({ rows }: { rows: Answer['value'] }) {
  const { say } = useText(exploreText)
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-label={say.explore.answer}>
      <table>
        <thead>
          <tr>
            {names.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- an answer has no other order
            <tr key={index}>
              {names.map((name) => (
                <td key={name} className={typeof row[name] === 'number' ? 'number' : undefined}>
                  {shown(row[name])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Loaded on demand; a line break after each element, as the response has none. */
function Xml({ set, options }: Pick<ResultProps, 'set' | 'options'>) {
  const query = useQuery({
    queryKey: ['explore', set, options, 'xml'],
    queryFn: () => askText(`/app/les/${set}`, options, 'application/xml'),
    retry: false,
  })
  return (
    <Fetched query={query}>
      {(text) => (
        <pre className="code" tabIndex={0}>
          {text.replaceAll('><', '>\n<')}
        </pre>
      )}
    </Fetched>
  )
}

function shown(value: unknown): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value)
}

function Code({ set, options }: { set: ExploredSet; options: Options }) {
  const { say } = useText(exploreText)
  const [language, setLanguage] = useState<(typeof languages)[number]>('curl')
  const code = codeFor(language, set, options, say.explore.key)
  return (
    <section aria-label={say.explore.code}>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.explore.code}
          value={language}
          onChange={(value) => setLanguage(languages.find((one) => one === value) ?? 'curl')}
          data={[...languages]}
        />
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? say.revenue.copied : say.help.copy}
            </Button>
          )}
        </CopyButton>
      </div>
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </section>
  )
}
