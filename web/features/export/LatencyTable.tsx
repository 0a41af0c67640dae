// Latency table: the figures of the chart, newest first.
import type { LatencyPeriodUnit, LatencyPeriod } from './latency-api.ts'
import { Table } from '../../components/Table.tsx'
import { useLatencyText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { formatPeriod } from '../revenue/period-name.ts'

interface LatencyTableProps {
  readonly periods: readonly LatencyPeriod[]
  readonly per: LatencyPeriodUnit
}

export function LatencyTable({ periods, per }: LatencyTableProps) {
  const t = useLatencyText()
  const { t: common, language, format } = useTranslation(revenueText)
  const span = (microseconds: number | null) =>
    microseconds === null ? t.none : format.duration(microseconds)
  return (
    <Table
      labelledBy="lag"
      rows={periods.toReversed()}
      keyOf={({ start }) => start}
      columns={[
        {
          title: t.day,
          show: ({ start }) => formatPeriod(start, per, language, common.revenue.week),
        },
        { title: t.lines, isNumber: true, show: ({ count }) => format.count(count) },
        {
          title: `${t.fetched}, ${t.median}`,
          isNumber: true,
          show: ({ fetched }) => span(fetched.median),
        },
        {
          title: `${t.fetched}, ${t.longest}`,
          isNumber: true,
          show: ({ fetched }) => span(fetched.longest),
        },
        {
          title: `${t.exported}, ${t.median}`,
          isNumber: true,
          show: ({ exported }) => span(exported.median),
        },
        {
          title: `${t.exported}, ${t.longest}`,
          isNumber: true,
          show: ({ exported }) => span(exported.longest),
        },
        {
          title: t.waiting,
          isNumber: true,
          show: ({ waiting, longestWaiting }) =>
            waiting === 0
              ? t.none
              : t.waitingSince(format.count(waiting), format.duration(longestWaiting)),
        },
      ]}
    />
  )
}
