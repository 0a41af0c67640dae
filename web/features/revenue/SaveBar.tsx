// SaveBar: how many cells were saved, with undo, or the error.
import { Button } from '@mantine/core'
import { Refusal } from '../../api/client.ts'
import { revenueText } from '../../i18n/revenue.ts'
import { useText } from '../../i18n/translation.tsx'
import type { Saving } from './use-cell-edits.ts'

export function SaveBar({ saving }: { saving: Saving }) {
  const { say } = useText(revenueText)
  const { saved, undo, error, dismiss } = saving
  return (
    <div aria-live="polite">
      {error !== null && (
        <div className="alert error" role="alert">
          <span>
            <strong>{say.revenue.conflict}.</strong> {textOf(error, say.states.offlineTitle)}
          </span>
          <Button variant="default" size="xs" onClick={dismiss}>
            {say.close}
          </Button>
        </div>
      )}
      {error === null && saved > 0 && (
        <div className="alert">
          <span>{say.revenue.saved(saved)}</span>
          {undo !== null && (
            <Button variant="default" size="xs" onClick={() => void undo()}>
              {say.undo}
            </Button>
          )}
        </div>
      )}
    </div>
  )
}

function textOf(error: Error, offline: string): string {
  return error instanceof Refusal && error.code === 'Offline' ? offline : error.message
}
