// Revenue: key figures, chart, grid, calendar and feed.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Icon } from '../../components/Icon.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryStates, Loading, NoAccess, EmptyState } from '../../components/QueryStates.tsx'
import { directoryText } from '../../i18n/directory.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Calendar } from './Calendar.tsx'
import { CellDrawer } from './CellDrawer.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { RevenueGrid } from './RevenueGrid.tsx'

const Development = lazy(async () => ({
  default: (await import('./RevenueOverTime.tsx')).RevenueOverTime,
}))

const Feed = lazy(async () => ({ default: (await import('./RevenueFeed.tsx')).RevenueFeed }))

const otherViews = ['dager', 'kalender', 'mottatt'] as const

const route = getRouteApi('/app/omsetning')

export function Revenue() {
  const { t } = useTranslation(directoryText)
  const { currency, scopes } = useSession()
  return (
    <Page
      title={t.revenue.title}
      aside={
        <>
          <span className="muted">{t.revenue.currency(currency)}</span>
          {scopes.includes('revenue:write') && (
            <Link to="/app/import" search={{ hva: 'Omsetning' }}>
              {t.directory.importFile}
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
  const { t } = useTranslation(revenueText)
  const { vis, celle } = route.useSearch()
  const navigate = route.useNavigate()
  const overview = useQuery(revenueOverviewQuery)
  return (
    <QueryStates query={overview}>
      {(data) => (
        <>
          <KeyFigures figures={data.figures} />
          <Missing missing={data.missing} />
          {data.days.length === 0 && (
            <EmptyState title={t.revenue.emptyTitle}>{t.revenue.emptyText}</EmptyState>
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
              <Tabs.Tab value="chart">{t.revenue.views.chart}</Tabs.Tab>
              <Tabs.Tab value="dager">{t.revenue.views.days}</Tabs.Tab>
              <Tabs.Tab value="kalender">{t.revenue.views.calendar}</Tabs.Tab>
              <Tabs.Tab value="mottatt">{t.revenue.views.received}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="chart">
              <Suspense fallback={<Loading />}>
                <Development today={data.today} />
              </Suspense>
            </Tabs.Panel>
            <Tabs.Panel value="dager">
              <RevenueGrid overview={data} />
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
              cell={celle}
              onClose={() =>
                void navigate({ search: (search) => ({ ...search, celle: undefined }) })
              }
            />
          )}
        </>
      )}
    </QueryStates>
  )
}

/** Missing days, so that a gap is not mistaken for low revenue. */
function Missing({ missing }: Pick<RevenueOverview, 'missing'>) {
  const { t } = useTranslation(revenueText)
  const { data: names } = useQuery(departmentsQuery)
  if (missing.length === 0) return null
  return (
    <p className="summary">
      <Icon name="warning" size={16} />{' '}
      <Link to="/app/rydde">
        {missing
          .slice(0, 4)
          .map(({ departmentId, dates }) =>
            t.revenue.missingDays(names?.get(departmentId) ?? departmentId, dates.length),
          )
          .join(', ')}
        {missing.length > 4 && ' …'}
      </Link>
    </p>
  )
}
