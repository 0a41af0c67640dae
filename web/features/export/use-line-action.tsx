// useLineAction: an action on exported lines, with its preview, its reason, and how many lines it changed.
import { Button } from '../../components/Button.tsx'
import type { LineActionResult, LineAction, LineActionPreview } from '../../../src/app/contract/export.ts'
import { Select } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useExportDetailsText } from './details-i18n.ts'
import { queryOptions } from '@tanstack/react-query'
import { post } from '../../api/client.ts'
import { useAction } from '../../components/use-action.ts'
import { Loaded } from '../../components/QueryStates.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ReasonForm } from '../../components/ReasonForm.tsx'
import styles from './Export.module.css'

/** `outcome` and `dialog` are shown by the caller. */
export function useLineAction(destination: number, onDone: () => void = () => {}) {
  const [dialog, setDialog] = useState<ReactNode>(null)
  const [outcome, setOutcome] = useState<ReactNode>(null)
  const start = (action: LineAction, ids: Iterable<number>) =>
    setDialog(
      <UndoPreview
        action={action}
        ids={[...ids].toSorted((one, other) => one - other)}
        destination={destination}
        onClose={() => setDialog(null)}
        onDone={(result) => {
          setDialog(null)
          setOutcome(<LineActionOutcome action={action} result={result} onClose={() => setOutcome(null)} />)
          onDone()
        }}
      />,
    )
  return { start, outcome, dialog }
}

interface LineActionOutcomeProps {
  readonly action: LineAction
  readonly result: LineActionResult
  readonly onClose: () => void
}

function LineActionOutcome({ action, result: { done, others: notDone }, onClose }: LineActionOutcomeProps) {
  const { t, format } = useExportDetailsText()
  return (
    <div className="outcome" aria-live="polite">
      <div className="alert">
        <div>
          <strong>{t.export.actionDone[action](format.count(done.length))}</strong>
          {notDone.length > 0 && (
            <ul className="not-done">
              <NotDoneLines lines={notDone.slice(0, 8)} />
              {notDone.length > 8 && <li>{t.approvals.more(format.count(notDone.length - 8))}</li>}
            </ul>
          )}
        </div>
        <Button label={t.close} variant="subtle" onClick={onClose} />
      </div>
    </div>
  )
}

interface UndoPreviewProps {
  readonly action: LineAction
  readonly destination: number
  readonly ids: readonly number[]
  readonly onClose: () => void
  readonly onDone: (returned: LineActionResult) => void
}

function UndoPreview({ action, destination, ids, onClose, onDone }: UndoPreviewProps) {
  const { t, format } = useExportDetailsText()
  const preview = queryOptions({
    queryKey: ['material', 'export', 'preview', action, destination, ids.join(',')],
    queryFn: () => post('exportPreview', { action, destination: String(destination), ids: ids.join(',') }),
    gcTime: 0,
  })
  return (
    <Dialog size="lg" title={t.export.actionTitle[action](format.count(ids.length))} onClose={onClose}>
      <Loaded options={preview}>
        {({ lines }) => (
          <div className="dialog-form">
            <Preview action={action} lines={lines} />
            <UndoForm
              action={action}
              destination={destination}
              ids={lines.filter(({ code }) => code === action).map(({ id }) => id)}
              onClose={onClose}
              onDone={onDone}
            />
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Preview({ action, lines }: { action: LineAction; lines: readonly LineActionPreview[] }) {
  const { t, format } = useExportDetailsText()
  const eligible = lines.filter(({ code }) => code === action)
  const sum = eligible.reduce((total, { amount }) => total + (amount ?? 0), 0)
  const receiverIds = eligible.flatMap(({ externalId }) => externalId ?? [])
  const locked = eligible.filter(({ isLocked }) => isLocked).length
  return (
    <>
      <p>{t.approvals.summary(format.count(eligible.length), format.amount(sum, 2), null)}</p>
      {action === 'undone' && receiverIds.length > 0 && (
        <div>
          <p>{t.export.removeAtReceiver}</p>
          <ul className={styles.ids}>
            {receiverIds.map((id) => (
              <li key={id}>
                <code>{id}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
      {locked > 0 && <p className="problem">{t.export.locked(format.count(locked))}</p>}
      {eligible.length < lines.length && (
        <ul className="not-done">
          <NotDoneLines lines={lines.filter(({ code }) => code !== action).slice(0, 20)} />
        </ul>
      )}
    </>
  )
}

const actionEndpoints = {
  undone: 'exportUndo',
  closed: 'exportClose',
  retried: 'exportRetry',
  sent_back: 'exportSendBack',
} as const satisfies Readonly<Record<LineAction, string>>

function UndoForm({ action, destination, ids, onClose, onDone }: UndoPreviewProps) {
  const { t, format } = useExportDetailsText()
  const [code, setCode] = useState<string>('other')
  const execution = useAction(
    (reason: string) =>
      post(actionEndpoints[action], { destination: String(destination), ids: ids.join(','), reason, code }),
    { refreshes: ['material'], onDone },
  )
  return (
    <ReasonForm
      submit={t.export.actionConfirm[action](format.count(ids.length))}
      hint={t.export.reasonHint}
      action={execution}
      isDisabled={ids.length === 0}
      onClose={onClose}
      onSubmit={execution.mutate}
    >
      <Select
        label={t.export.reasonCode}
        allowDeselect={false}
        value={code}
        data={Object.entries(t.export.reasonCodes).map(([value, label]) => ({ value, label }))}
        onChange={(value) => setCode(value ?? 'other')}
      />
    </ReasonForm>
  )
}

function NotDoneLines({ lines }: { lines: readonly LineActionPreview[] }) {
  const { t } = useExportDetailsText()
  const { notFound, corrected, states } = t.export.notPossible
  return lines.map(({ id, code, state, isCorrected }) => (
    <li key={id}>
      {t.approvals.line(id)}:{' '}
      {code === 'not_found' || state === null ? notFound : isCorrected ? corrected : states[state]}
    </li>
  ))
}
