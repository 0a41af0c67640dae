// Inline editor of a revenue cell.
import { useState, type KeyboardEvent } from 'react'
import { toDecimalText, parseTypedAmount } from '../../api/format.ts'
import { Icon } from '../../components/Icon.tsx'
import { revenueText } from '../../i18n/revenue.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import type { GridModelCell } from './grid-model.ts'
import styles from './GridTable.module.css'

interface FocusStep {
  readonly row: number
  readonly column: number
}

interface CellEditorProps {
  readonly cell: GridModelCell
  readonly label: string
  readonly onSave: (amount: string, step: FocusStep | null) => void
  /** Leaves without saving. */
  readonly onCancel: (step: FocusStep | null) => void
  readonly onPaste: (text: string) => void
  readonly onHistory: () => void
}

export function CellEditor(props: CellEditorProps) {
  const { cell, label, onSave, onCancel, onPaste, onHistory } = props
  const { t } = useTranslation(revenueText)
  const shown = cell.amount === null ? '' : formatTypedAmount(cell.amount)
  const [text, setText] = useState(shown)
  const amount = parseTypedAmount(text)
  const isWrong = text.trim() !== '' && amount === null

  const end = (step: FocusStep | null) => {
    if (amount === null || text === shown) onCancel(step)
    else onSave(amount, step)
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onCancel(null)
    else if (event.key === 'Enter' && !isWrong) end({ row: 1, column: 0 })
    else if (event.key === 'Tab' && !isWrong) end({ row: 0, column: event.shiftKey ? -1 : 1 })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <span className={styles.editor}>
      <input
        // Focus is expected: the user opened the cell.
        autoFocus
        inputMode="decimal"
        aria-label={label}
        aria-invalid={isWrong}
        title={isWrong ? t.revenue.notANumber(text) : undefined}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
        onBlur={({ relatedTarget }) => {
          if (!(relatedTarget instanceof HTMLElement && relatedTarget.dataset['history'])) end(null)
        }}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[\t\n]/.test(pasted.trim())) return
          event.preventDefault()
          onPaste(pasted)
        }}
      />
      <button
        type="button"
        tabIndex={-1}
        data-history="open"
        aria-label={t.revenue.history}
        title={t.revenue.history}
        onClick={onHistory}
      >
        <Icon name="history" size={16} />
      </button>
    </span>
  )
}

/** As a user types it: `12500,5`. */
function formatTypedAmount(amount: number): string {
  return toDecimalText(amount)
    .replace(/\.?0+$/, '')
    .replace('.', ',')
}
