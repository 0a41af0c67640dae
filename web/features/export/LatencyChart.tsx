// Latency chart: median until retrieval and until export, and the longest wait.
import type { LatencyPeriod } from '../../../src/app/contract/export.ts'
import { Line } from 'recharts'
import { getLongestWait, listPeriodStarts, type LatencyPeriodUnit } from './latency-api.ts'
import { formatPeriod, formatPeriodTick } from '../revenue/period-name.ts'
import { useLatencyText } from './latency-i18n.ts'
import { ChartTooltip, PeriodChart } from '../../components/PeriodChart.tsx'

interface LatencyChartProps {
  readonly periods: readonly LatencyPeriod[]
  readonly per: LatencyPeriodUnit
  readonly from: string
  readonly to: string
}

interface Point {
  readonly start: string
  readonly count: number
  readonly retrieved: number | null
  readonly exported: number | null
  readonly slowest: number | null
}

export function LatencyChart({ periods, per, from, to }: LatencyChartProps) {
  const { t, format } = useLatencyText()
  const byStart = new Map(periods.map((period) => [period.start, period]))
  const points = listPeriodStarts({ per, from, to }).map((start) => toPoint(start, byStart.get(start)))
  const top = Math.max(minute * 10, ...points.map((point) => point.slowest ?? 0))
  const ticks = steps.filter((_, at) => (steps[at - 1] ?? 0) < top)
  return (
    <PeriodChart
      label={t.latency.title}
      periods={points}
      formatStart={(start) => formatPeriodTick(start, per, format, t.revenue.per.week)}
      axis={{
        // Waits range from minutes to days.
        scale: 'log',
        domain: [minute, ticks.at(-1) ?? minute],
        ticks,
        tickFormatter: (span: number) => format.duration(span),
        width: 64,
      }}
      tooltip={(point) => <PointTooltip point={point} per={per} />}
      legend={
        <>
          <span>
            <Swatch stroke="var(--chart-3)" dash="4 3" />
            {t.latency.retrieved}, {t.latency.median}
          </span>
          <span>
            <Swatch stroke="var(--chart-1)" />
            {t.latency.exported}, {t.latency.median}
          </span>
          <span>
            <svg width="10" height="10" aria-hidden="true">
              <circle cx="5" cy="5" r="3.5" fill="none" stroke="var(--below)" strokeWidth="2" />
            </svg>
            {t.latency.slowest}
          </span>
          <span className="muted">{t.latency.scale}</span>
        </>
      }
    >
      <Line dataKey="exported" {...look.exported} />
      <Line dataKey="retrieved" {...look.retrieved} />
      <Line dataKey="slowest" {...look.slowest} />
    </PeriodChart>
  )
}

const minute = 60_000_000
const hour = 60 * minute
const day = 24 * hour

const steps: readonly number[] = [minute, 10 * minute, hour, 6 * hour, day, 7 * day, 30 * day, 365 * day]

const common = { isAnimationActive: false, connectNulls: false, strokeWidth: 2 } as const

/** Distinguished by dashes and dots too, not by colour alone. */
const look = {
  retrieved: { ...common, stroke: 'var(--chart-3)', strokeDasharray: '4 3', dot: { r: 2 } },
  exported: { ...common, stroke: 'var(--chart-1)', dot: { r: 2 } },
  slowest: { ...common, stroke: 'none', dot: { r: 3.5, fill: 'none', stroke: 'var(--below)', strokeWidth: 2 } },
} as const

function Swatch({ stroke, dash }: { stroke: string; dash?: string }) {
  return (
    <svg width="18" height="10" aria-hidden="true">
      <path d="M0 5h18" stroke={stroke} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  )
}

/** Waits below one minute are drawn on the lowest line. */
function toPoint(start: string, period: LatencyPeriod | undefined): Point {
  const seen = (span: number | null) => (span === null ? null : Math.max(span, minute))
  return {
    start,
    count: period?.count ?? 0,
    retrieved: seen(period?.retrieved.median ?? null),
    exported: seen(period?.exported.median ?? null),
    slowest: seen(period === undefined ? null : getLongestWait(period)),
  }
}

function PointTooltip({ point, per }: { point: Point; per: LatencyPeriodUnit }) {
  const { t, format } = useLatencyText()
  const span = (value: number | null) => (value === null ? t.none : format.duration(value))
  return (
    <ChartTooltip
      title={formatPeriod(point.start, per, format, t.revenue.per.week)}
      rows={[
        [t.table.lines, format.count(point.count)],
        [`${t.latency.retrieved}, ${t.latency.median}`, span(point.retrieved)],
        [`${t.latency.exported}, ${t.latency.median}`, span(point.exported)],
        [t.latency.slowest, span(point.slowest)],
      ]}
    />
  )
}
