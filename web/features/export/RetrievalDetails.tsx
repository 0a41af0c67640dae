// RetrievalDetails: totals, checksum and lines of a retrieval, with downloads.
import type {
  ExportDestination,
  ExportLineDetails,
  LineActionResult,
  RetrievalPage,
} from '../../../src/app/contract/export.ts'
import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { downloadCsv, downloadFile } from '../../api/csv.ts'
import { retrievalQuery } from './details-api.ts'
import { useSession } from '../../api/session.ts'
import { formatActor } from '../../components/format-actor.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { Icon } from '../../components/Icon.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { Table } from '../../components/Table.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { auditText } from '../../i18n/audit.ts'
import { exportText } from '../../i18n/export.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ReceiptButton } from './ReceiptButton.tsx'
import { LineActionOutcome } from './LineActionOutcome.tsx'
import { UndoPreview } from './UndoPreview.tsx'
import { exportDetailsText } from './details-i18n.ts'

interface RetrievalDetailsProps {
  readonly id: number
  readonly destinations: readonly ExportDestination[]
  readonly onClose: () => void
}

export function RetrievalDetails({ id, destinations, onClose }: RetrievalDetailsProps) {
  const { t } = useTranslation(exportDetailsText)
  const query = useInfiniteQuery(retrievalQuery(id))
  return (
    <SideDrawer title={t.exportDetails.retrieval(id)} note="" onClose={onClose}>
      <QueryStates query={query}>
        {({ pages }) => {
          const [first] = pages
          if (first === undefined) return null
          const lines = pages.flatMap((page) => page.lines)
          return (
            <>
              <RetrievalFacts retrieval={first.retrieval} />
              <div className="actions">
                <ReceiptButton id={id} destinations={destinations} />
                <Downloads retrieval={first.retrieval} lines={lines} />
              </div>
              <UndoAll retrieval={first.retrieval} lines={lines} />
              <RetrievalLines retrieval={first.retrieval} lines={lines} />
              <ShowMore query={query}>{t.exportDetails.older}</ShowMore>
            </>
          )
        }}
      </QueryStates>
    </SideDrawer>
  )
}

type RetrievalHeader = RetrievalPage['retrieval']

function RetrievalFacts({ retrieval }: { retrieval: RetrievalHeader }) {
  const { t, format } = useTranslation(exportDetailsText, auditText, exportText, revenueText)
  const { fields } = t.exportDetails
  const { at, actor, query, count, amount, hash, requestId, claimId } = retrieval
  return (
    <FieldList
      fields={[
        [fields.at, format.timestamp(at)],
        [fields.by, formatActor(actor, t)],
        [fields.query, query ?? t.export.allWaiting],
        [fields.lines, format.count(count)],
        [fields.sum, format.amount(Number(amount) * 10_000, 2)],
        [fields.hash, hash],
        [fields.request, requestId],
        [fields.claim, claimId],
      ]}
    />
  )
}

interface LinesProps {
  readonly retrieval: RetrievalHeader
  readonly lines: readonly ExportLineDetails[]
}

function Downloads({ retrieval, lines }: LinesProps) {
  const { t } = useTranslation(exportDetailsText)
  const name = `uthenting-${retrieval.id}`
  const rows = lines.toReversed().map(toExportRow)
  const icon = <Icon name="download" size={16} />
  return (
    <>
      <Button
        variant="default"
        leftSection={icon}
        onClick={() => {
          const text = JSON.stringify({ ...retrieval, lines: rows }, null, 2)
          downloadFile(`${name}.json`, new Blob([text], { type: 'application/json' }))
        }}
      >
        {t.exportDetails.json}
      </Button>
      <Button
        variant="default"
        leftSection={icon}
        onClick={() => {
          const cells = rows.map((row) => Object.values(row).map((one) => String(one ?? '')))
          downloadCsv(`${name}.csv`, [Object.keys(rows[0] ?? {}), ...cells])
        }}
      >
        {t.exportDetails.csv}
      </Button>
    </>
  )
}

/** Undoes all lines of the retrieval that count as exported. */
function UndoAll({ retrieval, lines }: LinesProps) {
  const { t, format } = useTranslation(exportText)
  const { scopes } = useSession()
  const [isActing, setActing] = useState(false)
  const [outcome, setOutcome] = useState<LineActionResult | null>(null)
  const ids = lines.filter(({ state }) => state === 'exported').map(({ id }) => id)
  return (
    <>
      {outcome !== null && <LineActionOutcome action="undone" returned={outcome} onClose={() => setOutcome(null)} />}
      {scopes.includes('export:undo') && ids.length > 0 && (
        <p className="hint">
          <Button variant="default" onClick={() => setActing(true)}>
            {t.export.actionLabel.undone(format.count(ids.length))}
          </Button>
        </p>
      )}
      {isActing && (
        <UndoPreview
          action="undone"
          destination={retrieval.destinationId}
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
function toExportRow(line: ExportLineDetails) {
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

function RetrievalLines({ retrieval, lines }: LinesProps) {
  const { t, format } = useTranslation(exportDetailsText, approvalText, exportText)
  const { columns } = t.approvals
  const exported = lines.filter(({ state }) => state === 'exported').length
  const counted = format.count(lines.length)
  const open = (linje: number) => (
    <Link
      from="/app/eksport"
      search={(last) => ({ ...last, uthenting: undefined, linje, mottaker: retrieval.destinationId })}
    >
      {linje}
    </Link>
  )
  return (
    <section className="related" aria-labelledby="retrieval-lines">
      <h2 id="retrieval-lines">{t.exportDetails.fields.lines}</h2>
      <p>
        {t.exportDetails.exportedCount} {format.count(exported)} · {t.exportDetails.remaining}{' '}
        {format.count(lines.length - exported)}
      </p>
      <p className="muted">{t.exportDetails.shown(counted, format.count(retrieval.count))}</p>
      <Table
        labelledBy="retrieval-lines"
        rows={lines.slice(0, 1000)}
        keyOf={({ id }) => id}
        columns={[
          { title: t.export.columns.which, isNumber: true, show: ({ id }) => open(id) },
          { title: columns.date, show: ({ date }) => format.day(date) },
          { title: columns.item, isLong: true, show: (line) => line.itemName ?? line.itemId },
          { title: columns.quantity, isNumber: true, show: ({ quantity }) => format.quantity(quantity) },
          { title: columns.amount, isNumber: true, show: ({ amount }) => format.amount(amount, 2) },
          { title: t.export.status, show: ({ state }) => t.exportDetails.states[state] },
        ]}
      />
    </section>
  )
}
