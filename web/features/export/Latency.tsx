// Latency: time from approval to retrieval and export, by day or week, as chart or table.
import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lagQuery, usualLagSpan, type ExportLag, type LagPer } from './latency-api.ts'
import { periodParams } from '../../app/search-params.ts'
import type { Destination } from '../../api/export.ts'
import { countText, dayText, spanText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { DayField } from '../../components/DayField.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Fetched, State } from '../../components/QueryStates.tsx'
import { useLagText } from './latency-i18n.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { LagChart } from './LatencyChart.tsx'
import { LagTable } from './LatencyTable.tsx'

const pers: readonly LagPer[] = ['day', 'week']

export function Lag({ destinations }: { destinations: readonly Destination[] }) {
  const { say: common } = useText(revenueText)
  const say = useLagText()
  const { today } = useSession()
  const { per: chosenPer, fra, til, tabell } = useSearch({ from: '/app/eksport' })
  const per = chosenPer === periodParams.week ? 'week' : 'day'
  const navigate = useNavigate({ from: '/app/eksport' })
  const usual = usualLagSpan(per, today)
  const [from, to] = [fra ?? usual.from, til ?? usual.to]
  const destination = useDestination(destinations)
  const query = useQuery(lagQuery({ destination, per, from, to }))
  const change = (changes: object) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
  return (
    <section className="page-section" aria-labelledby="lag">
      <h2 id="lag">{say.title}</h2>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.per.label}
          value={per}
          data={pers.map((value) => ({ value, label: say.per[value] }))}
          onChange={(value) =>
            change({
              per: value === 'week' ? periodParams.week : undefined,
              fra: undefined,
              til: undefined,
            })
          }
        />
        <DayField label={say.from} value={from} max={to} onPick={(day) => change({ fra: day })} />
        <DayField label={say.to} value={to} min={from} onPick={(day) => change({ til: day })} />
        <DestinationSelect destinations={destinations} />
        <span className="spacer" />
        <Button
          variant="default"
          leftSection={<Icon name={tabell ? 'chart' : 'table'} size={16} />}
          onClick={() => change({ tabell: tabell ? undefined : true })}
        >
          {tabell ? common.revenue.asChart : common.revenue.asTable}
        </Button>
      </div>
      <Fetched query={query}>
        {(lag) =>
          lag.periods.length === 0 ? (
            <State title={say.empty}>{say.emptyText}</State>
          ) : (
            <>
              <Summary lag={lag} isCut={lag.since > from} />
              {tabell ? (
                <LagTable periods={lag.periods} per={per} />
              ) : (
                <LagChart periods={lag.periods} per={per} from={lag.since} to={to} />
              )}
            </>
          )
        }
      </Fetched>
    </section>
  )
}

/** The chart as a sentence. */
function Summary({ lag, isCut }: { lag: ExportLag; isCut: boolean }) {
  const say = useLagText()
  const { language } = useText()
  const { count, fetched, exported, waiting, unfetched, longestWaiting } = lag.all
  const span = (microseconds: number | null) => spanText(microseconds ?? 0, language)
  const counted = (number: number) => countText(number, language)
  return (
    <p className="summary">
      {isCut && `${say.since(dayText(lag.since, language, 'full'))} `}
      {say.summary(counted(count))}{' '}
      {fetched.count > 0 && `${say.summaryFetched(span(fetched.median), span(fetched.longest))} `}
      {exported.count > 0 &&
        `${say.summaryExported(span(exported.median), span(exported.longest))} `}
      {waiting > 0 &&
        say.summaryWaiting(counted(waiting), counted(unfetched), span(longestWaiting))}
    </p>
  )
}
