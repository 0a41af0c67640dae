// GroupSummaries: the entry on phones. Opening a group selects all of its lines.
import type { ApprovalOverview, LineGroup, LineGrouping } from '../../../src/app/contract/approvals.ts'
import { Chip } from '../../components/Button.tsx'
import { useApprovalText } from '../../i18n/approvals.ts'
import styles from './GroupSummaries.module.css'

interface GroupSummariesProps {
  readonly overview: ApprovalOverview
  readonly grouping: SummaryGrouping
  readonly onOpen: (key: string) => void
  readonly onAll: () => void
}

/** Groupings that have a summary. */
export type SummaryGrouping = Extract<LineGrouping, 'project' | 'employee' | 'department'>

export function isSummaryGrouping(grouping: LineGrouping): grouping is SummaryGrouping {
  return grouping === 'project' || grouping === 'employee' || grouping === 'department'
}

export function GroupSummaries({ overview: { groups }, grouping, onOpen, onAll }: GroupSummariesProps) {
  const { t } = useApprovalText()
  return (
    <>
      <p className="summary">{t.approvals.summaryHint}</p>
      <ul className={styles.groups}>
        {groups.map((group) => (
          <li key={group.key}>
            <button type="button" className={`panel ${styles.card}`} onClick={() => onOpen(group.key)}>
              <GroupSummaryCard group={group} grouping={grouping} />
            </button>
          </li>
        ))}
      </ul>
      <Chip label={t.approvals.showLines} onClick={onAll} />
    </>
  )
}

function GroupSummaryCard({ group, grouping }: { group: LineGroup; grouping: SummaryGrouping }) {
  const { t, format } = useApprovalText()
  const { key, name, count, amount, from, to, anomalyCount } = group
  const days = [from, to].filter((day, at) => at === 0 || day !== from)
  return (
    <>
      <span className="card-line">
        <strong>{name ?? (key || t.approvals.without[grouping])}</strong>
        <strong className="number">{format.amount(amount, 2)}</strong>
      </span>
      <span className="card-line muted">
        <span>{days.map((day) => format.day(day, 'dayMonth')).join(' – ')}</span>
        <span>{t.approvals.lines(format.count(count))}</span>
      </span>
      {anomalyCount > 0 && <span className="warning-tag">{t.approvals.anomalyCount(format.count(anomalyCount))}</span>}
    </>
  )
}
