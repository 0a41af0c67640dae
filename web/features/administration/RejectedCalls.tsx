// Rejected API calls with their error; searched by request id.
import { useSearchParams } from '../../app/use-search-params.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { FilterField } from '../../components/FilterField.tsx'
import { usePages } from '../../components/use-pages.ts'
import { rejectedCallsQuery } from './api.ts'
import { useIntegrationText } from './integrations-i18n.ts'

export function RejectedCalls() {
  const { t, language } = useIntegrationText()
  const { calls } = t
  const [{ id = '' }, change] = useSearchParams('/app/administrasjon')
  const search = <FilterField key={id} label={calls.find} value={id} onSet={(text) => change({ id: text })} />
  return (
    <section aria-label={calls.title}>
      <DataTable
        name="avviste-kall"
        label={calls.title}
        tools={search}
        {...usePages(rejectedCallsQuery(id, language), rejectedCallsQuery(id, language, 'file'))}
        empty={id === '' ? [calls.none, calls.noneText] : [calls.notFound, calls.notFoundText]}
        keyOf={({ at, requestId }) => `${at} ${requestId}`}
        columns={[
          { value: 'at', title: t.table.at, type: 'timestamp' },
          {
            title: t.table.by,
            isRowHeader: true,
            isLong: true,
            value: (row) => row.credential.name ?? row.credential.id,
          },
          { value: 'text', title: calls.error, isLong: true },
          { key: 'call', title: calls.call, isLong: true, value: ({ method, route }) => `${method} ${route}` },
          { key: 'status', title: calls.status, value: ({ status, code }) => `${status} ${code}` },
          { value: 'requestId', title: t.table.request, isLong: true },
        ]}
      />
    </section>
  )
}
