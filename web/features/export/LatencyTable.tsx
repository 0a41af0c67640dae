// Latency table: the figures of the chart, newest first.
import type { LatencyPeriod } from '../../../src/app/contract/export.ts'
import type { LatencyPeriodUnit } from './latency-api.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { latencyText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatPeriod } from '../revenue/period-name.ts'

const steps = ['retrieved', 'exported'] as const

const figures = ['median', 'longest'] as const

export function LatencyTable({ periods, per }: { periods: readonly LatencyPeriod[]; per: LatencyPeriodUnit }) {
  const { t, format } = useTranslation(latencyText, revenueText)
  return (
    <DataTable
      name="ventetid"
      labelledBy="latency"
      rows={periods.toReversed()}
      keyOf={({ start }) => start}
      columns={[
        {
          title: t.latency.day,
          isRowHeader: true,
          value: 'start',
          show: ({ start }) => formatPeriod(start, per, format, t.revenue.week),
        },
        { value: 'count', title: t.latency.lines, type: 'count' },
        ...steps.flatMap((step) =>
          figures.map((figure) => ({
            key: `${step}-${figure}`,
            title: `${t.latency[step]}, ${t.latency[figure]}`,
            type: 'duration' as const,
            value: (one: LatencyPeriod) => one[step][figure],
          })),
        ),
        {
          title: t.latency.waiting,
          type: 'count',
          value: 'waiting',
          show: ({ waiting, longestWaiting }) =>
            waiting === 0 ? t.none : t.latency.waitingSince(format.count(waiting), format.duration(longestWaiting)),
        },
      ]}
    />
  )
}
