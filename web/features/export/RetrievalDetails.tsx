// RetrievalDetails: totals, checksum and lines of a retrieval, with downloads.
import { Button } from '../../components/Button.tsx'
import type { ExportDestination } from '../../../src/app/contract/export.ts'
import { retrievalQuery } from './details-api.ts'
import { useSession } from '../../api/session.ts'
import { FieldList } from '../../components/FieldList.tsx'
import { SideDrawer } from '../../components/SideDrawer.tsx'
import { Loaded } from '../../components/QueryStates.tsx'
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
  return (
    <SideDrawer title={t.exportDetails.retrieval(id)} note="" onClose={onClose}>
      <Loaded options={retrievalQuery(id)}>
        {(whole) => (
          <>
            <RetrievalFacts retrieval={whole.retrieval} />
            <div className="actions">
              <ReceiptButton id={id} destinations={destinations} />
              <Downloads id={id} />
            </div>
            <UndoAll {...whole} />
            <RetrievalLines {...whole} />
          </>
        )}
      </Loaded>
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
          <Button
            label={`${t.export.actionTitle.undone(format.count(ids.length))} …`}
            onClick={() => start('undone', ids)}
          />
        </p>
      )}
      {dialog}
    </>
  )
}
