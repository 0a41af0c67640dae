// OwnLines: the user's lines, newest first, with state, rejection reason and correction.
import type { OwnMaterial, OwnMaterialRow } from '../../../src/app/contract/material-entry.ts'
import { Button } from '@mantine/core'
import { del } from '../../api/client.ts'
import { Actor } from '../../components/Actor.tsx'
import { useAction } from '../../components/use-action.ts'
import { EmptyState } from '../../components/QueryStates.tsx'
import { approvalText } from '../../i18n/approvals.ts'
import { materialEntryText } from './i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'

export function OwnLines({ rows, onEdit }: Pick<OwnMaterial, 'rows'> & { onEdit: (line: OwnMaterialRow) => void }) {
  const { t, format } = useTranslation(approvalText, materialEntryText)
  const { mutate, error } = useAction((id: number) => del('ownMaterialLine', undefined, { id }), {
    refreshes: ['material'],
  })
  return (
    <section aria-labelledby="mine">
      <h2 id="mine" className="section-title">
        {t.materialEntry.mine}
      </h2>
      <ErrorAlert error={error} />
      {rows.length === 0 && <EmptyState title={t.materialEntry.empty}>{t.materialEntry.emptyText}</EmptyState>}
      <ul className="card-list">
        {rows.map((line) => (
          <li key={line.id} className="panel">
            <div className="card-line">
              <strong>{line.itemName ?? line.itemId}</strong>
              <span className={`status-badge ${line.state}`}>{t.materialEntry.states[line.state]}</span>
            </div>
            <div className="card-line muted">
              <span>
                {format.day(line.date)}
                {line.projectId !== null && ` · ${line.projectName ?? line.projectId}`}
              </span>
              <span className="number">
                {format.quantity(line.quantity)} {line.unit}
              </span>
            </div>
            {line.rejectionReason !== null && (
              <p className="reason">
                {t.approvals.rejectedBecause(line.rejectionReason)}
                {line.decidedBy !== null && (
                  <span className="muted">
                    {' '}
                    <Actor actor={line.decidedBy} />
                  </span>
                )}
              </p>
            )}
            {(line.state === 'Registrert' || line.state === 'Avvist') && (
              <div className="actions">
                <Button variant="default" onClick={() => onEdit(line)}>
                  {line.state === 'Avvist' ? t.materialEntry.correct : t.materialEntry.change}
                </Button>
                <Button
                  variant="subtle"
                  aria-label={`${t.materialEntry.delete} ${line.itemName ?? line.itemId}`}
                  onClick={() => mutate(line.id)}
                >
                  {t.materialEntry.delete}
                </Button>
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
