// Stacked revenue chart; hidden from screen readers, which have the table.
import { useQuery } from '@tanstack/react-query'
import {
  Bar,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { amountText } from '../../api/format.ts'
import type { Per } from '../../api/revenue.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { periodName, periodTick } from './period-name.ts'
import type { Period, Series } from './chart-series.ts'
import '../../styles/chart.css'

/** Departments beyond these share the last colour. */
const coloursMax = 8
function colourOf(index: number) {
  return `var(--chart-${Math.min(index, coloursMax - 1) + 1})`
}

export function RevenueChart({ series, per }: { series: Series; per: Per }) {
  const { say, language } = useText(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  const { departments, periods } = series
  const nameOf = (id: string) =>
    id === '' ? say.revenue.withoutDepartment : (names?.get(id) ?? id)
  return (
    <figure className="chart" aria-label={say.revenue.chart}>
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={320}>
          <ComposedChart
            data={[...periods]}
            margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
            // Keyboards and screen readers use the table.
            accessibilityLayer={false}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="start"
              tickFormatter={(start: string) => periodTick(start, per, language, say.revenue.week)}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              minTickGap={24}
            />
            <YAxis
              tickFormatter={(amount: number) => amountText(amount, language)}
              width={84}
              tickLine={false}
              axisLine={false}
            />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--hover)' }}
              content={({ payload }) => (
                <PeriodTip
                  period={periodIn(payload)}
                  per={per}
                  departments={departments}
                  nameOf={nameOf}
                />
              )}
            />
            {departments.map((id, index) => (
              <Bar
                key={id}
                dataKey={(period: Period) => period.amounts.get(id) ?? 0}
                name={nameOf(id)}
                stackId="departments"
                fill={colourOf(index)}
                isAnimationActive={false}
                maxBarSize={48}
              />
            ))}
            <Line
              dataKey="before"
              name={say.revenue.lastYear}
              stroke="var(--text-strong)"
              strokeWidth={1.5}
              strokeDasharray="4 3"
              dot={false}
              isAnimationActive={false}
              connectNulls={false}
            />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="legend">
        {departments.map((id, index) => (
          <span key={id}>
            <Swatch colour={colourOf(index)} />
            {nameOf(id)}
          </span>
        ))}
        <span>
          <svg width="18" height="10" aria-hidden="true">
            <path d="M0 5h18" stroke="currentColor" strokeWidth="1.5" strokeDasharray="4 3" />
          </svg>
          {say.revenue.lastYear}
        </span>
      </figcaption>
    </figure>
  )
}

function Swatch({ colour }: { colour: string }) {
  return (
    <svg width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" rx="2" fill={colour} />
    </svg>
  )
}

interface TipProps {
  readonly period: Period | undefined
  readonly per: Per
  readonly departments: readonly string[]
  readonly nameOf: (id: string) => string
}

function PeriodTip({ period, per, departments, nameOf }: TipProps) {
  const { say, language } = useText(revenueText)
  if (period === undefined) return null
  const amount = (value: number | null) => (value === null ? say.none : amountText(value, language))
  return (
    <div className="chart-tooltip">
      <strong>{periodName(period.start, per, language, say.revenue.week)}</strong>
      <table>
        <tbody>
          {departments.map((id, index) => (
            <tr key={id}>
              <th>
                <Swatch colour={colourOf(index)} /> {nameOf(id)}
              </th>
              <td>{amount(period.amounts.get(id) ?? null)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th>{say.total}</th>
            <td>{amount(period.sum)}</td>
          </tr>
          <tr>
            <th>{say.revenue.lastYear}</th>
            <td>{amount(period.before)}</td>
          </tr>
        </tfoot>
      </table>
    </div>
  )
}

function periodIn(payload: readonly { payload?: Period }[] | undefined): Period | undefined {
  return payload?.[0]?.payload
}
