// Material entry: register a line, and see the state of own lines.
import { Button } from '../../components/Button.tsx'
import type { OwnMaterialRow, OwnMaterial } from '../../../src/app/contract/material-entry.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ownMaterialQuery, registerLine } from './api.ts'
import { toDraft, toLine } from './draft.ts'
import { Page } from '../../components/Page.tsx'
import { Loaded, EmptyState } from '../../components/QueryStates.tsx'
import { MaterialEntryForm } from './MaterialEntryForm.tsx'
import styles from './MaterialEntry.module.css'
import { del } from '../../api/client.ts'
import { Actor } from '../../components/Actor.tsx'
import { focusElement } from '../../components/focus-element.ts'
import { useAction } from '../../components/use-action.ts'
import { useSession } from '../../api/session.ts'
import { useMaterialEntryText } from './i18n.ts'
import { QueuedNotice } from '../../components/Outbox.tsx'
import type { EntryOutcome } from './use-material-entry.ts'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'

export function MaterialEntry() {
  const { t } = useMaterialEntryText()
  return (
    <Page title={t.screens.uttak} scope="material:write">
      <MaterialLines />
    </Page>
  )
}

function MaterialLines() {
  const navigate = useNavigate()
  const [edited, setEdited] = useState<OwnMaterialRow | null>(null)
  /** What the form did last, until that line or another one is deleted. */
  const [outcome, setOutcome] = useState<EntryOutcome | null>(null)
  const edit = (line: OwnMaterialRow | null, before: EntryOutcome | null) => {
    setEdited(line)
    setOutcome(before)
  }
  return (
    <Loaded options={ownMaterialQuery}>
      {(own) => (
        <div className={styles.columns}>
          <MaterialEntryForm
            // Resets the form for another line.
            key={edited?.id ?? 'new'}
            own={own}
            edited={edited}
            outcome={outcome}
            onOutcome={setOutcome}
            onDone={(done) => edit(null, done)}
          />
          <OwnLines
            own={own}
            onDelete={({ id }) => edit(id === edited?.id ? null : edited, null)}
            onEdit={(line) => {
              edit(line, null)
              // Leaves the link to the own lines.
              void navigate({ to: '/app/uttak', hash: '', replace: true })
              window.scrollTo({ top: 0 })
            }}
          />
        </div>
      )}
    </Loaded>
  )
}

interface OwnLinesProps {
  readonly own: OwnMaterial
  readonly onEdit: (line: OwnMaterialRow) => void
  readonly onDelete: (line: OwnMaterialRow) => void
}

function OwnLines({ own, onEdit, onDelete }: OwnLinesProps) {
  const { rows } = own
  const { t, format, language } = useMaterialEntryText()
  const session = useSession()
  /** What was done last; `line` is what may be registered again. */
  const [outcome, setOutcome] = useState<(EntryOutcome & { readonly line: OwnMaterialRow | null }) | null>(null)
  const describe = ({ quantity, unit, itemName, itemId }: OwnMaterialRow) =>
    [format.quantity(quantity), unit, itemName ?? itemId].filter((part) => part !== null).join(' ')
  const remove = useAction((line: OwnMaterialRow) => del('ownMaterialLine', undefined, { id: line.id }), {
    refreshes: ['material'],
  })
  const restore = useAction(
    (line: OwnMaterialRow) =>
      registerLine(toLine(toDraft(line, language), own.items, language), describe(line), session),
    { refreshes: ['material'] },
  )
  const onRemoved = (line: OwnMaterialRow) => {
    setOutcome({ text: t.materialEntry.deleted(describe(line)), line })
    onDelete(line)
  }
  const onRestored = (reply: { id: number } | null, line: OwnMaterialRow) =>
    setOutcome({ text: reply === null ? null : t.materialEntry.registeredAgain(describe(line)), line: null })
  return (
    <section aria-labelledby="mine">
      <h2 id="mine" className="section-title">
        {t.ownMaterial}
      </h2>
      <ErrorAlert error={remove.error ?? restore.error} />
      {outcome !== null && (
        // The button that had the focus is gone.
        <div key={outcome.text} className="alert" role="status" tabIndex={-1} ref={focusElement}>
          <span>{outcome.text ?? <QueuedNotice />}</span>
          {outcome.line !== null && (
            <Button
              label={t.undo}
              loading={restore.isPending}
              onClick={() => outcome.line && restore.mutate(outcome.line, { onSuccess: onRestored })}
            />
          )}
        </div>
      )}
      {rows.length === 0 && <EmptyState title={t.materialEntry.empty}>{t.materialEntry.emptyText}</EmptyState>}
      <ul className="card-list">
        {rows.map((line) => (
          <li key={line.id} className="panel">
            <div className="card-line">
              <strong>{line.itemName ?? line.itemId}</strong>
              <span className={`status-badge ${line.state}`}>{t.approvals.states[line.state]}</span>
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
                <Button
                  label={line.state === 'Avvist' ? t.materialEntry.correct : t.change}
                  onClick={() => onEdit(line)}
                />
                <Button
                  label={t.delete}
                  variant="subtle"
                  aria-label={`${t.delete} ${line.itemName ?? line.itemId}`}
                  onClick={() => remove.mutate(line, { onSuccess: () => onRemoved(line) })}
                />
              </div>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
