// Revenue: key figures, chart, grid, calendar and feed.
import type { RevenueOverview, KeyFigure } from '../../../src/app/contract/revenue.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { revenueOverviewQuery } from '../../api/revenue.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { useSession } from '../../api/session.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Icon } from '../../components/Icon.tsx'
import { loadOnDemand } from '../../components/load-on-demand.tsx'
import { CurrencyNote, Page } from '../../components/Page.tsx'
import { Loaded, Loading, EmptyState } from '../../components/QueryStates.tsx'
import { Tabs } from '../../components/Tabs.tsx'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { useDirectoryText } from '../../i18n/directory.ts'
import { useRevenueText } from '../../i18n/revenue.ts'
import { Calendar } from './Calendar.tsx'
import { CellDrawer } from './CellDrawer.tsx'
import { RevenueGrid } from './RevenueGrid.tsx'
import type { ComparisonRule } from '../../api/days.ts'
import { periodParams } from '../../app/search-params.ts'
import { YearOverYear } from '../../components/YearOverYear.tsx'

const RevenueOverTime = loadOnDemand(async () => (await import('./RevenueOverTime.tsx')).RevenueOverTime, <Loading />)

const RevenueFeed = loadOnDemand(async () => (await import('./RevenueFeed.tsx')).RevenueFeed, <Loading />)

/** As the address names them. */
const views = { chart: undefined, days: 'dager', calendar: 'kalender', received: 'mottatt' } as const

const viewNames = ['chart', 'days', 'calendar', 'received'] as const

export function Revenue() {
  const { t } = useDirectoryText()
  const { scopes } = useSession()
  return (
    <Page
      title={t.screens.omsetning}
      scope="revenue:read"
      aside={
        <>
          <CurrencyNote />
          {scopes.includes('revenue:write') && (
            <Link to="/app/import" search={{ hva: 'Omsetning' }}>
              {t.directory.importFile}
            </Link>
          )}
        </>
      }
    >
      <Views />
    </Page>
  )
}

function Views() {
  const { t } = useRevenueText()
  const [search, change] = useSearchParams('/app/omsetning')
  const { vis, celle } = search
  const { data: departments } = useQuery(departmentsQuery)
  // Until they are loaded there may be some.
  const hasDepartment = departments?.size !== 0
  return (
    <Loaded options={revenueOverviewQuery}>
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
          {data.days.length === 0 && vis !== 'mottatt' && <NoRevenue hasDepartment={hasDepartment} />}
          {vis === undefined && data.days.length > 0 && <RevenueOverTime today={data.today} />}
          {vis === 'dager' && (hasDepartment || data.days.length > 0) && <RevenueGrid overview={data} />}
          {vis === 'kalender' && data.days.length > 0 && <Calendar overview={data} />}
          {vis === 'mottatt' && <RevenueFeed />}
          {celle !== undefined && (
            <CellDrawer cell={celle} onClose={() => change({ celle: undefined }, { replace: false })} />
          )}
        </>
      )}
    </Loaded>
  )
}

function NoRevenue({ hasDepartment }: { hasDepartment: boolean }) {
  const { t } = useRevenueText()
  const { scopes } = useSession()
  if (hasDepartment) return <EmptyState title={t.revenue.emptyTitle}>{t.revenue.emptyText}</EmptyState>
  return (
    <EmptyState
      title={t.revenue.emptyTitle}
      action={
        scopes.includes('directory:write') && (
          <Link to="/app/register" search={{ liste: 'Avdeling', ny: true }}>
            {t.revenue.addDepartment}
          </Link>
        )
      }
    >
      {t.revenue.noDepartmentText}
    </EmptyState>
  )
}

/** Missing days, so that a gap is not mistaken for low revenue. */
function Missing({ missing }: Pick<RevenueOverview, 'missing'>) {
  const { t } = useRevenueText()
  const nameOf = useDepartmentName()
  if (missing.length === 0) return null
  return (
    <p className="summary">
      <Icon name="warning" size={16} />{' '}
      <Link to="/app/rydde">
        {missing
          .slice(0, 4)
          .map(({ departmentId, dates }) => t.revenue.missingDays(nameOf(departmentId), dates.length))
          .join(', ')}
        {missing.length > 4 && ' …'}
      </Link>
    </p>
  )
}

function KeyFigures({ figures }: { figures: readonly KeyFigure[] }) {
  const { t, format } = useRevenueText()
  return (
    <dl className="figures">
      {figures.map(({ name, from, to, amount, before }) => (
        <div key={name}>
          <dt>
            <Link to="/app/omsetning" search={getSearch({ name, from, to })}>
              {t.revenue.figures[name]}
            </Link>
            <span className="muted">
              {from === to ? format.day(to) : `${format.day(from, 'dayMonth')} – ${format.day(to, 'dayMonth')}`}
            </span>
          </dt>
          <dd className="figure">{format.amount(amount)}</dd>
          <dd className="figure-note">
            <YearOverYear amount={amount} before={before.amount} />
            {before.amount !== null && (
              <>
                <span className="muted">{t.revenue.against(format.amount(before.amount))}</span>
                <span className="muted">{t.revenue.sameInLastYear[getRule(name)]}</span>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** How the server compares it with last year. */
function getRule(name: KeyFigure['name']): ComparisonRule {
  return name === 'yesterday' || name === 'week' ? 'weekdays' : 'dates'
}

/** Short periods open the grid, long ones the chart. */
function getSearch({ name, from, to }: Pick<KeyFigure, 'name' | 'from' | 'to'>) {
  return name === 'yesterday' || name === 'week'
    ? ({ vis: 'dager', dag: to } as const)
    : ({ fra: from, til: to, per: periodParams[name === 'year' ? 'month' : 'day'] } as const)
}
