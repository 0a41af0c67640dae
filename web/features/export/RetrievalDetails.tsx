// RetrievalDetails: totals, checksum and lines of a retrieval, with downloads.
import { Button } from '../../components/Button.tsx'
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { retrievalQuery } from './details-api.ts'
import { useSession } from '../../api/session.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { ShowMore } from '../../components/ShowMore.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { QueryStates } from '../../components/QueryStates.tsx'
import { useLineAction } from './use-line-action.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { Downloads, RetrievalLines, type RetrievalHeader, type LinesProps, ReceiptButton } from './RetrievalLines.tsx'

interface RetrievalDetailsProps {
  readonly id: number
  readonly destinations: readonly ExportDestination[]
  readonly onClose: () => void
}

export function RetrievalDetails({ id, destinations, onClose }: RetrievalDetailsProps) {
  const { t } = useExportDetailsText()
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
                <Downloads id={id} />
              </div>
              <UndoAll retrieval={first.retrieval} lines={lines} />
              <RetrievalLines retrieval={first.retrieval} lines={lines} />
              <ShowMore query={query} />
            </>
          )
        }}
      </QueryStates>
    </SideDrawer>
  )
}

function RetrievalFacts({ retrieval }: { retrieval: RetrievalHeader }) {
  const { t, format } = useExportDetailsText()
  const { fields } = t.exportDetails
  const { at, actor, query, count, amount, hash, requestId, claimId } = retrieval
  return (
    <FieldList
      fields={[
        [t.exportDetails.fetched, format.timestamp(at)],
        [t.table.by, format.actor(actor)],
        [fields.query, query ?? t.export.allWaiting],
        [t.table.lines, format.count(count)],
        [t.total, format.amount(Number(amount) * 10_000, 2)],
        [t.table.hash, hash],
        [t.table.request, requestId],
        [t.export.claim, claimId],
      ]}
    />
  )
}

/** Undoes all lines of the retrieval that count as exported. */
function UndoAll({ retrieval, lines }: LinesProps) {
  const { t, format } = useExportDetailsText()
  const { scopes } = useSession()
  const { start, outcome, dialog } = useLineAction(retrieval.destinationId)
  const ids = lines.filter(({ state }) => state === 'exported').map(({ id }) => id)
  return (
    <>
      {outcome}
      {scopes.includes('export:undo') && ids.length > 0 && (
        <p className="hint">
          <Button label={t.export.actionLabel.undone(format.count(ids.length))} onClick={() => start('undone', ids)} />
        </p>
      )}
      {dialog}
    </>
  )
}
