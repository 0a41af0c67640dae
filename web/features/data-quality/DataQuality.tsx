// Data quality: duplicate and undated records, missing days and unknown codes, each with its next step.
import type { DataIssues, SentCode } from '../../../src/app/contract/revenue.ts'
import { useQuery, queryOptions } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { QueryStates, NoAccess, EmptyState } from '../../components/QueryStates.tsx'
import { Table } from '../../components/Table.tsx'
import { useTranslation } from '../../i18n/translation.tsx'
import { CellDrawer } from '../revenue/CellDrawer.tsx'
import { UnknownCodes } from './UnknownCodes.tsx'
import { useDepartmentName, WorkList } from './WorkList.tsx'
import { dataQualityText } from './i18n.ts'
import { get } from '../../api/client.ts'

const route = getRouteApi('/app/rydde')

export function DataQuality() {
  const { scopes, currency } = useSession()
  const { t } = useTranslation(dataQualityText)
  const { celle } = route.useSearch()
  const navigate = route.useNavigate()
  const mayLook = scopes.includes('revenue:read')
  const query = useQuery({ ...dataIssuesQuery, enabled: mayLook })
  return (
    <Page
      title={t.dataQuality.title}
      aside={
        <span className="muted">
          {t.dataQuality.span} · {t.revenue.currency(currency)}
        </span>
      }
    >
      {!mayLook && <NoAccess />}
      {mayLook && <QueryStates query={query}>{(untidy) => <IssueLists issues={untidy} />}</QueryStates>}
      {celle !== undefined && mayLook && <CellDrawer cell={celle} onClose={() => void navigate({ search: {} })} />}
    </Page>
  )
}

function IssueLists({ issues }: { issues: DataIssues<SentCode> }) {
  const { t, format } = useTranslation(dataQualityText)
  const { crowded, missing, unknown, undated } = issues
  /** Also shown when the list it came from is empty now. */
  const [moved, setMoved] = useState<number | null>(null)
  return (
    <>
      <div aria-live="polite">
        {moved !== null && <p className="alert">{t.dataQuality.moved(format.count(moved))}</p>}
      </div>
      {crowded.length + missing.length + unknown.length + undated.length === 0 && (
        <EmptyState title={t.dataQuality.noIssues} illustration="done">
          {t.dataQuality.noIssuesText}
        </EmptyState>
      )}
      {crowded.length > 0 && <CellsToFix name="crowded" cells={crowded} />}
      {undated.length > 0 && <CellsToFix name="undated" cells={undated} />}
      {missing.length > 0 && <MissingDays missing={missing} />}
      {unknown.length > 0 && <UnknownCodes unknown={unknown} onMoved={setMoved} />}
    </>
  )
}

/** Cells with several records, or without a date: each opens a drawer with its records. */
function CellsToFix({ name, cells }: { name: 'crowded' | 'undated'; cells: DataIssues['crowded'] }) {
  const { t, format } = useTranslation(dataQualityText)
  const nameOf = useDepartmentName()
  const dayOf = (date: string) => (date === '' ? t.revenue.withoutDate : format.day(date))
  const sum = cells.reduce((total, { amount }) => total + amount, 0)
  return (
    <WorkList
      name={name}
      title={t.dataQuality[name]}
      text={t.dataQuality.cellTexts[name]}
      count={cells.length}
      sum={sum}
    >
      <Table
        labelledBy={name}
        rows={cells.toReversed()}
        keyOf={({ date, departmentId }) => `${date} ${departmentId}`}
        columns={[
          { title: t.dataQuality.columns.date, show: ({ date }) => dayOf(date) },
          { title: t.dataQuality.columns.department, show: ({ departmentId }) => nameOf(departmentId) },
          { title: t.dataQuality.columns.records, isNumber: true, show: ({ records }) => format.count(records) },
          { title: t.dataQuality.columns.sum, isNumber: true, show: ({ amount }) => format.amount(amount, 2) },
          {
            title: t.dataQuality.columns.next,
            show: ({ date, departmentId }) => (
              <Link
                to="/app/rydde"
                search={{ celle: `${date}.${departmentId}` }}
                aria-label={t.dataQuality.compareIn(nameOf(departmentId), dayOf(date))}
              >
                {t.dataQuality.compare}
              </Link>
            ),
          },
        ]}
      />
    </WorkList>
  )
}

function MissingDays({ missing }: Pick<DataIssues, 'missing'>) {
  const { t, format } = useTranslation(dataQualityText)
  const nameOf = useDepartmentName()
  const days = missing.reduce((total, { dates }) => total + dates.length, 0)
  return (
    <WorkList name="missing" title={t.dataQuality.missing} text={t.dataQuality.missingText} count={days} sum={null}>
      <ul className="card-list">
        {missing.map(({ departmentId, dates }) => (
          <li key={departmentId} className="panel">
            <div className="card-line">
              <strong>{nameOf(departmentId)}</strong>
              <span>{format.count(dates.length)}</span>
            </div>
            <div className="chip-list">
              {dates.map((date) => (
                <Link
                  key={date}
                  to="/app/omsetning"
                  search={{ vis: 'dager', dag: date }}
                  className="chip"
                  aria-label={`${t.dataQuality.fill}: ${nameOf(departmentId)} ${format.day(date)}`}
                >
                  {format.day(date)}
                </Link>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </WorkList>
  )
}

const dataIssuesQuery = queryOptions({
  queryKey: ['revenue', 'untidy'],
  queryFn: () => get('revenueTidying'),
  staleTime: 15_000,
})
