// Latency: time from approval to retrieval and export, by day or week, as chart or table.
import type { ExportDestination, ExportLatency, LatencyPeriod } from '../../../src/app/contract/export.ts'
import { SegmentedControl } from '@mantine/core'
import { latencyQuery, getDefaultRange, type LatencyPeriodUnit } from './latency-api.ts'
import { periodParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { DayField } from '../../components/DayField.tsx'
import { ChartTableButton } from '../../components/PeriodChart.tsx'
import { Loaded, EmptyState } from '../../components/QueryStates.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { LatencyChart } from './LatencyChart.tsx'
import { useLatencyText } from './latency-i18n.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { formatPeriod } from '../revenue/period-name.ts'

const periods: readonly LatencyPeriodUnit[] = ['day', 'week']

export function Latency({ destinations }: { destinations: readonly ExportDestination[] }) {
  const { t } = useLatencyText()
  const { today, departments } = useSession()
  const [{ per: chosenPer, fra, til, tabell }, change] = useSearchParams('/app/eksport')
  const per = chosenPer === periodParams.week ? 'week' : 'day'
  const usual = getDefaultRange(per, today)
  const [from, to] = [fra ?? usual.from, til ?? usual.to]
  const destination = useDestination(destinations)
  return (
    <section className="page-section" aria-labelledby="latency">
      <h2 id="latency">{t.latency.title}</h2>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.latency.per.label}
          value={per}
          data={periods.map((value) => ({ value, label: t.latency.per[value] }))}
          onChange={(value) =>
            change({ per: value === 'week' ? periodParams.week : undefined, fra: undefined, til: undefined })
          }
        />
        <DayField inlineLabel={t.table.from} value={from} max={to} onPick={(day) => change({ fra: day })} />
        <DayField inlineLabel={t.table.to} value={to} min={from} onPick={(day) => change({ til: day })} />
        <DestinationSelect destinations={destinations} />
        <span className="spacer" />
        <ChartTableButton isTable={tabell === true} onToggle={() => change({ tabell: !tabell })} />
      </div>
      {departments !== null && <p className="hint">{t.latency.ofCompany}</p>}
      <Loaded options={latencyQuery({ destination, per, from, to })}>
        {(latency) =>
          latency.periods.length === 0 ? (
            <EmptyState title={t.latency.empty}>{t.latency.emptyText}</EmptyState>
          ) : (
            <>
              <Summary latency={latency} isCut={latency.since > from} />
              {tabell ? (
                <LatencyTable periods={latency.periods} per={per} />
              ) : (
                <LatencyChart periods={latency.periods} per={per} from={latency.since} to={to} />
              )}
            </>
          )
        }
      </Loaded>
    </section>
  )
}

/** The chart as a sentence. */
function Summary({ latency, isCut }: { latency: ExportLatency; isCut: boolean }) {
  const { t, format } = useLatencyText()
  const { count, retrieved, exported, waiting, notRetrieved, longestWaiting } = latency.all
  const span = (microseconds: number | null) => format.duration(microseconds ?? 0)
  const counted = (number: number) => format.count(number)
  return (
    <p className="summary">
      {isCut && `${t.latency.since(format.day(latency.since, 'full'))} `}
      {t.latency.summary(counted(count))}{' '}
      {retrieved.count > 0 && `${t.latency.summaryRetrieved(span(retrieved.median), span(retrieved.longest))} `}
      {exported.count > 0 && `${t.latency.summaryExported(span(exported.median), span(exported.longest))} `}
      {waiting > 0 && t.latency.summaryWaiting(counted(waiting), counted(notRetrieved), span(longestWaiting))}
    </p>
  )
}

const steps = ['retrieved', 'exported'] as const

const figures = ['median', 'longest'] as const

function LatencyTable({ periods, per }: { periods: readonly LatencyPeriod[]; per: LatencyPeriodUnit }) {
  const { t, format } = useLatencyText()
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
          show: ({ start }) => formatPeriod(start, per, format, t.revenue.per.week),
        },
        { value: 'count', title: t.table.lines, type: 'count' },
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
