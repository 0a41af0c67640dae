// Revenue table: the figures of the chart.
import { useQuery } from '@tanstack/react-query'
import { amountText } from '../../api/format.ts'
import type { Per } from '../../api/revenue.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Deviation } from '../../components/YearOverYear.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { periodName } from './period-name.ts'
import type { Series } from './chart-series.ts'

export function RevenueTable({ series, per }: { series: Series; per: Per }) {
  const { say, language } = useText(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  const { departments, periods, sum, sumBefore } = series
  const text = (amount: number | null | undefined) =>
    amount === null || amount === undefined ? say.none : amountText(amount, language)
  return (
    <div className="table-scroll dense" tabIndex={0} role="region" aria-label={say.revenue.chart}>
      <table>
        <thead>
          <tr>
            <th scope="col">{say.revenue.per[per]}</th>
            {departments.map((id) => (
              <th scope="col" key={id} className="number">
                {id === '' ? say.revenue.withoutDepartment : (names?.get(id) ?? id)}
              </th>
            ))}
            <th scope="col" className="number">
              {say.total}
            </th>
            <th scope="col" className="number">
              {say.revenue.lastYear}
            </th>
            <th scope="col" className="number">
              +/−
            </th>
          </tr>
        </thead>
        <tbody>
          {periods.toReversed().map((period) => (
            <tr key={period.start}>
              <th scope="row">{periodName(period.start, per, language, say.revenue.week)}</th>
              {departments.map((id) => (
                <td key={id} className="number">
                  {text(period.amounts.get(id))}
                </td>
              ))}
              <td className="number strong">{text(period.sum)}</td>
              <td className="number">{text(period.before)}</td>
              <td className="number">
                <Deviation amount={period.sum} before={period.before} />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{say.total}</th>
            {departments.map((id) => (
              <td key={id} className="number">
                {text(periods.reduce((total, one) => total + (one.amounts.get(id) ?? 0), 0))}
              </td>
            ))}
            <td className="number strong">{text(sum)}</td>
            <td className="number">{text(sumBefore)}</td>
            <td className="number">
              <Deviation amount={sum} before={sumBefore} />
            </td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
