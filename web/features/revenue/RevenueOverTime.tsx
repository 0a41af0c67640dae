// Revenue over time by department, with last year, as chart or table.
import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { periodParams } from '../../app/search-params.ts'
import { firstOfMonth, mondayOf, plusDays, plusMonths } from '../../api/days.ts'
import { amountText, shareText } from '../../api/format.ts'
import { sumsQuery, type Per } from '../../api/revenue.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { DayField } from '../../components/DayField.tsx'
import { Icon } from '../../components/Icon.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { ExportButtons } from './ExportButtons.tsx'
import { presetAt, presetNames, spanOf, usualPreset, type PresetName } from './presets.ts'
import { RevenueChart } from './RevenueChart.tsx'
import { RevenueTable } from './RevenueTable.tsx'
import { seriesOf, type Series } from './chart-series.ts'

const route = getRouteApi('/app/omsetning')

export function Development({ today }: { today: string }) {
  const { say } = useText(revenueText)
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const per = pers.find((one) => periodParams[one] === search.per) ?? 'day'
  const usual = spanOf(usualPreset[per], today)
  const from = search.fra ?? usual.from
  const to = search.til ?? usual.to
  const { data: names } = useQuery(departmentsQuery)
  const current = useQuery(sumsQuery(startOf(from, per), to, per))
  const before = useQuery(sumsQuery(...spanBefore(startOf(from, per), to, per), per))
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })

  const series =
    current.data === undefined || before.data === undefined
      ? null
      : seriesOf({
          sums: current.data,
          before: before.data,
          per,
          from: startOf(from, per),
          to,
          department: search.avd,
        })
  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.revenue.per.label}
          value={per}
          onChange={(value) => {
            const chosen = pers.find((one) => one === value)
            change({ per: chosen && periodParams[chosen], fra: undefined, til: undefined })
          }}
          data={pers.map((value) => ({ value, label: say.revenue.per[value] }))}
        />
        <Presets
          at={presetAt({ per, from, to }, today)}
          onPick={(name) => {
            const span = spanOf(name, today)
            change({ per: periodParams[span.per], fra: span.from, til: span.to })
          }}
        />
        <DayField
          label={say.revenue.from}
          value={from}
          max={to}
          onPick={(fra) => change({ fra })}
        />
        <DayField label={say.revenue.to} value={to} min={from} onPick={(til) => change({ til })} />
        <NativeSelect
          aria-label={say.revenue.department}
          value={search.avd ?? ''}
          onChange={({ currentTarget }) => change({ avd: currentTarget.value || undefined })}
          data={[
            { value: '', label: say.revenue.allDepartments },
            ...[...(names ?? [])].map(([value, name]) => ({ value, label: `${value} ${name}` })),
          ]}
        />
      </div>
      <div className="toolbar">
        {series !== null && <Summary series={series} per={per} />}
        <span className="spacer" />
        <Button
          variant="default"
          leftSection={<Icon name={search.tabell ? 'chart' : 'table'} size={16} />}
          onClick={() => change({ tabell: search.tabell ? undefined : true })}
        >
          {search.tabell ? say.revenue.asChart : say.revenue.asTable}
        </Button>
        <ExportButtons from={from} to={to} department={search.avd} per={per} series={series} />
      </div>
      <Fetched query={current}>
        {() => (
          <Fetched query={before}>
            {() =>
              series !== null &&
              (search.tabell ? (
                <RevenueTable series={series} per={per} />
              ) : (
                <RevenueChart series={series} per={per} />
              ))
            }
          </Fetched>
        )}
      </Fetched>
    </>
  )
}

interface PresetsProps {
  /** Null for a custom range. */
  readonly at: PresetName | null
  readonly onPick: (name: PresetName) => void
}

function Presets({ at, onPick }: PresetsProps) {
  const { say } = useText(revenueText)
  return (
    <NativeSelect
      aria-label={say.revenue.period}
      value={at ?? ''}
      onChange={({ currentTarget }) => {
        const name = presetNames.find((one) => one === currentTarget.value)
        if (name !== undefined) onPick(name)
      }}
      data={[
        ...presetNames.map((value) => ({ value, label: say.revenue.presets[value] })),
        ...(at === null ? [{ value: '', label: say.revenue.otherPeriod }] : []),
      ]}
    />
  )
}

/** The chart as a sentence, also for screen readers. */
function Summary({ series, per }: { series: Series; per: Per }) {
  const { say, language } = useText(revenueText)
  const { sum, sumBefore } = series
  const share =
    sumBefore === null || sumBefore === 0
      ? say.none
      : shareText((sum - sumBefore) / sumBefore, language)
  return (
    <p className="summary">
      {say.revenue.summary(
        amountText(sum, language),
        sumBefore === null ? say.none : amountText(sumBefore, language),
        share,
        per === 'month',
      )}
    </p>
  )
}

const pers: readonly Per[] = ['day', 'week', 'month']

function startOf(day: string, per: Per): string {
  return per === 'day' ? day : per === 'week' ? mondayOf(day) : firstOfMonth(day)
}

function spanBefore(from: string, to: string, per: Per): [string, string] {
  return per === 'month'
    ? [
        plusMonths(from, -12),
        `${Number(to.slice(0, 4)) - 1}${to.slice(4).replace('02-29', '02-28')}`,
      ]
    : [plusDays(from, -364), plusDays(to, -364)]
}
