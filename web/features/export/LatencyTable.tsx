// Latency table: the figures of the chart, newest first.
import type { LatencyPeriod } from '../../../src/app/contract/export.ts'
import type { LatencyPeriodUnit } from './latency-api.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { latencyText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatPeriod } from '../revenue/period-name.ts'

export function LatencyTable({ periods, per }: { periods: readonly LatencyPeriod[]; per: LatencyPeriodUnit }) {
  const { t, format } = useTranslation(latencyText, revenueText)
  const { retrieved, exported, median, longest } = t.latency
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
        {
          key: 'retrievedMedian',
          title: `${retrieved}, ${median}`,
          type: 'duration',
          value: (one) => one.retrieved.median,
        },
        {
          key: 'retrievedLongest',
          title: `${retrieved}, ${longest}`,
          type: 'duration',
          value: (one) => one.retrieved.longest,
        },
        {
          key: 'exportedMedian',
          title: `${exported}, ${median}`,
          type: 'duration',
          value: (one) => one.exported.median,
        },
        {
          key: 'exportedLongest',
          title: `${exported}, ${longest}`,
          type: 'duration',
          value: (one) => one.exported.longest,
        },
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
