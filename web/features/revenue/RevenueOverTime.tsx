// Revenue over time by department, with last year, as chart or table.
import { SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { periodParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { getFirstOfMonth, getMonday, type ComparisonRule } from '../../api/days.ts'
import { useComparedSums, type PeriodUnit } from '../../api/revenue.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { DepartmentFilter } from '../../components/DepartmentFilter.tsx'
import { DayField } from '../../components/DayField.tsx'
import { ChartTableButton } from '../../components/PeriodChart.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import { ExportButtons } from './ExportButtons.tsx'
import { findPreset, presetNames, getPresetRange, defaultPreset, getPeriodSearch } from './presets.ts'
import { RevenueChart, type RevenueSeriesProps } from './RevenueChart.tsx'
import { createSeries, type Series, type SeriesPeriod } from './chart-series.ts'
import { Link } from '@tanstack/react-router'
import { Table, type TableColumn } from '../../components/Table.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { formatPeriod } from './period-name.ts'

export function RevenueOverTime({ today }: { today: string }) {
  const { t } = useRevenueText()
  const [search, change] = useSearchParams('/app/omsetning')
  const per = periods.find((one) => periodParams[one] === search.per) ?? 'day'
  const usual = getPresetRange(defaultPreset[per], today)
  const chosen = search.fra ?? usual.from
  // Whole weeks and months, also in the field, the downloads and the comparison.
  const from = per === 'day' ? chosen : per === 'week' ? getMonday(chosen) : getFirstOfMonth(chosen)
  const to = search.til ?? usual.to
  /** Null for another range. */
  const preset = findPreset({ per, from, to }, today)
  const { data: names, isPending: isDirectoryPending } = useQuery(departmentsQuery)
  const compared = useComparedSums(from, to, per)
  // The fields say that it ends before it begins.
  const isReversed = from > to
  const isShown = !isReversed && compared.data !== undefined && !isDirectoryPending
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.revenue.per.label}
          value={per}
          onChange={(chosen) => change({ per: periodParams[chosen], fra: undefined, til: undefined })}
          data={periods.map((value) => ({ value, label: t.revenue.per[value] }))}
        />
        <ChoiceSelect
          aria-label={t.revenue.period}
          value={preset ?? ''}
          choices={[
            ...presetNames.map((name) => [name, t.revenue.presets[name]] as const),
            ...(preset === null ? [['', t.revenue.otherPeriod] as const] : []),
          ]}
          onPick={(name) => {
            if (name === '') return
            const span = getPresetRange(name, today)
            change({ per: periodParams[span.per], fra: span.from, til: span.to })
          }}
        />
        <DayField inlineLabel={t.table.from} value={from} max={to} onPick={(fra) => change({ fra })} />
        <DayField inlineLabel={t.table.to} value={to} min={from} onPick={(til) => change({ til })} />
        <DepartmentFilter value={search.avd} onChange={(avd) => change({ avd })} />
        <span className="spacer" />
        <ChartTableButton isTable={search.tabell === true} onToggle={() => change({ tabell: !search.tabell })} />
        <ExportButtons from={from} to={to} department={search.avd} hasChart={isShown && !search.tabell} />
      </div>
      {!isReversed && (
        <QueryStates query={compared}>
          {(sums) => {
            if (isDirectoryPending) return null
            const series = createSeries({ ...sums, department: search.avd, directory: [...(names?.keys() ?? [])] })
            const Shown = search.tabell ? RevenueTable : RevenueChart
            return (
              <>
                <RevenueSummary series={series} rule={sums.rule} />
                <Shown series={series} per={per} to={to} />
              </>
            )
          }}
        </QueryStates>
      )}
    </>
  )
}

/** The chart as a sentence, also for screen readers. */
function RevenueSummary({ series, rule }: { series: Series; rule: ComparisonRule }) {
  const { t, format } = useRevenueText()
  const { sum, sumBefore } = series
  const share = sumBefore === null || sumBefore === 0 ? t.none : format.percentChange((sum - sumBefore) / sumBefore)
  return (
    <p className="summary">
      {t.revenue.summary(format.amount(sum), format.amount(sumBefore), t.revenue.sameInLastYear[rule], share)}
    </p>
  )
}

const periods: readonly PeriodUnit[] = ['day', 'week', 'month']

function RevenueTable({ series, per, to }: RevenueSeriesProps) {
  const { t, format } = useRevenueText()
  const departmentName = useDepartmentName()
  const { departments, periods, sum, sumBefore } = series
  const sumOf = (id: string) => periods.reduce((total, { amounts }) => total + (amounts.get(id) ?? 0), 0)
  const total: SeriesPeriod = {
    start: '',
    amounts: new Map(departments.map((id) => [id, sumOf(id)])),
    sum,
    before: sumBefore,
  }
  return (
    <Table
      label={t.revenue.chart}
      className="cards dense"
      rows={periods.toReversed()}
      total={total}
      keyOf={({ start }) => start}
      columns={[
        {
          title: t.revenue.per[per],
          isRowHeader: true,
          show: ({ start }) =>
            start === '' ? (
              t.total
            ) : (
              <Link from="/app/omsetning" search={(last) => ({ ...last, ...getPeriodSearch(start, per, to) })}>
                {formatPeriod(start, per, format, t.revenue.per.week)}
              </Link>
            ),
        },
        ...departments.map((id): TableColumn<SeriesPeriod> => ({
          key: id,
          title: departmentName(id),
          isNumber: true,
          show: ({ amounts }) => format.amount(amounts.get(id) ?? null),
        })),
        { title: t.total, isNumber: true, className: 'strong', show: ({ sum }) => format.amount(sum) },
        { title: t.revenue.lastYear, isNumber: true, show: ({ before }) => format.amount(before) },
        { title: '+/−', isNumber: true, show: ({ sum, before }) => <YearOverYear amount={sum} before={before} /> },
      ]}
    />
  )
}
