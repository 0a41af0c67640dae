// Revenue: key figures, chart, grid, calendar and feed.
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { overviewQuery, type Overview } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Icon } from '../../components/Icon.tsx'
import { Page } from '../../components/Page.tsx'
import { Fetched, Loading, NoAccess, State } from '../../components/QueryStates.tsx'
import { registerText } from '../../i18n/directory.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { Calendar } from './Calendar.tsx'
import { CellDrawer } from './CellDrawer.tsx'
import { Figures } from './KeyFigures.tsx'
import { Grid } from './RevenueGrid.tsx'

const Development = lazy(async () => ({
  default: (await import('./RevenueOverTime.tsx')).Development,
}))

const Feed = lazy(async () => ({ default: (await import('./RevenueFeed.tsx')).Feed }))

const otherViews = ['dager', 'kalender', 'mottatt'] as const

const route = getRouteApi('/app/omsetning')

export function Revenue() {
  const { say } = useText(registerText)
  const { currency, scopes } = useSession()
  return (
    <Page
      title={say.revenue.title}
      aside={
        <>
          <span className="muted">{say.revenue.currency(currency)}</span>
          {scopes.includes('revenue:write') && (
            <Link to="/app/import" search={{ hva: 'Omsetning' }}>
              {say.directory.importFile}
            </Link>
          )}
        </>
      }
    >
      {scopes.includes('revenue:read') ? <Views /> : <NoAccess />}
    </Page>
  )
}

function Views() {
  const { say } = useText(revenueText)
  const { vis, celle } = route.useSearch()
  const navigate = route.useNavigate()
  const overview = useQuery(overviewQuery)
  return (
    <Fetched query={overview}>
      {(data) => (
        <>
          <Figures figures={data.figures} />
          <Missing missing={data.missing} />
          {data.days.length === 0 && (
            <State title={say.revenue.emptyTitle}>{say.revenue.emptyText}</State>
          )}
          <Tabs
            value={vis ?? 'chart'}
            keepMounted={false}
            onChange={(value) => {
              const chosen = otherViews.find((one) => one === value)
              // The chart filters by date of revenue, the feed by date received.
              const isOther = (chosen === 'mottatt') !== (vis === 'mottatt')
              const days = isOther ? { fra: undefined, til: undefined, avd: undefined } : {}
              void navigate({ search: (search) => ({ ...search, ...days, vis: chosen }) })
            }}
          >
            <Tabs.List>
              <Tabs.Tab value="chart">{say.revenue.views.chart}</Tabs.Tab>
              <Tabs.Tab value="dager">{say.revenue.views.days}</Tabs.Tab>
              <Tabs.Tab value="kalender">{say.revenue.views.calendar}</Tabs.Tab>
              <Tabs.Tab value="mottatt">{say.revenue.views.received}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="chart">
              <Suspense fallback={<Loading />}>
                <Development today={data.today} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="dager">
              <Grid overview={data} />
            </Tabs.Panel>
            <Tabs.Panel value="kalender">
              <Calendar overview={data} />
            </Tabs.Panel>
            <Tabs.Panel value="mottatt">
              <Suspense fallback={<Loading />}>
                <Feed />
              </Suspense>
            </Tabs.Panel>
          </Tabs>
          {celle !== undefined && (
            <CellDrawer
              date={celle.slice(0, 10)}
              departmentId={celle.slice(11)}
              onClose={() =>
                void navigate({ search: (search) => ({ ...search, celle: undefined }) })
              }
            />
          )}
        </>
      )}
    </Fetched>
  )
}

/** Missing days, so that a gap is not mistaken for low revenue. */
function Missing({ missing }: Pick<Overview, 'missing'>) {
  const { say } = useText(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  if (missing.length === 0) return null
  return (
    <p className="summary">
      <Icon name="warning" size={16} />{' '}
      <Link to="/app/rydde">
        {missing
          .slice(0, 4)
          .map(({ departmentId, dates }) =>
            say.revenue.missingDays(names?.get(departmentId) ?? departmentId, dates.length),
          )
          .join(', ')}
        {missing.length > 4 && ' …'}
      </Link>
    </p>
  )
}
