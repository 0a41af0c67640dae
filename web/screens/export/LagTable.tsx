// The chart's twin: the same figures, in rows, the latest first.
import type { LagPer, LagPeriod } from '../../data/export-lag.ts'
import { countText, spanText } from '../../data/format.ts'
import { Sheet } from '../../parts/Sheet.tsx'
import { useLagText } from '../../text/export-lag.ts'
import { revenueText } from '../../text/revenue.ts'
import { useText } from '../../text/text.tsx'
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
    <Sheet
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
