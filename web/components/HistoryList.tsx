// HistoryList: what happened to a record, when, and by whom.
import type { ReactNode } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { Actor } from './Actor.tsx'

export interface HistoryEntry {
  readonly at: number
  readonly title: string
  readonly details?: ReactNode
  readonly actor: string
  /** Stands after the actor. */
  readonly reference?: string | null
  readonly action?: ReactNode
}

export function HistoryList({ entries }: { entries: readonly HistoryEntry[] }) {
  const { format } = useTranslation()
  return (
    <ol className="history">
      {entries.map(({ at, title, details, actor, reference, action }, index) => (
        <li key={index}>
          <div className="history-line">
            <strong>{title}</strong>
            <span>{details}</span>
          </div>
          <div className="history-by muted">
            {format.timestamp(at)} · <Actor actor={actor} />
            {reference && ` · ${reference}`}
          </div>
          {action}
        </li>
      ))}
    </ol>
  )
}
