// Latency table: the figures of the chart, newest first.
import type { LagPer, LagPeriod } from './latency-api.ts'
import { countText, spanText } from '../../api/format.ts'
import { SimpleTable } from '../../components/SimpleTable.tsx'
import { useLagText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { periodName } from '../revenue/period-name.ts'

interface LagTableProps {
  readonly periods: readonly LagPeriod[]
  readonly per: LagPer
}

export function LagTable({ periods, per }: LagTableProps) {
  const say = useLagText()
  const { say: common, language } = useText(revenueText)
  const span = (microseconds: number | null) =>
    microseconds === null ? say.none : spanText(microseconds, language)
  return (
    <SimpleTable
      labelledBy="lag"
      rows={periods.toReversed()}
      keyOf={({ start }) => start}
      columns={[
        {
          title: say.day,
          show: ({ start }) => periodName(start, per, language, common.revenue.week),
        },
        { title: say.lines, isNumber: true, show: ({ count }) => countText(count, language) },
        {
          title: `${say.fetched}, ${say.median}`,
          isNumber: true,
          show: ({ fetched }) => span(fetched.median),
        },
        {
          title: `${say.fetched}, ${say.longest}`,
          isNumber: true,
          show: ({ fetched }) => span(fetched.longest),
        },
        {
          title: `${say.exported}, ${say.median}`,
          isNumber: true,
          show: ({ exported }) => span(exported.median),
        },
        {
          title: `${say.exported}, ${say.longest}`,
          isNumber: true,
          show: ({ exported }) => span(exported.longest),
        },
        {
          title: say.waiting,
          isNumber: true,
          show: ({ waiting, longestWaiting }) =>
            waiting === 0
              ? say.none
              : say.waitingSince(countText(waiting, language), spanText(longestWaiting, language)),
        },
      ]}
    />
  )
}
