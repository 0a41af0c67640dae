// ReconcileResult: counts and differences of the two lists, and actions on them.
import { Button } from '../../components/Button.tsx'
import type { ReconcileReport } from '../../../src/app/contract/export.ts'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { useSession } from '../../api/session.ts'
import { focusElement } from '../../components/focus-element.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { useExportDetailsText } from './details-i18n.ts'
import { useLineAction } from './use-line-action.tsx'
import styles from './Export.module.css'

interface ReconcileResultProps {
  readonly destination: number
  readonly found: ReconcileReport
  /** A difference was fixed: compare again. */
  readonly onChanged: () => void
}

export function ReconcileResult(props: ReconcileResultProps) {
  const { t, format } = useExportDetailsText()
  const { found } = props
  const counts = [
    [t.exportDetails.both, found.both, false],
    [t.exportDetails.onlyOurs, found.onlyOursCount, true],
    [t.exportDetails.onlyTheirs, found.onlyTheirsCount, true],
  ] as const
  return (
    <div className={styles.reconciliation}>
      <h3 ref={focusElement} tabIndex={-1}>
        {found.onlyOursCount + found.onlyTheirsCount === 0 ? t.exportDetails.equal : t.exportDetails.different}
      </h3>
      <dl className="figures">
        {counts.map(([name, count, isOdd]) => (
          <div key={name} className={isOdd && count > 0 ? 'has-failed' : undefined}>
            <dt>{name}</dt>
            <dd className="figure">{format.count(count)}</dd>
          </div>
        ))}
      </dl>
      <OnlyOurs {...props} />
      <OnlyTheirs {...props} />
    </div>
  )
}

function OnlyOurs({ destination, found, onChanged }: ReconcileResultProps) {
  const { t, format } = useExportDetailsText()
  const { scopes } = useSession()
  const noteOf = useNote()
  const { exportKey, receiverId } = t.exportDetails.fields
  const { start, outcome, dialog } = useLineAction(destination, onChanged)
  const { onlyOurs, onlyOursCount } = found
  const ids = onlyOurs.map(({ lineId }) => lineId)
  return (
    <>
      {outcome}
      {onlyOurs.length > 0 && (
        <DataTable
          name="bare-hos-oss"
          title={t.exportDetails.onlyOurs}
          note={noteOf(t.exportDetails.onlyOursText, onlyOurs.length, onlyOursCount)}
          tools={
            scopes.includes('export:undo') && (
              <Button
                isPrimary
                label={t.exportDetails.requeue(format.count(ids.length))}
                onClick={() => start('undone', ids)}
              />
            )
          }
          rows={onlyOurs}
          isPartial={onlyOurs.length < onlyOursCount}
          keyOf={({ lineId }) => lineId}
          columns={[
            { title: t.approvals.columns.id, isNumber: true, value: 'lineId' },
            { value: 'exportKey', title: exportKey },
            { value: 'externalId', title: receiverId, isLong: true },
            { value: 'acknowledgedAt', title: t.export.stages.exported, type: 'timestamp' },
          ]}
        />
      )}
      {dialog}
    </>
  )
}

function OnlyTheirs({ destination, found, onChanged }: ReconcileResultProps) {
  const { t, format } = useExportDetailsText()
  const { scopes } = useSession()
  const noteOf = useNote()
  const { exportKey, receiverId } = t.exportDetails.fields
  const { onlyTheirs, onlyTheirsCount } = found
  const markable = onlyTheirs.flatMap(({ id, externalId, state }) =>
    id !== null && (state === 'ready' || state === 'withdrawn') ? [{ id: String(id), externalId }] : [],
  )
  const { mutate, data, error, isPending } = useAction(
    () => post('exportAcknowledge', markable, { params: { destination } }),
    { refreshes: ['material'], onDone: onChanged },
  )
  return (
    <>
      <div aria-live="polite">
        {error !== null && <p className="problem">{error.message}</p>}
        {data !== undefined && (
          <p className="alert">
            {t.exportDetails.reportedExported(format.count(data.done.length))}
            {data.others.length > 0 && ` ${t.exportDetails.notReported(format.count(data.others.length))}`}
          </p>
        )}
      </div>
      {onlyTheirs.length > 0 && (
        <DataTable
          name="bare-hos-mottakeren"
          title={t.exportDetails.onlyTheirs}
          note={noteOf(t.exportDetails.onlyTheirsText, onlyTheirs.length, onlyTheirsCount)}
          tools={
            markable.length > 0 &&
            scopes.includes('export:undo') && (
              <Button
                isPrimary
                label={t.exportDetails.acknowledgeLines(format.count(markable.length))}
                loading={isPending}
                onClick={() => mutate()}
              />
            )
          }
          rows={onlyTheirs}
          isPartial={onlyTheirs.length < onlyTheirsCount}
          keyOf={(_, index) => index}
          columns={[
            { title: t.approvals.columns.id, isNumber: true, value: 'id' },
            { value: 'exportKey', title: exportKey },
            { value: 'externalId', title: receiverId, isLong: true },
            {
              key: 'next',
              title: t.table.next,
              isLong: true,
              value: ({ state }) => t.exportDetails.nextSteps[state ?? 'unknown'],
            },
          ]}
        />
      )}
    </>
  )
}

/** The text, and that the list is not complete where it is not. */
function useNote() {
  const { t, format } = useExportDetailsText()
  return (text: string, shown: number, all: number) =>
    shown === all ? text : `${text} ${t.exportDetails.firstOf(format.count(shown), format.count(all))}`
}
