// NoRows: why a list has no rows, and the button that clears its filters.
import { Button } from './Button.tsx'
import { useTranslation } from '../i18n/translation.ts'
import { EmptyState } from './QueryStates.tsx'

export interface NoRowsProps {
  /** A text, or a title and a text. */
  readonly empty?: string | readonly [title: string, text: string]
  /** Clears the filters of the screen; undefined without any. */
  readonly onClear?: (() => void) | undefined
}

export function NoRows({ empty, onClear }: NoRowsProps) {
  const { t } = useTranslation()
  if (onClear !== undefined)
    return (
      <EmptyState
        title={t.states.noMatchTitle}
        illustration="search"
        action={<Button label={t.states.clearFilter} onClick={onClear} />}
      >
        {t.states.noMatchText}
      </EmptyState>
    )
  if (typeof empty === 'string') return <p className="muted">{empty}</p>
  return empty === undefined ? null : <EmptyState title={empty[0]}>{empty[1]}</EmptyState>
}
