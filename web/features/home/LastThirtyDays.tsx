// Last 30 days: revenue by day with last year, and each department with its trend.
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Area, Line } from 'recharts'
import { useComparedSums } from '../../api/revenue.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { PeriodChart } from '../../components/PeriodChart.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { Table, type TableColumn } from '../../components/Table.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import { createSeries, type Series, type SeriesPeriod, type SeriesRequest } from '../revenue/chart-series.ts'
import { getPeriodSearch, getPresetRange } from '../revenue/presets.ts'
import { getAxisWidth, Swatch } from '../revenue/RevenueChart.tsx'
import styles from './LastThirtyDays.module.css'

export function LastThirtyDays({ today }: { today: string }) {
  const { t } = useRevenueText()
  const { from, to } = getPresetRange('days', today)
  return (
    <>
      <h2 id="thirty-days">
        <Link to="/app/omsetning">{t.revenue.presets.days}</Link>
      </h2>
      <QueryStates query={useComparedSums(from, to, 'day')}>
        {(found) => <ChartAndDepartments request={found} />}
      </QueryStates>
    </>
  )
}

function ChartAndDepartments({ request }: { request: Omit<SeriesRequest, 'directory' | 'department'> }) {
  const nameOf = useDepartmentName()
  const { data: names } = useQuery(departmentsQuery)
  const directory = [...(names?.keys() ?? [])]
  const all = createSeries({ ...request, directory, department: undefined })
  const departments = all.departments.map((department): DepartmentTrend => ({
    department,
    name: nameOf(department),
    series: createSeries({ ...request, directory, department }),
  }))
  return (
    <div className={`columns ${styles.columns}`}>
      <DailyChart series={all} />
      <Departments trends={departments} />
    </div>
  )
}

function DailyChart({ series: { periods } }: { series: Series }) {
  const { t, format } = useRevenueText()
  const navigate = useNavigate()
  const amount = (value: number | null) => format.amount(value)
  // A line has no length on the day of the first figure.
  const isSingle = periods.filter(({ sum }) => sum !== null).length === 1
  return (
    <PeriodChart
      label={t.revenue.presets.days}
      periods={periods}
      height={220}
      formatStart={(start) => format.day(start, 'dayMonth')}
      axis={{ tickFormatter: (value: number) => format.amount(value), width: getAxisWidth(periods, format) }}
      tooltip={({ start, sum, before }: SeriesPeriod) => (
        <div className="chart-tooltip">
          <strong>{format.day(start)}</strong>
          <div>{amount(sum)}</div>
          <div className="muted">
            {t.revenue.lastYear} {amount(before)}
          </div>
        </div>
      )}
      onPick={(start) => void navigate({ to: '/app/omsetning', search: getPeriodSearch(start, 'day', start) })}
      legend={
        <>
          <span>
            <Swatch colour="var(--accent)" />
            {t.revenue.thisYear}
          </span>
          <span>
            <Swatch colour="var(--last-year)" />
            {t.revenue.lastYear}
          </span>
        </>
      }
    >
      <Area
        dataKey="sum"
        stroke="var(--accent)"
        strokeWidth={2}
        fill="var(--accent-soft)"
        dot={isSingle}
        isAnimationActive={false}
      />
      <Line dataKey="before" stroke="var(--last-year)" strokeWidth={2} dot={false} isAnimationActive={false} />
    </PeriodChart>
  )
}

interface DepartmentTrend {
  readonly department: string
  readonly name: string
  readonly series: Series
}

function Departments({ trends }: { trends: readonly DepartmentTrend[] }) {
  const { t, format } = useRevenueText()
  const columns: readonly TableColumn<DepartmentTrend>[] = [
    {
      title: t.revenue.department,
      isRowHeader: true,
      show: ({ department, name }) => (
        <Link to="/app/omsetning" search={{ avd: department }}>
          {name}
        </Link>
      ),
    },
    {
      title: t.revenue.views.chart,
      isTitleHidden: true,
      isMinor: true,
      show: ({ series }) => <Sparkline periods={series.periods} />,
    },
    { title: t.total, isNumber: true, show: ({ series }) => format.amount(series.sum) },
    {
      title: t.revenue.againstLastYear,
      isNumber: true,
      show: ({ series: { sum, sumBefore } }) => <YearOverYear amount={sum} before={sumBefore} />,
    },
  ]
  return (
    <Table
      label={t.revenue.chart}
      className="trends"
      columns={columns}
      rows={trends}
      keyOf={({ department }) => department}
    />
  )
}

function Sparkline({ periods }: { periods: readonly SeriesPeriod[] }) {
  const amounts = periods.map(({ sum }) => sum ?? 0)
  const [low, high] = [Math.min(0, ...amounts), Math.max(1, ...amounts)]
  const points = amounts.map((amount, index) => {
    const x = (index / Math.max(1, amounts.length - 1)) * 94 + 1
    return `${x.toFixed(1)},${(23 - ((amount - low) / (high - low)) * 22).toFixed(1)}`
  })
  return (
    <svg width="96" height="24" aria-hidden="true">
      <polyline points={points.join(' ')} fill="none" stroke="var(--accent)" strokeWidth="1.5" />
    </svg>
  )
}
