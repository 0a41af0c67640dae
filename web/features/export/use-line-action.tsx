// useLineAction: an action on exported lines, with its preview, its confirmation, and how many lines it changed.
import type { LineActionResult, LineAction } from '../../../src/app/contract/export.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useExportDetailsText } from './details-i18n.ts'
import { UndoPreview, explainNotPossible } from './UndoPreview.tsx'

/** `outcome` and `dialog` are shown by the caller. */
export function useLineAction(destination: number, onDone: () => void = () => {}) {
  const [pending, setPending] = useState<{ action: LineAction; ids: readonly number[] } | null>(null)
  const [last, setLast] = useState<{ action: LineAction; result: LineActionResult } | null>(null)
  return {
    start: (action: LineAction, ids: Iterable<number>) =>
      setPending({ action, ids: [...ids].toSorted((one, other) => one - other) }),
    outcome: last !== null && <LineActionOutcome {...last} onClose={() => setLast(null)} />,
    dialog: pending !== null && (
      <UndoPreview
        {...pending}
        destination={destination}
        onClose={() => setPending(null)}
        onDone={(result) => {
          setPending(null)
          setLast({ action: pending.action, result })
          onDone()
        }}
      />
    ),
  }
}

interface LineActionOutcomeProps {
  readonly action: LineAction
  readonly result: LineActionResult
  readonly onClose: () => void
}

/** How many lines were changed, and why others were not. */
function LineActionOutcome({ action, result: { done, others: notDone }, onClose }: LineActionOutcomeProps) {
  const { t, format } = useExportDetailsText()
  return (
    <div className="outcome" aria-live="polite">
      <div className="alert">
        <div>
          <strong>{t.export.actionDone[action](format.count(done.length))}</strong>
          {notDone.length > 0 && (
            <ul className="not-done">
              {notDone.slice(0, 8).map((one) => (
                <li key={one.id}>
                  {t.approvals.line(one.id)}: {explainNotPossible(one, t)}
                </li>
              ))}
              {notDone.length > 8 && <li>{t.approvals.more(format.count(notDone.length - 8))}</li>}
            </ul>
          )}
        </div>
        <Button variant="subtle" onClick={onClose}>
          {t.close}
        </Button>
      </div>
    </div>
  )
}
