// RowActions: the buttons of a row, the first of which is the most common.
import { Button } from '@mantine/core'

export interface RowAction {
  readonly label: string
  readonly run: () => void
  readonly isBusy?: boolean
  readonly isDestructive?: boolean
}

/** `of` names the row. */
export function RowActions({ actions, of }: { actions: readonly (RowAction | false)[]; of: string | undefined }) {
  return (
    <div className="actions">
      {actions.map(
        (action, index) =>
          action && (
            <Button
              key={action.label}
              size="compact-sm"
              variant={index === 0 ? 'default' : 'subtle'}
              {...(action.isDestructive === true && { color: 'red' })}
              aria-label={of === undefined ? undefined : `${action.label}: ${of}`}
              loading={action.isBusy ?? false}
              onClick={action.run}
            >
              {action.label}
            </Button>
          ),
      )}
    </div>
  )
}
