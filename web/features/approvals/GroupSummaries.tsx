// GroupSummaries: the entry on phones. Opening a group selects all of its lines.
import type { Grouping, LineGroup, Overview } from '../../api/approvals.ts'
import { amountText, countText, dayText } from '../../api/format.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useText } from '../../i18n/translation.tsx'
import './GroupSummaries.css'

interface SummaryProps {
  readonly overview: Overview
  readonly grouping: SummedBy
  readonly onOpen: (key: string) => void
  readonly onAll: () => void
}

/** Groupings that have a summary. */
export type SummedBy = Extract<Grouping, 'project' | 'employee' | 'department'>

export function isSummedBy(grouping: Grouping): grouping is SummedBy {
  return grouping === 'project' || grouping === 'employee' || grouping === 'department'
}

export function Summary({ overview: { groups }, grouping, onOpen, onAll }: SummaryProps) {
  const { say } = useText(approvalText)
  return (
    <>
      <p className="summary">{say.approvals.summaryHint}</p>
      <ul className="summaries">
        {groups.map((group) => (
          <li key={group.key}>
            <button type="button" className="panel summary-card" onClick={() => onOpen(group.key)}>
              <Card group={group} grouping={grouping} />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="chip" onClick={onAll}>
        {say.approvals.showLines}
      </button>
    </>
  )
}

interface CardProps {
  readonly group: LineGroup
  readonly grouping: SummedBy
}

function Card({ group, grouping }: CardProps) {
  const { say, language } = useText(approvalText)
  const { key, name, count, amount, from, to, odd } = group
  const days = [from, to].filter((day, at) => at === 0 || day !== from)
  return (
    <>
      <span className="card-line">
        <strong>{name ?? (key || say.approvals.without[grouping])}</strong>
        <strong className="number">{amountText(amount, language)}</strong>
      </span>
      <span className="card-line muted">
        <span>{days.map((day) => dayText(day, language, 'dayMonth')).join(' – ')}</span>
        <span>{say.approvals.lines(countText(count, language))}</span>
      </span>
      {odd > 0 && (
        <span className="warning-tag">{say.approvals.oddCount(countText(odd, language))}</span>
      )}
    </>
  )
}
