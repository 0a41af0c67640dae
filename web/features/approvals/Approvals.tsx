// Approvals: anomalies first, then groups with count and sum.
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Filter, LineState } from '../../api/approvals.ts'
import { grouping, queueQuery } from '../../api/approvals.ts'
import { groupingParams } from '../../app/search-params.ts'
import { useSession } from '../../api/session.ts'
import { Page } from '../../components/Page.tsx'
import { Fetched, NoAccess } from '../../components/QueryStates.tsx'
import { useText } from '../../i18n/translation.tsx'
import { Filters } from './ApprovalFilters.tsx'
import { LineDrawer } from './LineDrawer.tsx'
import { Queue } from './ApprovalQueue.tsx'
import { useIsNarrow } from './Rows.tsx'
import { isSummedBy, Summary } from './GroupSummaries.tsx'

const route = getRouteApi('/app/godkjenning')

export function Approvals() {
  const { say } = useText()
  const { currency, scopes } = useSession()
  return (
    <Page
      title={say.screens.godkjenning}
      aside={<span className="muted">{say.revenue.currency(currency)}</span>}
    >
      {scopes.includes('material:read') ? <Lists /> : <NoAccess />}
    </Page>
  )
}

const states: Readonly<Record<string, LineState>> = {
  venter: 'registered',
  godkjent: 'approved',
  avvist: 'rejected',
  eksportert: 'exported',
}

/** Query parameter that filters by the group's key. */
const paramOf = { project: 'prosjekt', employee: 'ansatt', department: 'avd' } as const

function Lists() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const filter: Filter = {
    state: states[search.liste ?? 'venter'] ?? 'registered',
    group: grouping.find((one) => groupingParams[one] === search.gruppe) ?? 'project',
    from: search.fra,
    to: search.til,
    department: search.avd,
    project: search.prosjekt,
    employee: search.ansatt,
    source: search.kilde,
  }
  const overview = useQuery(queueQuery(filter))
  const isNarrow = useIsNarrow()
  const { group } = filter
  const isSummed =
    isNarrow && filter.state === 'registered' && search.avvik !== true && isSummedBy(group)
  const open = (id: number | undefined) =>
    void navigate({ search: (last) => ({ ...last, linje: id }), replace: id === undefined })
  return (
    <>
      <Filters counts={overview.data?.counts} />
      <Fetched query={overview}>
        {(data) =>
          isSummed && isSummedBy(group) && filter[group] === undefined && data.groups.length > 0 ? (
            <Summary
              overview={data}
              grouping={group}
              onOpen={(key) =>
                void navigate({
                  // Lines without a key are anomalous, and listed there.
                  search: (last) =>
                    key === ''
                      ? { ...last, avvik: true }
                      : { ...last, [paramOf[group]]: key, merket: true },
                })
              }
              onAll={() =>
                void navigate({ search: (last) => ({ ...last, gruppe: groupingParams.none }) })
              }
            />
          ) : (
            <Queue
              // Another filter resets the selection.
              key={JSON.stringify(filter)}
              overview={data}
              filter={filter}
              isFetching={overview.isFetching}
              isOddOnly={search.avvik === true}
              ticksAll={search.merket === true}
              openId={search.linje}
              onOpen={open}
            />
          )
        }
      </Fetched>
      {search.linje !== undefined && (
        <LineDrawer id={search.linje} onClose={() => open(undefined)} onOpen={open} />
      )}
    </>
  )
}
