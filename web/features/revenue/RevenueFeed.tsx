// RevenueFeed: received changes, newest first, and when each sender was last heard from.
import type { FeedRow } from '../../../src/app/contract/revenue.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { actionParams } from '../../app/search-params.ts'
import { useSearchParams } from '../../app/use-search-params.ts'
import { feedActions, feedQuery } from './feed-api.ts'
import { departmentsQuery } from '../../api/sets.ts'
import { Table } from '../../components/Table.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { feedText } from './feed-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { FeedFilters, type FeedSender } from './FeedFilters.tsx'

export function RevenueFeed() {
  const [{ kilde, avd, handling, fra, til }, change] = useSearchParams('/app/omsetning')
  const { t } = useTranslation(feedText)
  const query = useInfiniteQuery(
    feedQuery({
      source: kilde,
      department: avd,
      action: feedActions.find((one) => actionParams[one] === handling),
      from: fra,
      to: til,
    }),
  )
  const isFiltered = [kilde, avd, handling, fra, til].some((one) => one !== undefined)
  return (
    <section className="feed" aria-labelledby="feed">
      <h2 id="feed" className="visually-hidden">
        {t.feed.title}
      </h2>
      <QueryStates query={query}>
        {({ pages }) => {
          const rows = pages.flatMap((page) => page.rows)
          const sources = pages[0]?.sources ?? []
          return (
            <>
              <Senders
                sources={sources}
                chosen={kilde}
                onChoose={(source) => change({ kilde: source === kilde ? undefined : source })}
              />
              <FeedFilters sources={sources} />
              {rows.length > 0 && <FeedTable rows={rows} />}
              {rows.length === 0 && (
                <EmptyState title={isFiltered ? t.feed.noMatch : t.feed.empty}>
                  <p>{isFiltered ? t.feed.noMatchText : t.feed.emptyText}</p>
                  {isFiltered && (
                    <Button variant="default" onClick={() => change(noFilter)}>
                      {t.feed.clear}
                    </Button>
                  )}
                </EmptyState>
              )}
              <ShowMore query={query}>{t.feed.older}</ShowMore>
            </>
          )
        }}
      </QueryStates>
    </section>
  )
}

const noFilter = { kilde: undefined, avd: undefined, handling: undefined, fra: undefined, til: undefined }

interface SendersProps {
  readonly sources: readonly FeedSender[]
  readonly chosen: string | undefined
  readonly onChoose: (source: string) => void
}

/** Most recent first: a silent sender is at the end. */
function Senders({ sources, chosen, onChoose }: SendersProps) {
  const { t, format } = useTranslation(feedText)
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
              aria-pressed={source === chosen}
              title={t.feed.only(format.actor(actor))}
              onClick={() => onChoose(source)}
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

function FeedTable({ rows }: { rows: readonly FeedRow[] }) {
  const { t, format } = useTranslation(feedText)
  const { columns } = t.feed
  const amount = (value: number | null) => format.amount(value, 2)
  return (
    <Table
      labelledBy="feed"
      rows={rows}
      keyOf={({ id }) => id}
      columns={[
        { title: columns.at, show: ({ at }) => format.timestamp(at) },
        { title: columns.source, isLong: true, show: ({ actor }) => format.actor(actor) },
        {
          title: columns.action,
          show: ({ action, file }) => (file === null ? t.feed.actions[action] : `${t.feed.actions[action]}: ${file}`),
        },
        { title: columns.cell, show: (row) => <CellLink {...row} /> },
        { title: columns.before, isNumber: true, show: ({ before }) => amount(before) },
        { title: columns.after, isNumber: true, show: ({ after }) => amount(after) },
        {
          title: `${columns.reference}, ${columns.remark.toLowerCase()}`,
          isLong: true,
          show: ({ reference, remark }) => [reference, remark].filter(Boolean).join(' · '),
        },
        { title: columns.request, isExtra: true, show: ({ requestId }) => <code>{requestId}</code> },
      ]}
    />
  )
}

/** Links to the cell, unless the record has no date or is of another type. */
function CellLink({ date, departmentId, kind }: FeedRow) {
  const { t, format } = useTranslation(feedText)
  const [, change] = useSearchParams('/app/omsetning')
  const { data: names } = useQuery(departmentsQuery)
  const department = departmentId === '' ? t.revenue.withoutDepartment : (names?.get(departmentId) ?? departmentId)
  const day = date === '' ? t.none : format.day(date, 'full')
  const text = `${department}, ${day}`
  if (date === '' || kind !== 'I') return kind === 'I' ? text : `${text} (${kind})`
  return (
    <button
      type="button"
      className="row-open"
      aria-label={t.feed.openCell(department, day)}
      onClick={() => change({ celle: `${date}.${departmentId}` }, { replace: false })}
    >
      {text}
    </button>
  )
}
