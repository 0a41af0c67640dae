// LineHistory: what happened to a line, from its registration to its export.
import type { MaterialLineDetails } from '../../../src/app/contract/approvals.ts'
import { Link } from '@tanstack/react-router'
import type { Formatter } from '../../api/format.ts'
import { toText } from '../../api/sets.ts'
import { HistoryList, type HistoryEntry } from '../../components/HistoryList.tsx'
import { type ApprovalTexts, approvalText } from '../../i18n/approvals.ts'
import { exportText } from '../../i18n/export.ts'
import { defineTranslation } from '../../i18n/translation.ts'

/** Newest first: exported, decided, changed, registered. */
export function LineHistory({ detail: { row, revisions, received } }: { detail: MaterialLineDetails }) {
  const { t, format } = useHistoryText()
  // An export is no decision.
  const lastDecision = row.state === 'Eksportert' ? 'Godkjent' : row.state
  const entries: HistoryEntry[] = [
    ...received.map(({ destinationId, action, at, actor, externalId, reason }) => ({
      at,
      title: format.code(t.export.actions, action),
      details: (
        <span className="muted">
          {[externalId, reason].filter((one) => one !== null).join(' · ')}{' '}
          <Link to="/app/eksport" search={{ linje: row.id, mottaker: destinationId }}>
            {t.approvals.exportDetails}
          </Link>
        </span>
      ),
      actor,
    })),
    ...(row.decidedAt === null || row.decidedBy === null
      ? []
      : [{ at: row.decidedAt, title: t.approvals.decisions[lastDecision], actor: row.decidedBy }]),
    ...revisions.map(({ replacedAt, replacedBy, content }, index) => ({
      at: replacedAt,
      title: t.approvals.changed,
      details: (
        <span className="muted">
          {describeChanges(content, revisions[index - 1]?.content ?? { ...row }, t, format)}
        </span>
      ),
      actor: replacedBy ?? '',
    })),
    { at: row.createdAt, title: t.approvals.registered, actor: row.registeredBy },
  ]
  return <HistoryList entries={entries.toSorted((one, other) => other.at - one.at)} />
}

const useHistoryText = defineTranslation(approvalText, exportText)

type RevisionContent = Readonly<Record<string, unknown>>

/** The fields that got another value: `Antall 640 → 64`. */
function describeChanges(before: RevisionContent, after: RevisionContent, t: ApprovalTexts, format: Formatter) {
  const show = (name: string, value: unknown) =>
    typeof value === 'number' && name !== 'employeeId' ? format.quantity(value) : toText(value) || '–'
  return changeableFields
    .filter(([name]) => before[name] !== after[name])
    .map(([name, column]) => {
      const title = t.approvals.columns[column]
      return `${title} ${show(name, before[name])} → ${show(name, after[name])}`
    })
    .join(', ')
}

const changeableFields = [
  ['date', 'date'],
  ['employeeId', 'employee'],
  ['projectId', 'project'],
  ['siteId', 'site'],
  ['departmentId', 'department'],
  ['itemId', 'item'],
  ['itemName', 'item'],
  ['quantity', 'quantity'],
  ['unit', 'quantity'],
  ['salesPrice', 'price'],
  ['remark', 'remark'],
] as const
