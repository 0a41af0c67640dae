// Revenue chart: departments stacked, beside last year; a click opens a period, the legend filters.
import { Link } from '@tanstack/react-router'
import { Bar } from 'recharts'
import type { Formatter } from '../../api/format.ts'
import type { PeriodUnit } from '../../api/revenue.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useRevenueText } from '../../i18n/revenue.ts'
import { formatPeriod, formatPeriodTick } from './period-name.ts'
import { getPeriodSearch } from './presets.ts'
import type { SeriesPeriod, Series } from './chart-series.ts'
import { ChartTooltip, PeriodChart } from '../../components/PeriodChart.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'

export interface RevenueSeriesProps {
  readonly series: Series
  readonly per: PeriodUnit
  /** The last day. */
  readonly to: string
}

export function RevenueChart({ series, per, to }: RevenueSeriesProps) {
  const { t, format } = useRevenueText()
  const [{ avd }, change] = useSearchParams('/app/omsetning')
  const { departments, periods } = series
  const colourOf = (id: string) => `var(${series.colours.get(id)})`
  const nameOf = useDepartmentName()
  const nameWithColour = (id: string) => (
    <>
      <Swatch colour={colourOf(id)} /> {nameOf(id)}
    </>
  )
  return (
    <PeriodChart
      label={t.revenue.chart}
      periods={periods}
      formatStart={(start) => formatPeriodTick(start, per, format, t.revenue.per.week)}
      axis={{ tickFormatter: (amount: number) => format.amount(amount), width: getAxisWidth(periods, format) }}
      tooltip={(period) => (
        <ChartTooltip
          title={formatPeriod(period.start, per, format, t.revenue.per.week)}
          rows={departments.map((id) => [nameWithColour(id), format.amount(period.amounts.get(id) ?? null)])}
          totals={[
            [t.total, format.amount(period.sum)],
            [t.revenue.lastYear, format.amount(period.before)],
          ]}
        />
      )}
      onPick={(start) => change(getPeriodSearch(start, per, to), { replace: false })}
      legend={
        <>
          {departments.map((id) => (
            <Link
              key={id}
              from="/app/omsetning"
              to="/app/omsetning"
              search={(last) => ({ ...last, avd: avd === undefined ? id : undefined })}
              aria-current={avd === undefined ? undefined : 'true'}
            >
              <Swatch colour={colourOf(id)} />
              {nameOf(id)}
            </Link>
          ))}
          <span>
            <Swatch colour="var(--last-year)" />
            {t.revenue.lastYear}
          </span>
        </>
      }
    >
      <Bar dataKey="before" name={t.revenue.lastYear} fill="var(--last-year)" {...barLook} />
      {departments.map((id) => (
        <Bar
          key={id}
          dataKey={(period: SeriesPeriod) => period.amounts.get(id) ?? 0}
          name={nameOf(id)}
          stackId="departments"
          fill={colourOf(id)}
          {...barLook}
        />
      ))}
    </PeriodChart>
  )
}

const barLook = { isAnimationActive: false, maxBarSize: 48 } as const

/** Pixels that the longest label needs: the axis ends below twice the largest bar. */
export function getAxisWidth(periods: readonly SeriesPeriod[], format: Formatter): number {
  const sizes = periods.flatMap(({ amounts, before }) => [
    [...amounts.values()].reduce((sum, amount) => sum + Math.abs(amount), 0),
    Math.abs(before ?? 0),
  ])
  return 12 + 8 * format.amount(-2 * Math.max(0, ...sizes)).length
}

export function Swatch({ colour }: { colour: string }) {
  return (
    <svg width="10" height="10" aria-hidden="true">
      <rect width="10" height="10" rx="2" fill={colour} />
    </svg>
  )
}
