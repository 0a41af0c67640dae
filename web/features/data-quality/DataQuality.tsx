// Data quality: duplicate and undated records, missing days and unknown codes, each with its next step.
import type { DataIssues, SentCode } from '../../../src/app/contract/revenue.ts'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useSession } from '../../api/session.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded, EmptyState } from '../../components/QueryStates.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { CellDrawer } from '../revenue/CellDrawer.tsx'
import { UnknownCodes } from './UnknownCodes.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { useDataQualityText } from './i18n.ts'
import { replyQuery } from '../../api/reply-query.ts'

export function DataQuality() {
  const { currency } = useSession()
  const { t } = useDataQualityText()
  const [{ celle }, change] = useSearchParams('/app/rydde')
  return (
    <Page
      title={t.today.dataQuality}
      scope="revenue:read"
      aside={
        <span className="muted">
          {t.dataQuality.span} · {t.revenue.currency(currency)}
        </span>
      }
    >
      <Loaded options={dataIssuesQuery}>{(untidy) => <IssueLists issues={untidy} />}</Loaded>
      {celle !== undefined && (
        <CellDrawer cell={celle} onClose={() => change({ celle: undefined }, { replace: false })} />
      )}
    </Page>
  )
}

function IssueLists({ issues }: { issues: DataIssues<SentCode> }) {
  const { t, format } = useDataQualityText()
  const { crowded, missing, unknown, undated } = issues
  /** Also shown when the list it came from is empty now. */
  const [moved, setMoved] = useState<number | null>(null)
  return (
    <>
      <div aria-live="polite">
        {moved !== null && <p className="alert">{t.dataQuality.moved(format.count(moved))}</p>}
      </div>
      {crowded.length + missing.length + unknown.length + undated.length === 0 && (
        <EmptyState title={t.today.noIssues} illustration="done">
          {t.today.noIssuesText}
        </EmptyState>
      )}
      {crowded.length > 0 && <CellsToFix name="crowded" cells={crowded} />}
      {undated.length > 0 && <CellsToFix name="undated" cells={undated} />}
      {missing.length > 0 && <MissingDays missing={missing} />}
      {unknown.length > 0 && <UnknownCodes unknown={unknown} onMoved={setMoved} />}
    </>
  )
}

/** The names of the files of these lists. */
const listNames = { crowded: 'doble-tall', undated: 'uten-dato' } as const

/** Cells with several records, or without a date: each opens a drawer with its records. */
function CellsToFix({ name, cells }: { name: 'crowded' | 'undated'; cells: DataIssues['crowded'] }) {
  const { t, format } = useDataQualityText()
  const { columns } = t.dataQuality
  const nameOf = useDepartmentName()
  const dayOf = (date: string) => (date === '' ? t.revenue.withoutDate : format.day(date))
  const sum = cells.reduce((total, { amount }) => total + amount, 0)
  return (
    <DataTable
      name={listNames[name]}
      title={t.dataQuality[name]}
      summary={t.dataQuality.count(format.count(cells.length), format.amount(sum, 2))}
      note={t.dataQuality.cellTexts[name]}
      rows={cells.toReversed()}
      keyOf={({ date, departmentId }) => `${date} ${departmentId}`}
      columns={[
        { title: columns.date, type: 'day', value: ({ date }) => date, show: ({ date }) => dayOf(date) },
        { ...departmentColumn, title: t.revenue.department, value: ({ departmentId }) => nameOf(departmentId) },
        { value: 'records', title: columns.records, type: 'count' },
        { value: 'amount', title: t.total, type: 'amount' },
        {
          title: t.table.next,
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
  )
}

function MissingDays({ missing }: Pick<DataIssues, 'missing'>) {
  const { t, format } = useDataQualityText()
  const { columns } = t.dataQuality
  const nameOf = useDepartmentName()
  const days = missing.reduce((total, { dates }) => total + dates.length, 0)
  return (
    <DataTable
      name="manglende-dager"
      title={t.dataQuality.missing}
      summary={format.count(days)}
      note={t.dataQuality.missingText}
      rows={missing}
      keyOf={({ departmentId }) => departmentId}
      columns={[
        { ...departmentColumn, title: t.revenue.department, value: ({ departmentId }) => nameOf(departmentId) },
        { key: 'count', title: columns.days, type: 'count', value: ({ dates }) => dates.length },
        {
          title: columns.date,
          className: 'chip-cell',
          value: ({ dates }) => dates.join(' '),
          show: ({ departmentId, dates }) => (
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
          ),
        },
      ]}
    />
  )
}

const dataIssuesQuery = replyQuery(['revenue', 'untidy'], 'revenueTidying', { staleTime: 15_000 })

const departmentColumn = { isRowHeader: true, isLong: true } as const
