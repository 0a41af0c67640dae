// Revenue: key figures, chart, grid, calendar and feed.
import type { RevenueOverview } from '../../../src/app/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Icon } from '../../components/Icon.tsx'
import { loadOnDemand } from '../../components/load-on-demand.tsx'
import { Page } from '../../components/Page.tsx'
import { QueryStates, Loading, NoAccess, EmptyState } from '../../components/QueryStates.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { directoryText } from '../../i18n/directory.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Calendar } from './Calendar.tsx'
import { CellDrawer } from './CellDrawer.tsx'
import { KeyFigures } from './KeyFigures.tsx'
import { RevenueGrid } from './RevenueGrid.tsx'

const RevenueOverTime = loadOnDemand(async () => (await import('./RevenueOverTime.tsx')).RevenueOverTime, <Loading />)

const RevenueFeed = loadOnDemand(async () => (await import('./RevenueFeed.tsx')).RevenueFeed, <Loading />)

/** As the address names them. */
const views = { chart: undefined, days: 'dager', calendar: 'kalender', received: 'mottatt' } as const

const viewNames = ['chart', 'days', 'calendar', 'received'] as const

export function Revenue() {
  const { t } = useTranslation(directoryText)
  const { currency, scopes } = useSession()
  return (
    <Page
      title={t.screens.omsetning}
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
  const [search, change] = useSearchParams('/app/omsetning')
  const { vis, celle } = search
  const overview = useQuery(revenueOverviewQuery)
  return (
    <QueryStates query={overview}>
      {(data) => (
        <>
          <Tabs
            label={t.screens.omsetning}
            names={viewNames}
            current={viewNames.find((name) => views[name] === vis) ?? 'chart'}
            titles={t.revenue.views}
            linkTo={(name) => ({
              to: '/app/omsetning',
              search: {
                ...search,
                // The chart filters by date of revenue, the feed by date received.
                ...((name === 'received') !== (vis === 'mottatt') && {
                  fra: undefined,
                  til: undefined,
                  avd: undefined,
                }),
                vis: views[name],
              },
            })}
          />
          {vis === undefined && <KeyFigures figures={data.figures} />}
          <Missing missing={data.missing} />
          {data.days.length === 0 && <EmptyState title={t.revenue.emptyTitle}>{t.revenue.emptyText}</EmptyState>}
          {vis === undefined && data.days.length > 0 && <RevenueOverTime today={data.today} />}
          {vis === 'dager' && <RevenueGrid overview={data} />}
          {vis === 'kalender' && <Calendar overview={data} />}
          {vis === 'mottatt' && <RevenueFeed />}
          {celle !== undefined && (
            <CellDrawer cell={celle} onClose={() => change({ celle: undefined }, { replace: false })} />
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
