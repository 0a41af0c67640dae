// Revenue table: the figures of the chart.
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { departmentsQuery } from '../../api/sets.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatPeriod } from './period-name.ts'
import { getPeriodSearch } from './presets.ts'
import type { RevenueSeriesProps } from './RevenueChart.tsx'

export function RevenueTable({ series, per, to }: RevenueSeriesProps) {
  const { t, format } = useTranslation(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  const { departments, periods, sum, sumBefore } = series
  const nameOf = (id: string) => (id === '' ? t.revenue.withoutDepartment : (names?.get(id) ?? id))
  const text = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? t.none : format.amount(amount)
  return (
    <div className="table-scroll cards dense" tabIndex={0} role="region" aria-label={t.revenue.chart}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t.revenue.per[per]}</th>
            {departments.map((id) => (
              <th scope="col" key={id} className="number">
                {nameOf(id)}
              </th>
            ))}
            <th scope="col" className="number">
              {t.total}
            </th>
            <th scope="col" className="number">
              {t.revenue.lastYear}
            </th>
            <th scope="col" className="number">
              +/−
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map((period) => (
            <tr key={period.start}>
              <th scope="row">
                <Link
                  from="/app/omsetning"
                  to="/app/omsetning"
                  search={(last) => ({ ...last, ...getPeriodSearch(period.start, per, to) })}
                >
                  {formatPeriod(period.start, per, format, t.revenue.week)}
                </Link>
              </th>
              {departments.map((id) => (
                <td key={id} className="number" data-title={nameOf(id)}>
                  {text(period.amounts.get(id))}
                </td>
              ))}
              <td className="number strong" data-title={t.total}>
                {text(period.sum)}
              </td>
              <td className="number" data-title={t.revenue.lastYear}>
                {text(period.before)}
              </td>
              <td className="number" data-title="+/−">
                <YearOverYear amount={period.sum} before={period.before} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t.total}</th>
            {departments.map((id) => (
              <td key={id} className="number" data-title={nameOf(id)}>
                {text(periods.reduce((total, one) => total + (one.amounts.get(id) ?? 0), 0))}
              </td>
            ))}
            <td className="number strong" data-title={t.total}>
              {text(sum)}
            </td>
            <td className="number" data-title={t.revenue.lastYear}>
              {text(sumBefore)}
            </td>
            <td className="number" data-title="+/−">
              <YearOverYear amount={sum} before={sumBefore} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
