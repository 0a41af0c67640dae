// Lines of a destination, selected for undo, retry, closing or return to approval.
import { Button, Checkbox, SegmentedControl } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import {
  linesQuery,
  type Destination,
  type ExportLine,
  type LineList,
  type Return,
  type Returned,
} from '../../api/export.ts'
import { amountText, countText, dayText, momentText, quantityText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { ShowMore } from '../../components/ShowMore.tsx'
import { actorText } from '../../components/format-actor.ts'
import { Fetched, State } from '../../components/QueryStates.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { auditText } from '../../i18n/audit.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { DestinationSelect, useDestination } from './DestinationSelect.tsx'
import { Outcome } from './LineActionOutcome.tsx'
import { Returning } from './UndoPreview.tsx'

export function Lines({ destinations }: { destinations: readonly Destination[] }) {
  const { say } = useText(approvalText, exportText)
  const { liste = 'venter' } = useSearch({ from: '/app/eksport' })
  const navigate = useNavigate({ from: '/app/eksport' })
  const destination = useDestination(destinations)
  return (
    <section className="page-section" aria-labelledby="lines">
      <h2 id="lines">{say.export.lines}</h2>
      <div className="toolbar">
        <SegmentedControl
          aria-label={say.approvals.lists}
          value={liste}
          data={[
            { value: 'venter', label: say.export.waiting },
            { value: 'feil', label: say.export.failedList },
            { value: 'ute', label: say.export.gone },
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
      <List key={`${destination} ${liste}`} destination={destination} list={lists[liste]} />
    </section>
  )
}

const lists = { venter: 'waiting', feil: 'failed', ute: 'gone' } as const

/** Actions per list, the most common first. */
const actsOf: Readonly<Record<LineList, readonly Return[]>> = {
  waiting: ['closed', 'sent_back'],
  failed: ['retried', 'sent_back', 'closed'],
  gone: ['undone'],
}

interface ListProps {
  readonly destination: number
  readonly list: LineList
}

function List({ destination, list }: ListProps) {
  const { say, language } = useText(approvalText, auditText, exportText)
  const { scopes } = useSession()
  const query = useInfiniteQuery(linesQuery(destination, list))
  const [ticked, setTicked] = useState<ReadonlySet<number>>(new Set())
  const [act, setAct] = useState<Return | null>(null)
  const [returned, setReturned] = useState<{ act: Return; outcome: Returned } | null>(null)
  const isGone = list === 'gone'
  const mayAct = scopes.includes('export:undo')
  const tick = (id: number) => {
    const next = new Set(ticked)
    if (!next.delete(id)) next.add(id)
    setTicked(next)
  }
  return (
    <Fetched query={query}>
      {({ pages }) => {
        const rows = pages.flat()
        const count = countText(ticked.size, language)
        return (
          <>
            {returned !== null && (
              <Outcome
                act={returned.act}
                returned={returned.outcome}
                onClose={() => setReturned(null)}
              />
            )}
            {rows.length === 0 ? (
              <State title={say.export.emptyLists[list]}>{say.export.nothingText}</State>
            ) : (
              <Table rows={rows} ticked={ticked} onTick={mayAct ? tick : null} isGone={isGone} />
            )}
            <ShowMore query={query}>{say.audit.older}</ShowMore>
            {ticked.size > 0 && (
              <section className="action-bar" aria-label={say.approvals.actions}>
                <span className="action-count" aria-live="polite">
                  {say.export.ticked(count)}
                </span>
                {actsOf[list].map((one, index) => (
                  <Button
                    key={one}
                    size="sm"
                    variant={index === 0 ? 'filled' : 'default'}
                    onClick={() => setAct(one)}
                  >
                    {say.export.returnAsk[one](count)}
                  </Button>
                ))}
                <Button size="sm" variant="subtle" onClick={() => setTicked(new Set())}>
                  {say.approvals.untick}
                </Button>
              </section>
            )}
            {act !== null && (
              <Returning
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
    </Fetched>
  )
}

interface TableProps {
  readonly rows: readonly ExportLine[]
  readonly ticked: ReadonlySet<number>
  /** Null without permission to act. */
  readonly onTick: ((id: number) => void) | null
  readonly isGone: boolean
}

function Table({ rows, ticked, onTick, isGone }: TableProps) {
  const { say, language } = useText(approvalText, exportText)
  const stories = useExportStoryText()
  const navigate = useNavigate({ from: '/app/eksport' })
  const { columns } = say.approvals
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
              {say.export.columns.which}
            </th>
            <th scope="col">{columns.date}</th>
            <th scope="col">{columns.item}</th>
            <th scope="col" className="number">
              {columns.quantity}
            </th>
            <th scope="col" className="number">
              {columns.amount}
            </th>
            <th scope="col">{isGone ? say.export.externalId : say.export.standing}</th>
            {isGone && <th scope="col">{say.export.standing}</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              {onTick !== null && (
                <td>
                  <Checkbox
                    size="sm"
                    aria-label={`${columns.tick} ${say.approvals.line(row.id)}`}
                    checked={ticked.has(row.id)}
                    onChange={() => onTick(row.id)}
                  />
                </td>
              )}
              <td className="number">
                <button
                  type="button"
                  className="row-open"
                  aria-label={stories.openLine(row.id)}
                  onClick={() => void navigate({ search: (last) => ({ ...last, linje: row.id }) })}
                >
                  {row.id}
                </button>
              </td>
              <td>{dayText(row.date, language)}</td>
              <td className="long-text">{row.itemName ?? row.itemId}</td>
              <td className="number">
                {quantityText(row.quantity, language)} {row.unit}
              </td>
              <td className="number">
                {row.amount === null ? say.none : amountText(row.amount, language, 2)}
              </td>
              {isGone && (
                <td className="long-text">
                  <code>{row.externalId ?? say.none}</code>
                </td>
              )}
              <td className="long-text">
                <Standing row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Standing({ row }: { row: ExportLine }) {
  const { say, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  if (row.state !== 'ready') {
    const what = row.state === 'closed' ? say.export.acts.closed : say.export.acts.marked
    return row.markedAt === null
      ? what
      : `${what} ${momentText(row.markedAt, language, zone)}, ${actorText(row.markedBy ?? '', say)}`
  }
  if (row.holder !== null) return `${say.export.lanes.claimed}: ${actorText(row.holder, say)}`
  if (row.failures > 0) {
    const told = say.export.failedTimes(row.failures, row.failure ?? '')
    return row.parkedAt === null ? told : `${say.export.parked}. ${told}`
  }
  return say.export.lanes.ready
}
