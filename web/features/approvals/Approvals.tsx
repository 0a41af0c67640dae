// Approvals: anomalies first, then groups with count and sum.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { approvalsQuery } from '../../api/approvals.ts'
import { toApprovalFilter } from '../../app/approval-search.ts'
import { groupingParams, toSortParam } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { CurrencyNote, Page } from '../../components/Page.tsx'
import { hasFocusInDetail, ListWithDetail } from '../../components/DetailPane.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useMatches } from '../../components/use-matches.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { ApprovalFilters } from './ApprovalFilters.tsx'
import { ApprovalQueue } from './ApprovalQueue.tsx'
import type { ApprovalQueueHandle } from './approval-queue-props.ts'
import { isSummaryGrouping, GroupSummaries } from './GroupSummaries.tsx'
import { LineDetail } from './LineDetail.tsx'
import { useDecisions } from './use-decisions.ts'

export function Approvals() {
  const { t } = useTranslation()
  return (
    <Page title={t.screens.godkjenning} scope="material:read" aside={<CurrencyNote />}>
      <ApprovalLists />
    </Page>
  )
}

/** Query parameter that filters by the group's key. */
const groupingParam = { project: 'prosjekt', employee: 'ansatt', department: 'avd' } as const

function ApprovalLists() {
  const [search, change] = useSearchParams('/app/godkjenning')
  const filter = toApprovalFilter(search)
  const overview = useQuery(approvalsQuery(filter))
  const queue = useRef<ApprovalQueueHandle>(null)
  const isNarrow = useMatches('(max-width: 48rem)')
  const { group } = filter
  const showsSummary =
    isNarrow &&
    filter.state === 'registered' &&
    search.avvik !== true &&
    search.merket !== 'uten-avvik' &&
    isSummaryGrouping(group)
  const { linje } = search
  const decisions = useDecisions()
  const isOutcomeOfLine =
    linje !== undefined && (decisions.error !== null || decisions.last?.ids.includes(linje) === true)
  const open = (id: number | undefined) => {
    if (id === undefined && hasFocusInDetail()) queue.current?.focusCurrentRow()
    // From one line to the next, Back leads to the list.
    const replace = id === undefined || linje !== undefined
    change({ linje: id }, { replace, resetScroll: false })
  }
  return (
    <>
      <ApprovalFilters counts={overview.data?.counts} />
      <ListWithDetail
        detail={
          linje !== undefined && (
            <LineDetail
              id={linje}
              anomalyFlags={overview.data?.anomalies.find((line) => line.id === linje)?.anomalyFlags ?? 0}
              decisions={decisions}
              showsOutcome={isOutcomeOfLine}
              queue={queue}
              onClose={() => open(undefined)}
              onOpen={open}
            />
          )
        }
      >
        <QueryStates query={overview}>
          {(data) =>
            showsSummary && isSummaryGrouping(group) && filter[group] === undefined && data.groups.length > 0 ? (
              <GroupSummaries
                overview={data}
                grouping={group}
                // Lines without a key are anomalous, and listed there.
                onOpen={(key) =>
                  change(key === '' ? { avvik: true } : { [groupingParam[group]]: key, merket: true }, {
                    replace: false,
                  })
                }
                onAll={() => change({ gruppe: groupingParams.none }, { replace: false })}
              />
            ) : (
              <ApprovalQueue
                // Another filter resets the selection, another order does not.
                key={JSON.stringify({ ...filter, sort: undefined })}
                ref={queue}
                overview={data}
                filter={filter}
                isFetching={overview.isFetching}
                showsAnomaliesOnly={search.avvik === true}
                ticks={search.merket}
                decisions={decisions}
                showsOutcome={!isOutcomeOfLine}
                openId={linje}
                onOpen={open}
                onSort={(sort) => change({ sorter: toSortParam(sort) }, { resetScroll: false })}
              />
            )
          }
        </QueryStates>
      </ListWithDetail>
    </>
  )
}
