// PeriodChart: a chart over time with a legend; hidden from screen readers, which have the table.
import { Button } from './Button.tsx'
import { CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis, type YAxisProps } from 'recharts'
import type { ReactNode } from 'react'
import { useRevenueText } from '../i18n/revenue.ts'
import '../styles/chart.css'

interface PeriodChartProps<Period> {
  readonly label: string
  /** Pixels. */
  readonly height?: number
  /** Each with the date of its first day in `start`. */
  readonly periods: readonly Period[]
  readonly formatStart: (start: string) => string
  readonly axis: YAxisProps
  /** Of the period under the pointer. */
  readonly tooltip: (period: Period) => ReactNode
  readonly legend: ReactNode
  /** A click on a period; keyboards use the links of the table. */
  readonly onPick?: (start: string) => void
  /** Lines and bars. */
  readonly children: ReactNode
}

export function PeriodChart<Period extends { readonly start: string }>(props: PeriodChartProps<Period>) {
  const { label, height = 320, periods, formatStart, axis, tooltip, legend, onPick, children } = props
  return (
    <figure className={onPick === undefined ? 'chart' : 'chart pickable'} aria-label={label}>
      <div aria-hidden="true">
        <ResponsiveContainer width="100%" height={height}>
          <ComposedChart
            data={[...periods]}
            margin={{ top: 8, right: 8, bottom: 0, left: 8 }}
            // Keyboards and screen readers use the table.
            accessibilityLayer={false}
            // A click that follows a move at once, such as a tap, would come before its period is known.
            throttledEvents={[]}
            onClick={({ activeLabel }) => {
              if (typeof activeLabel === 'string') onPick?.(activeLabel)
            }}
          >
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <XAxis
              dataKey="start"
              tickFormatter={formatStart}
              tickLine={false}
              axisLine={{ stroke: 'var(--line-strong)' }}
              minTickGap={24}
            />
            <YAxis niceTicks="snap125" tickLine={false} axisLine={false} {...axis} />
            <Tooltip
              isAnimationActive={false}
              cursor={{ fill: 'var(--hover)' }}
              content={({ payload }) => {
                const period = (payload as readonly { payload?: Period }[] | undefined)?.[0]
                return period?.payload === undefined ? null : tooltip(period.payload)
              }}
            />
            {children}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="legend">{legend}</figcaption>
    </figure>
  )
}

type TooltipRow = readonly [name: ReactNode, figure: string]

interface ChartTooltipProps {
  readonly title: string
  readonly rows: readonly TooltipRow[]
  readonly totals?: readonly TooltipRow[]
}

export function ChartTooltip({ title, rows, totals = [] }: ChartTooltipProps) {
  const toRow = ([name, figure]: TooltipRow, index: number) => (
    <tr key={index}>
      <th>{name}</th>
      <td>{figure}</td>
    </tr>
  )
  return (
    <div className="chart-tooltip">
      <strong>{title}</strong>
      <table>
        <tbody>{rows.map(toRow)}</tbody>
        <tfoot>{totals.map(toRow)}</tfoot>
      </table>
    </div>
  )
}

/** Shows the figures of a chart as a table, and the other way round. */
export function ChartTableButton({ isTable, onToggle }: { isTable: boolean; onToggle: () => void }) {
  const { t } = useRevenueText()
  return (
    <Button
      label={isTable ? t.revenue.asChart : t.revenue.asTable}
      icon={isTable ? 'chart' : 'table'}
      onClick={onToggle}
    />
  )
}
