// Revenue table: the figures of the chart.
import { Link } from '@tanstack/react-router'
import { Table, type TableColumn } from '../../components/Table.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { useRevenueText } from '../../i18n/revenue.ts'
import type { SeriesPeriod } from './chart-series.ts'
import { formatPeriod } from './period-name.ts'
import { getPeriodSearch } from './presets.ts'
import type { RevenueSeriesProps } from './RevenueChart.tsx'

export function RevenueTable({ series, per, to }: RevenueSeriesProps) {
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
              <Link
                from="/app/omsetning"
                to="/app/omsetning"
                search={(last) => ({ ...last, ...getPeriodSearch(start, per, to) })}
              >
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
