// RevenueGrid: departments by days, editable in place.
import { Button, SegmentedControl, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import {
  daysFrom,
  firstOfMonth,
  lastOfMonth,
  mondayOf,
  plusDays,
  plusMonths,
  weekOf,
} from '../../api/days.ts'
import { dayText } from '../../api/format.ts'
import { sumsQuery, type Overview } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Icon } from '../../components/Icon.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { ExportButtons } from './ExportButtons.tsx'
import { GridTable } from './GridTable.tsx'
import { sheetOf } from './grid-model.ts'

const route = getRouteApi('/app/omsetning')

export function Grid({ overview }: { overview: Overview }) {
  const { say, language } = useText(revenueText)
  const { scopes } = useSession()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const day = search.dag ?? plusDays(overview.today, -1)
  const isMonth = search.spenn === 'maned'
  const from = isMonth ? firstOfMonth(day) : mondayOf(day)
  const to = isMonth ? lastOfMonth(day) : plusDays(from, 6)
  const names = useQuery(departmentsQuery)
  const current = useQuery(sumsQuery(from, to, 'day'))
  const before = useQuery({
    ...sumsQuery(plusDays(from, -364), plusDays(to, -364), 'day'),
    enabled: search.sammenlign === true,
  })
  const change = (changes: Partial<typeof search>) =>
    void navigate({ search: (last) => ({ ...last, ...changes }), replace: true })
  const step = (direction: -1 | 1) =>
    change({ dag: isMonth ? plusMonths(from, direction) : plusDays(from, 7 * direction) })
  const mayWrite = scopes.includes('revenue:write')

  return (
    <>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.revenue.span.label}
          value={isMonth ? 'month' : 'week'}
          onChange={(value) => change({ spenn: value === 'month' ? 'maned' : undefined })}
          data={[
            { value: 'week', label: say.revenue.span.week },
            { value: 'month', label: say.revenue.span.month },
          ]}
        />
        <Button.Group>
          <Button
            variant="default"
            aria-label={say.revenue.earlier}
            onClick={() => step(-1)}
            px={8}
          >
            <Icon name="left" />
          </Button>
          <Button variant="default" aria-label={say.revenue.later} onClick={() => step(1)} px={8}>
            <Icon name="right" />
          </Button>
        </Button.Group>
        <strong className="span-name" aria-live="polite">
          {isMonth
            ? dayText(from, language, 'monthYear')
            : `${say.revenue.week} ${weekOf(from)}, ${dayText(from, language, 'dayMonth')} – ${dayText(to, language, 'full')}`}
        </strong>
        <Switch
          label={say.revenue.compare}
          checked={search.sammenlign === true}
          onChange={({ currentTarget }) =>
            change({ sammenlign: currentTarget.checked ? true : undefined })
          }
        />
        <span className="spacer" />
        <ExportButtons from={from} to={to} department={undefined} per="day" series={null} />
      </div>
      <p className="muted hint">{mayWrite ? say.revenue.gridHint : say.revenue.gridReadOnly}</p>
      <Fetched query={current}>
        {(sums) => (
          <GridTable
            sheet={sheetOf({
              days: daysFrom(from, to),
              sums,
              before: search.sammenlign === true ? (before.data ?? []) : null,
              names: names.data ?? new Map(),
              missing: overview.missing,
            })}
            today={overview.today}
            onOpen={(date, departmentId) => change({ celle: `${date}.${departmentId}` })}
          />
        )}
      </Fetched>
    </>
  )
}
