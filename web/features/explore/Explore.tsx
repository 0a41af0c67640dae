// Explore API: an OData query by form, its response as a table, JSON or XML, and the same query as code.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get, getText } from '../../api/client.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import {
  generateCode,
  languages,
  optionNames,
  parseErrorPosition,
  type ExploredSet,
  type ExploreOptions,
} from './explore-params.ts'
import { CopyButton } from '../../components/CopyableText.tsx'
import { Page } from '../../components/Page.tsx'
import { ErrorState, Loading, QueryStates } from '../../components/QueryStates.tsx'
import { useExploreText } from './i18n.ts'
import styles from './Explore.module.css'
import { QueryForm } from './QueryForm.tsx'
import type { SetPage } from '../../../src/app/contract/directory.ts'
import { setDescriptionsQuery } from './api.ts'
import { toText } from '../../api/sets.ts'
import { DataTable } from '../../components/DataTable.tsx'

export function Explore() {
  const { t } = useExploreText()
  const [{ sett = 'Omsetning', ...search }, change] = useSearchParams('/app/utforsk')
  const options: ExploreOptions = {
    $select: search.select,
    $filter: search.filter,
    $expand: search.expand,
    $orderby: search.orderby,
    $top: search.top ?? '20',
  }
  const query = useQuery({
    queryKey: ['explore', sett, options],
    queryFn: () => get('read', { set: sett, ...options }),
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
          onRun={(set, chosen) => {
            const params = Object.fromEntries(optionNames.map((name) => [name.slice(1), chosen[name]]))
            change({ sett: set, ...params }, { replace: false })
          }}
        />
        <div className={styles.result}>
          {query.error !== null && parseErrorPosition(query.error) === null && (
            <ErrorState error={query.error} onRetry={() => void query.refetch()} />
          )}
          {query.data === undefined ? (
            query.isPending && <Loading />
          ) : (
            <QueryResult reply={query.data} set={sett} options={options} />
          )}
          <Code set={sett} options={options} />
        </div>
      </div>
    </Page>
  )
}

function Code({ set, options }: { set: ExploredSet; options: ExploreOptions }) {
  const { t } = useExploreText()
  const [language, setLanguage] = useState<(typeof languages)[number]>('curl')
  const code = generateCode(language, set, options, t.explore.key)
  return (
    <section aria-label={t.explore.code}>
      <div className="toolbar">
        <SegmentedControl aria-label={t.explore.code} value={language} onChange={setLanguage} data={[...languages]} />
        <CopyButton text={code} />
      </div>
      <pre className="code" tabIndex={0}>
        {code}
      </pre>
    </section>
  )
}

interface QueryResultProps {
  readonly reply: SetPage
  readonly set: ExploredSet
  readonly options: ExploreOptions
}

function QueryResult({ reply, set, options }: QueryResultProps) {
  const { t } = useExploreText()
  const [chosen, setForm] = useState('grid')
  const sets = useQuery(setDescriptionsQuery).data?.sets
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
      {form === 'grid' && <Grid rows={reply.value} set={set} />}
      {form === 'json' && (
        <pre className="code" tabIndex={0}>
          {JSON.stringify(reply, null, 2)}
        </pre>
      )}
      {form === 'xml' && <Xml set={set} options={options} />}
    </section>
  )
}

function Grid({ rows, set }: { rows: SetPage['value']; set: string }) {
  const { t } = useExploreText()
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    <DataTable
      name={`utforsk-${set}`}
      label={t.explore.answer}
      className=""
      rows={rows}
      // In the order of the query.
      isPartial
      keyOf={(_row, index) => index}
      columns={names.map((name) => ({
        key: name,
        title: name,
        isNumber: rows.some((row) => typeof row[name] === 'number'),
        value: (row: SetPage['value'][number]) => toCellValue(row[name]),
      }))}
    />
  )
}

/** Loaded on demand; a line break after each element, as the response has none. */
function Xml({ set, options }: Pick<QueryResultProps, 'set' | 'options'>) {
  const query = useQuery({
    queryKey: ['explore', set, options, 'xml'],
    queryFn: () => getText('read', { set, ...options }, 'application/xml'),
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

function toCellValue(value: unknown): string | number {
  if (typeof value === 'number') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : toText(value)
}
