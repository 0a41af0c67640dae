// Latency table: the figures of the chart, newest first.
import type { LatencyPeriod } from '../../../src/app/contract/export.ts'
import type { LatencyPeriodUnit } from './latency-api.ts'
import { Table } from '../../components/Table.tsx'
import { latencyText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatPeriod } from '../revenue/period-name.ts'

export function LatencyTable({ periods, per }: { periods: readonly LatencyPeriod[]; per: LatencyPeriodUnit }) {
  const { t, format } = useTranslation(latencyText, revenueText)
  const span = (microseconds: number | null) => (microseconds === null ? t.none : format.duration(microseconds))
  return (
    <Table
      labelledBy="latency"
      rows={periods.toReversed()}
      keyOf={({ start }) => start}
      columns={[
        { title: t.latency.day, show: ({ start }) => formatPeriod(start, per, format, t.revenue.week) },
        { title: t.latency.lines, isNumber: true, show: ({ count }) => format.count(count) },
        {
          title: `${t.latency.retrieved}, ${t.latency.median}`,
          isNumber: true,
          show: ({ retrieved }) => span(retrieved.median),
        },
        {
          title: `${t.latency.retrieved}, ${t.latency.longest}`,
          isNumber: true,
          show: ({ retrieved }) => span(retrieved.longest),
        },
        {
          title: `${t.latency.exported}, ${t.latency.median}`,
          isNumber: true,
          show: ({ exported }) => span(exported.median),
        },
        {
          title: `${t.latency.exported}, ${t.latency.longest}`,
          isNumber: true,
          show: ({ exported }) => span(exported.longest),
        },
        {
          title: t.latency.waiting,
          isNumber: true,
          show: ({ waiting, longestWaiting }) =>
            waiting === 0 ? t.none : t.latency.waitingSince(format.count(waiting), format.duration(longestWaiting)),
        },
      ]}
    />
  )
}
