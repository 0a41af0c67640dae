// RetrievalDetails: totals, checksum and lines of a retrieval, with downloads.
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cellOf, downloadFile } from '../../api/csv.ts'
import { handOutQuery, type HandOutStory as Story, type StoryLine } from './details-api.ts'
import type { Destination, Returned } from '../../api/export.ts'
import { amountText, countText, dayText, momentText, quantityText } from '../../api/format.ts'
import { useSession } from '../../api/session.ts'
import { actorText } from '../../components/format-actor.ts'
import { Icon } from '../../components/Icon.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { SimpleTable } from '../../components/SimpleTable.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Fetched } from '../../components/QueryStates.tsx'
import { useExportStoryText } from './details-i18n.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import { ReceiptButton } from './ReceiptButton.tsx'
import { Outcome } from './LineActionOutcome.tsx'
import { Returning } from './UndoPreview.tsx'

interface HandOutStoryProps {
  readonly id: number
  readonly destinations: readonly Destination[]
  readonly onClose: () => void
}

export function HandOutStory({ id, destinations, onClose }: HandOutStoryProps) {
  const say = useExportStoryText()
  const query = useInfiniteQuery(handOutQuery(id))
  return (
    <SideDrawer title={say.handOut(id)} note="" onClose={onClose}>
      <Fetched query={query}>
        {({ pages }) => {
          const [first] = pages
          if (first === undefined) return null
          const lines = pages.flatMap((page) => page.lines)
          return (
            <>
              <Facts handOut={first.handOut} />
              <div className="actions">
                <ReceiptButton id={id} destinations={destinations} />
                <Downloads handOut={first.handOut} lines={lines} />
              </div>
              <UndoingAll handOut={first.handOut} lines={lines} />
              <Lines handOut={first.handOut} lines={lines} />
              <ShowMore query={query}>{say.older}</ShowMore>
            </>
          )
        }}
      </Fetched>
    </SideDrawer>
  )
}

type HandOut = Story['handOut']

function Facts({ handOut }: { handOut: HandOut }) {
  const say = useExportStoryText()
  const { say: common, language } = useText(auditText, exportText, revenueText)
  const { zone } = useSession()
  const { fields } = say
  const { at, actor, query, count, amount, hash, requestId, batchId } = handOut
  return (
    <dl className="fields">
      {[
        [fields.at, momentText(at, language, zone)],
        [fields.by, actorText(actor, common)],
        [fields.asked, query ?? common.export.allWaiting],
        [fields.lines, countText(count, language)],
        [fields.sum, amountText(Number(amount) * 10_000, language, 2)],
        [fields.hash, hash],
        [fields.request, requestId],
        ...(batchId === null ? [] : [[fields.claim, String(batchId)]]),
      ].map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface LinesProps {
  readonly handOut: HandOut
  readonly lines: readonly StoryLine[]
}

function Downloads({ handOut, lines }: LinesProps) {
  const say = useExportStoryText()
  const name = `uthenting-${handOut.id}`
  const rows = lines.toReversed().map(rowOf)
  const icon = <Icon name="download" size={16} />
  return (
    <>
      <Button
        variant="default"
        size="sm"
        leftSection={icon}
        onClick={() => {
          const text = JSON.stringify({ ...handOut, lines: rows }, null, 2)
          downloadFile(`${name}.json`, new Blob([text], { type: 'application/json' }))
        }}
      >
        {say.json}
      </Button>
      <Button
        variant="default"
        size="sm"
        leftSection={icon}
        onClick={() => {
          const table = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
          const text = table.map((row) => row.map((one) => cellOf(String(one ?? ''))).join(';'))
          downloadFile(`${name}.csv`, new Blob(['\uFEFF', text.join('\r\n')], { type: 'text/csv' }))
        }}
      >
        {say.csv}
      </Button>
    </>
  )
}

/** Undoes all lines of the retrieval that count as exported. */
function UndoingAll({ handOut, lines }: LinesProps) {
  const { say, language } = useText(exportText)
  const { scopes } = useSession()
  const [isActing, setActing] = useState(false)
  const [outcome, setOutcome] = useState<Returned | null>(null)
  const ids = lines.filter(({ state }) => state === 'exported').map(({ id }) => id)
  return (
    <>
      {outcome !== null && (
        <Outcome act="undone" returned={outcome} onClose={() => setOutcome(null)} />
      )}
      {scopes.includes('export:undo') && ids.length > 0 && (
        <p className="hint">
          <Button variant="default" size="sm" onClick={() => setActing(true)}>
            {say.export.returnAsk.undone(countText(ids.length, language))}
          </Button>
        </p>
      )}
      {isActing && (
        <Returning
          act="undone"
          destination={handOut.destinationId}
          ids={ids.toSorted((one, other) => one - other)}
          onClose={() => setActing(false)}
          onDone={(done) => {
            setActing(false)
            setOutcome(done)
          }}
        />
      )}
    </>
  )
}

/** Field names of the API. */
function rowOf(line: StoryLine) {
  return {
    Id: line.id,
    Revisjon: line.revision,
    Eksportnokkel: line.exportKey,
    Linjetype: line.lineKind,
    Dato: line.date,
    PosteringsDato: line.postingDate,
    AvdelingId: line.departmentId,
    ProsjektId: line.projectId,
    VareId: line.itemId,
    Varenavn: line.itemName,
    Antall: line.quantity / 10_000,
    Enhet: line.unit,
    Belop: line.amount === null ? null : line.amount / 10_000,
    Tilstand: line.state,
    externalId: line.externalId,
  }
}

function Lines({ handOut, lines }: LinesProps) {
  const say = useExportStoryText()
  const { say: common, language } = useText(approvalText, exportText)
  const { columns } = common.approvals
  const marked = lines.filter(({ state }) => state === 'exported').length
  const counted = countText(lines.length, language)
  const open = (linje: number) => (
    <Link
      from="/app/eksport"
      search={(last) => ({
        ...last,
        uthenting: undefined,
        linje,
        mottaker: handOut.destinationId,
      })}
    >
      {linje}
    </Link>
  )
  return (
    <section className="related" aria-labelledby="hand-out-lines">
      <h2 id="hand-out-lines">{say.fields.lines}</h2>
      <p>
        {say.marked} {countText(marked, language)} · {say.left}{' '}
        {countText(lines.length - marked, language)}
      </p>
      <p className="muted">{say.shown(counted, countText(handOut.count, language))}</p>
      <SimpleTable
        labelledBy="hand-out-lines"
        rows={lines.slice(0, 1000)}
        keyOf={({ id }) => id}
        columns={[
          { title: common.export.columns.which, isNumber: true, show: ({ id }) => open(id) },
          { title: columns.date, show: ({ date }) => dayText(date, language) },
          { title: columns.item, isLong: true, show: (line) => line.itemName ?? line.itemId },
          {
            title: columns.quantity,
            isNumber: true,
            show: ({ quantity }) => quantityText(quantity, language),
          },
          {
            title: columns.amount,
            isNumber: true,
            show: ({ amount }) => (amount === null ? common.none : amountText(amount, language, 2)),
          },
          { title: common.export.standing, show: ({ state }) => say.states[state] },
        ]}
      />
    </section>
  )
}
