// RevenueFeed: received changes, newest first, and when each sender was last heard from.
import type { FeedRow, NamedFeedPage } from '../../../src/app/contract/revenue.ts'
import { actionParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get, type QueryParams } from '../../api/client.ts'
import { pollUnlessLive } from '../../api/live.ts'
import { ChoiceSelect } from '../../components/ChoiceSelect.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { DayField } from '../../components/DayField.tsx'
import { DepartmentFilter } from '../../components/DepartmentFilter.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useDepartmentName } from '../../components/use-department-name.ts'
import { useFeedText } from './feed-i18n.ts'

export function RevenueFeed() {
  const [{ kilde, avd, handling, fra, til }, change] = useSearchParams('/app/omsetning')
  const { t } = useFeedText()
  const filter = {
    source: kilde,
    department: avd,
    action: feedActions.find((one) => actionParams[one] === handling),
    from: fra,
    to: til,
  }
  const pages = usePages(feedQuery(filter), feedQuery(filter, 'file'))
  const sources = pages.query.data?.pages[0]?.sources ?? []
  const isFiltered = [kilde, avd, handling, fra, til].some((one) => one !== undefined)
  const departmentName = useDepartmentName()
  const { columns } = t.feed
  return (
    <section className="feed" aria-labelledby="feed">
      <h2 id="feed" className="visually-hidden">
        {t.feed.title}
      </h2>
      <Senders sources={sources} />
      <DataTable
        name="mottatt"
        labelledBy="feed"
        tools={<FeedFilters sources={sources} />}
        {...pages}
        empty={[t.feed.empty, t.feed.emptyText]}
        onClear={isFiltered ? () => change(noFilter) : undefined}
        keyOf={({ id }) => id}
        columns={[
          { value: 'at', title: t.feed.title, type: 'timestamp' },
          { value: 'actor', title: t.feed.source, type: 'actor' },
          {
            key: 'action',
            title: t.feed.action,
            value: ({ action, file }) => [t.feed.actions[action], file].filter(Boolean).join(': '),
          },
          { title: t.revenue.department, isRowHeader: true, value: (row) => departmentName(row.departmentId) },
          { value: 'date', title: columns.day, type: 'day', show: (row) => <CellLink {...row} /> },
          { value: 'before', title: columns.before, type: 'amount' },
          { value: 'after', title: columns.after, type: 'amount' },
          {
            key: 'reference',
            title: `${columns.reference}, ${columns.remark.toLowerCase()}`,
            isLong: true,
            value: ({ reference, remark }) => [reference, remark].filter(Boolean).join(' · '),
          },
          { value: 'departmentId', title: columns.departmentCode, isHidden: true },
          { value: 'kind', title: columns.kind, isHidden: true },
          { value: 'requestId', title: t.table.request, isOptional: true },
        ]}
      />
    </section>
  )
}

const noFilter = { kilde: undefined, avd: undefined, handling: undefined, fra: undefined, til: undefined }

type FeedSender = NamedFeedPage['sources'][number]

function FeedFilters({ sources }: { sources: readonly FeedSender[] }) {
  const { t, format } = useFeedText()
  const [{ kilde, avd, handling, fra, til }, change] = useSearchParams('/app/omsetning')
  return (
    <>
      <ChoiceSelect
        aria-label={t.feed.source}
        value={kilde ?? ''}
        choices={[['', t.feed.allSources], ...sources.map((one) => [one.source, format.actor(one.actor)] as const)]}
        onPick={(source) => change({ kilde: source })}
      />
      <DepartmentFilter value={avd} onChange={(department) => change({ avd: department })} />
      <ChoiceSelect
        aria-label={t.feed.action}
        value={handling ?? ''}
        choices={[
          ['', t.feed.allActions],
          ...feedActions.map((one) => [actionParams[one], t.feed.actions[one]] as const),
        ]}
        onPick={(action) => change({ handling: action })}
      />
      <DayField inlineLabel={t.table.from} value={fra ?? ''} isOptional onPick={(day) => change({ fra: day })} />
      <DayField inlineLabel={t.table.to} value={til ?? ''} isOptional onPick={(day) => change({ til: day })} />
    </>
  )
}

/** Most recent first: a silent sender is at the end. */
function Senders({ sources }: { sources: readonly FeedSender[] }) {
  const { t, format } = useFeedText()
  const [{ kilde }, change] = useSearchParams('/app/omsetning')
  const sorted = sources.toSorted((one, other) => other.lastAt - one.lastAt)
  const [latest] = sorted
  if (latest === undefined) return null
  return (
    <>
      <p className="visually-hidden" role="status">
        {t.feed.latest(format.timestamp(latest.lastAt))}
      </p>
      <p id="senders" className="muted">
        {t.feed.sources}
      </p>
      <ul className="chip-list" aria-labelledby="senders">
        {sorted.map(({ source, actor, lastAt }) => (
          <li key={source}>
            <button
              type="button"
              className="chip"
              aria-pressed={source === kilde}
              title={t.feed.only(format.actor(actor))}
              onClick={() => change({ kilde: source === kilde ? '' : source })}
            >
              <strong>{format.actor(actor)}</strong>
              <span>{format.timestamp(lastAt)}</span>
            </button>
          </li>
        ))}
      </ul>
    </>
  )
}

/** Links to the cell, unless the record has no date or is of another type. */
function CellLink({ date, departmentId, kind }: FeedRow) {
  const { t, format } = useFeedText()
  const [, change] = useSearchParams('/app/omsetning')
  const department = useDepartmentName()(departmentId)
  const day = date === '' ? t.revenue.withoutDate : format.day(date, 'full')
  if (date === '' || kind !== 'I') return kind === 'I' ? day : `${day} (${kind})`
  return (
    <button
      type="button"
      className="row-open"
      aria-label={t.feed.openCell(department, day)}
      onClick={() => change({ celle: `${date}.${departmentId}` }, { replace: false })}
    >
      {day}
    </button>
  )
}

const feedActions = Object.keys(actionParams) as (keyof typeof actionParams)[]

/** For the screen, which begins with one page, or for a file of all, in larger pages. */
function feedQuery(filter: QueryParams, use: 'screen' | 'file' = 'screen') {
  return infiniteQueryOptions({
    queryKey: ['revenue', 'feed', use, filter],
    queryFn: ({ pageParam }) =>
      get('revenueFeed', {
        ...filter,
        before: pageParam === 0 ? undefined : pageParam,
        top: use === 'file' ? filePageRows : undefined,
      }),
    initialPageParam: 0,
    getNextPageParam: ({ before }) => before,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: pollUnlessLive(30_000),
  })
}

/** The largest page of the server. */
const filePageRows = 5000
