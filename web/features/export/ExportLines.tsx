// Lines of a destination, selected for undo, retry, closing or return to approval.
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  exportLinesQuery,
  type Destination,
  type ExportLine,
  type LineList,
  type LineAction,
  type LineActionResult,
} from '../../api/export.ts'
import {
  formatAmount,
  formatCount,
  formatDay,
  formatTimestamp,
  formatQuantity,
} from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { formatActor } from '../../components/format-actor.ts'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { LineActionOutcome } from './LineActionOutcome.tsx'
import { UndoPreview } from './UndoPreview.tsx'

export function ExportLines({ destinations }: { destinations: readonly Destination[] }) {
  const { t } = useTranslation(approvalText, exportText)
  const { liste = 'venter' } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = useDestination(destinations)
  return (
    <section className="page-section" aria-labelledby="lines">
      <h2 id="lines">{t.export.lines}</h2>
      <div className="toolbar">
        <SegmentedControl
          aria-label={t.approvals.lists}
          value={liste}
          data={[
            { value: 'venter', label: t.export.waiting },
            { value: 'feil', label: t.export.failedList },
            { value: 'ute', label: t.export.gone },
          ]}
          onChange={(value) =>
            void navigate({
              search: (search) => ({
                ...search,
                liste: value === 'ute' || value === 'feil' ? value : undefined,
              }),
              replace: true,
            })
          }
        />
        <DestinationSelect destinations={destinations} />
      </div>
      <PagedLines key={`${destination} ${liste}`} destination={destination} list={lists[liste]} />
    </section>
  )
}

const lists = { venter: 'waiting', feil: 'failed', ute: 'gone' } as const

/** Actions per list, the most common first. */
const actionsByList: Readonly<Record<LineList, readonly LineAction[]>> = {
  waiting: ['closed', 'sent_back'],
  failed: ['retried', 'sent_back', 'closed'],
  gone: ['undone'],
}

interface ListProps {
  readonly destination: number
  readonly list: LineList
}

function PagedLines({ destination, list }: ListProps) {
  const { t, language } = useTranslation(approvalText, auditText, exportText)
  const { scopes } = useSession()
  const query = useInfiniteQuery(exportLinesQuery(destination, list))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [act, setAct] = useState<LineAction | null>(null)
  const [returned, setReturned] = useState<{ act: LineAction; outcome: LineActionResult } | null>(
    null,
  )
  const isGone = list === 'gone'
  const mayAct = scopes.includes('export:undo')
  const tick = (id: number) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  return (
    <QueryStates query={query}>
      {({ pages }) => {
        const rows = pages.flat()
        const count = formatCount(ticked.size, language)
        return (
          <>
            {returned !== null && (
              <LineActionOutcome
                act={returned.act}
                returned={returned.outcome}
                onClose={() => setReturned(null)}
              />
            )}
            {rows.length === 0 ? (
              <EmptyState title={t.export.emptyLists[list]}>{t.export.nothingText}</EmptyState>
            ) : (
              <LineTable
                rows={rows}
                ticked={ticked}
                onTick={mayAct ? tick : null}
                isGone={isGone}
              />
            )}
            <ShowMore query={query}>{t.audit.older}</ShowMore>
            {ticked.size > 0 && (
              <section className="action-bar" aria-label={t.approvals.actions}>
                <span className="action-count" aria-live="polite">
                  {t.export.ticked(count)}
                </span>
                {actionsByList[list].map((one, index) => (
                  <Button
                    key={one}
                    size="sm"
                    variant={index === 0 ? 'filled' : 'default'}
                    onClick={() => setAct(one)}
                  >
                    {t.export.actionLabel[one](count)}
                  </Button>
                ))}
                <Button size="sm" variant="subtle" onClick={() => setTicked(new Set())}>
                  {t.approvals.untick}
                </Button>
              </section>
            )}
            {act !== null && (
              <UndoPreview
                act={act}
                destination={destination}
                ids={[...ticked].toSorted((a, b) => a - b)}
                onClose={() => setAct(null)}
                onDone={(outcome) => {
                  setAct(null)
                  setTicked(new Set())
                  setReturned({ act, outcome })
                }}
              />
            )}
          </>
        )
      }}
    </QueryStates>
  )
}

interface TableProps {
  readonly rows: readonly ExportLine[]
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly isGone: boolean
}

function LineTable({ rows, ticked, onTick, isGone }: TableProps) {
  const { t, language } = useTranslation(approvalText, exportText)
  const details = useExportDetailsText()
  const navigate = useNavigate({ from: '/app/eksport' })
  const { columns } = t.approvals
  return (
    <div className="table-scroll" tabIndex={0} role="region" aria-labelledby="lines">
      <table>
        <thead>
          <tr>
            {onTick !== null && (
              <th scope="col">
                <span className="visually-hidden">{columns.tick}</span>
              </th>
            )}
            <th scope="col" className="number">
              {t.export.columns.which}
            </th>
            <th scope="col">{columns.date}</th>
            <th scope="col">{columns.item}</th>
            <th scope="col" className="number">
              {columns.quantity}
            </th>
            <th scope="col" className="number">
              {columns.amount}
            </th>
            <th scope="col">{isGone ? t.export.externalId : t.export.status}</th>
            {isGone && <th scope="col">{t.export.status}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {onTick !== null && (
                <td>
                  <Checkbox
                    size="sm"
                    aria-label={`${columns.tick} ${t.approvals.line(row.id)}`}
                    checked={ticked.has(row.id)}
                    onChange={() => onTick(row.id)}
                  />
                </td>
              )}
              <td className="number">
                <button
                  type="button"
                  className="row-open"
                  aria-label={details.openLine(row.id)}
                  onClick={() => void navigate({ search: (last) => ({ ...last, linje: row.id }) })}
                >
                  {row.id}
                </button>
              </td>
              <td>{formatDay(row.date, language)}</td>
              <td className="long-text">{row.itemName ?? row.itemId}</td>
              <td className="number">
                {formatQuantity(row.quantity, language)} {row.unit}
              </td>
              <td className="number">
                {row.amount === null ? t.none : formatAmount(row.amount, language, 2)}
              </td>
              {isGone && (
                <td className="long-text">
                  <code>{row.externalId ?? t.none}</code>
                </td>
              )}
              <td className="long-text">
                <ExportLineStatus row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ExportLineStatus({ row }: { row: ExportLine }) {
  const { t, language } = useTranslation(auditText, exportText, revenueText)
  const { zone } = useSession()
  if (row.state !== 'ready') {
    const what = row.state === 'closed' ? t.export.actions.closed : t.export.actions.marked
    return row.markedAt === null
      ? what
      : `${what} ${formatTimestamp(row.markedAt, language, zone)}, ${formatActor(row.markedBy ?? '', t)}`
  }
  if (row.holder !== null) return `${t.export.lanes.claimed}: ${formatActor(row.holder, t)}`
  if (row.failures > 0) {
    const failureText = t.export.failedTimes(row.failures, row.failure ?? '')
    return row.parkedAt === null ? failureText : `${t.export.parked}. ${failureText}`
  }
  return t.export.lanes.ready
}
