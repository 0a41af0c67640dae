// RevenueGrid: departments by days, editable in place.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from '../../app/use-search-params.ts'
import {
  listDays,
  getComparisonRule,
  getFirstOfMonth,
  getLastOfMonth,
  getMonday,
  addDays,
  addMonths,
  getIsoWeek,
  getRangeInPreviousYear,
} from '../../api/days.ts'
import { revenueSumsQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { StepButtons } from '../../components/Button.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import { ExportButtons } from './ExportButtons.tsx'
import { GridTable } from './GridTable.tsx'
import { createGridModel } from './grid-model.ts'
import { SaveBar } from './SaveBar.tsx'
import { useCellEdits } from './use-cell-edits.ts'

export function RevenueGrid({ overview }: { overview: RevenueOverview }) {
  const { t, format } = useRevenueText()
  const { scopes } = useSession()
  const [search, change] = useSearchParams('/app/omsetning')
  const day = search.dag ?? addDays(overview.today, -1)
  const isMonth = search.spenn === 'maned'
  const from = isMonth ? getFirstOfMonth(day) : getMonday(day)
  const to = isMonth ? getLastOfMonth(day) : addDays(from, 6)
  const names = useQuery(departmentsQuery)
  const current = useQuery(revenueSumsQuery(from, to, 'day'))
  const rule = getComparisonRule(from, isMonth ? 'month' : 'week')
  const before = useQuery({
    ...revenueSumsQuery(...getRangeInPreviousYear(from, to, rule), 'day'),
    enabled: search.sammenlign === true,
  })
  const step = (direction: -1 | 1) =>
    change({ dag: isMonth ? addMonths(from, direction) : addDays(from, 7 * direction) })
  const cellEdits = useCellEdits()
  const mayWrite = scopes.includes('revenue:write')

  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.revenue.span.label}
          value={isMonth ? 'month' : 'week'}
          onChange={(value) => change({ spenn: value === 'month' ? 'maned' : undefined })}
          data={[
            { value: 'week', label: t.revenue.span.week },
            { value: 'month', label: t.revenue.span.month },
          ]}
        />
        <StepButtons names={[t.revenue.earlier, t.revenue.later]} onStep={step} />
        <strong className="span-name" aria-live="polite">
          {isMonth
            ? format.day(from, 'monthYear')
            : `${t.revenue.per.week} ${getIsoWeek(from)}, ${format.day(from, 'dayMonth')} – ${format.day(to, 'full')}`}
        </strong>
        <Switch
          label={t.revenue.compare[rule]}
          checked={search.sammenlign === true}
          onChange={({ currentTarget }) => change({ sammenlign: currentTarget.checked })}
        />
        <span className="spacer" />
        <ExportButtons from={from} to={to} department={undefined} hasChart={false} />
      </div>
      <p className="muted hint">{mayWrite ? t.revenue.gridHint : t.revenue.gridReadOnly}</p>
      <SaveBar cellEdits={cellEdits} />
      <QueryStates query={current}>
        {({ sums }) => (
          <GridTable
            grid={createGridModel({
              days: listDays(from, to),
              sums,
              before: search.sammenlign === true ? (before.data?.sums ?? []) : null,
              rule,
              names: names.data ?? new Map(),
              missing: overview.missing,
            })}
            today={overview.today}
            cellEdits={cellEdits}
            onOpen={(date, departmentId) => change({ celle: `${date}.${departmentId}` })}
          />
        )}
      </QueryStates>
    </>
  )
}
