// QueueSummary: count and total of the list, and selecting all of its lines.
import { Button } from '@mantine/core'
import { decisionIdsMax } from '../../api/id-ranges.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { useTranslation } from '../../i18n/translation.tsx'

interface QueueSummaryProps {
  readonly count: number
  readonly total: number
  readonly anomalyCount: number
  /** Number of lines without anomalies; 0 where they are not selected apart. */
  readonly usualCount: number
  readonly mayDecide: boolean
  readonly onChooseAll: () => void
  readonly onChooseUsual: () => void
}

export function QueueSummary(props: QueueSummaryProps) {
  const { count, total, anomalyCount, usualCount, mayDecide, onChooseAll, onChooseUsual } = props
  const { t, format } = useTranslation(approvalText)
  return (
    <p className="summary" aria-live="polite">
      {t.approvals.summary(
        format.count(count),
        format.amount(total, 2),
        anomalyCount === 0 ? null : t.approvals.anomalyCount(format.count(anomalyCount)),
      )}
      {mayDecide && usualCount > 0 && (
        <Button variant="subtle" onClick={onChooseUsual}>
          {t.approvals.chooseUsual(format.count(usualCount))}
        </Button>
      )}
      {mayDecide && (
        <Button variant="subtle" onClick={onChooseAll}>
          {count <= decisionIdsMax
            ? t.approvals.chooseAll(format.count(count))
            : t.approvals.chooseFirst(format.count(decisionIdsMax), format.count(count))}
        </Button>
      )}
    </p>
  )
}
