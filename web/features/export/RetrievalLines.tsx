// RetrievalLines: the lines of a retrieval, their downloads, and its receipt.
import { Button } from '../../components/Button.tsx'
import type { ExportLineDetails, RetrievalPage, ExportDestination } from '../../../src/app/contract/export.ts'
import { Link } from '@tanstack/react-router'
import { downloadCsv, downloadFile } from '../../api/csv.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { useAction } from '../../components/use-action.ts'
import { fetchWholeRetrieval } from './details-api.ts'
import { useExportDetailsText } from './details-i18n.ts'
import { useMutation } from '@tanstack/react-query'
import { useSession } from '../../api/session.ts'
import { receiptTexts } from './receipt-i18n.ts'
import { getReceiptFileName, renderReceipt, type Receipt } from './receipt.ts'

export type RetrievalHeader = RetrievalPage['retrieval']

export interface LinesProps {
  readonly retrieval: RetrievalHeader
  /** All of them. */
  readonly lines: readonly ExportLineDetails[]
}

/** Of all lines, as they are now. */
export function Downloads({ id }: { id: number }) {
  const { t } = useExportDetailsText()
  const { mutate, error } = useAction((kind: 'json' | 'csv') => download(id, kind), { refreshes: [] })
  return (
    <>
      {(['json', 'csv'] as const).map((kind) => (
        <Button label={t.exportDetails[kind]} key={kind} icon="download" onClick={() => mutate(kind)} />
      ))}
      <ErrorAlert error={error} />
    </>
  )
}

async function download(id: number, kind: 'json' | 'csv'): Promise<void> {
  const { retrieval, lines } = await fetchWholeRetrieval(id)
  const rows = lines.toReversed().map(toExportRow)
  const name = `uthenting-${id}.${kind}`
  if (kind === 'json') {
    const text = JSON.stringify({ ...retrieval, lines: rows }, null, 2)
    return downloadFile(name, new Blob([text], { type: 'application/json' }))
  }
  const cells = rows.map((row) => Object.values(row).map((one) => one ?? ''))
  downloadCsv(name, [Object.keys(rows[0] ?? {}), ...cells])
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

export function RetrievalLines({ retrieval, lines }: LinesProps) {
  const { t, format } = useExportDetailsText()
  const { columns } = t.approvals
  const exported = lines.filter(({ state }) => state === 'exported').length
  const counted = format.count(lines.length)
  const shown = lines.slice(0, 1000)
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
      <h2 id="retrieval-lines">{t.table.lines}</h2>
      <p>
        {t.exportDetails.exportedCount} {format.count(exported)} · {t.exportDetails.remaining}{' '}
        {format.count(lines.length - exported)}
      </p>
      <p className="muted">
        {t.exportDetails.shown(counted, format.count(retrieval.count))}{' '}
        {shown.length < lines.length && t.exportDetails.firstOf(format.count(shown.length), counted)}
      </p>
      <DataTable
        labelledBy="retrieval-lines"
        rows={shown}
        isPartial={shown.length < retrieval.count}
        keyOf={({ id }) => id}
        columns={[
          { title: t.approvals.columns.id, isRowHeader: true, value: 'id', show: ({ id }) => open(id) },
          { value: 'date', title: columns.date, type: 'day' },
          { key: 'item', title: columns.item, isLong: true, value: ({ itemName, itemId }) => itemName ?? itemId },
          { value: 'quantity', title: columns.quantity, type: 'quantity' },
          { value: 'amount', title: columns.amount, type: 'amount' },
          { key: 'state', title: t.table.state, value: ({ state }) => t.exportDetails.states[state] },
        ]}
      />
    </section>
  )
}

export function ReceiptButton({ id, destinations }: { id: number; destinations: readonly ExportDestination[] }) {
  const { t, language, format } = useExportDetailsText()
  const { states } = t.exportDetails
  const receiptText = receiptTexts[language]
  const { company, currency, zone } = useSession()
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { retrieval, lines } = await fetchWholeRetrieval(id)
      const { destinationId, actor, query } = retrieval
      const receipt: Receipt = {
        retrieval,
        lines,
        company,
        currency,
        zone,
        states,
        destination: destinations.find((one) => one.id === destinationId)?.name ?? '',
        by: format.actor(actor),
        query: query ?? t.export.allWaiting,
        madeAt: Date.now() * 1000,
      }
      const text = await renderReceipt(receipt, receiptText, language)
      downloadFile(getReceiptFileName(id), new Blob([text], { type: 'text/html' }))
    },
  })
  return (
    <>
      <Button isPrimary label={receiptText.download} loading={isPending} icon="download" onClick={() => mutate()} />
      <ErrorAlert error={error} />
    </>
  )
}
