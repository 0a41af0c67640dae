// QueryResult: the response as a table, JSON or XML.
import type { SetPage } from '../../../src/app/contract/directory.ts'
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getText } from '../../api/client.ts'
import type { ExploredSet, ExploreOptions } from './explore-params.ts'
import { setDescriptionsQuery } from './api.ts'
import { toText } from '../../api/sets.ts'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useExploreText } from './i18n.ts'
import { DataTable } from '../../components/DataTable.tsx'

interface QueryResultProps {
  readonly reply: SetPage
  readonly set: ExploredSet
  readonly options: ExploreOptions
}

export function QueryResult({ reply, set, options }: QueryResultProps) {
  const { t } = useExploreText()
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
      loadAll={() => Promise.resolve(rows)}
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
