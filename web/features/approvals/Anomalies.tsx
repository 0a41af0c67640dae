// Anomalies of a line: as tags, and with the values that show why.
import { Button } from '../../components/Button.tsx'
import type { MaterialLineDetails } from '../../../src/app/contract/approvals.ts'
import type { ReactNode } from 'react'
import { anomalyBits } from '../../api/approvals.ts'
import { useApprovalText } from '../../i18n/approvals.ts'
import styles from './LineDetail.module.css'

type AnomalyName = keyof typeof anomalyBits

function namesOf(anomalyFlags: number): readonly AnomalyName[] {
  const names = Object.keys(anomalyBits) as AnomalyName[]
  return names.filter((name) => (anomalyFlags & anomalyBits[name]) !== 0)
}

/** Anomalies as text, so that colour is not the only signal. */
export function AnomalyTags({ anomalyFlags }: { anomalyFlags: number }) {
  const { t } = useApprovalText()
  return namesOf(anomalyFlags).map((name) => (
    <span key={name} className="warning-tag">
      {t.approvals.anomalies[name]}
    </span>
  ))
}

interface AnomalyReasonsProps {
  readonly anomalyFlags: number
  readonly detail: MaterialLineDetails
  readonly onOpen: (id: number) => void
}

export function AnomalyReasons({ anomalyFlags, detail: { row, usual, duplicates }, onOpen }: AnomalyReasonsProps) {
  const { t, format } = useApprovalText()
  const reasons: Readonly<Partial<Record<AnomalyName, ReactNode>>> = {
    unknownProject: row.projectId,
    unknownDepartment: row.departmentId,
    duplicate: duplicates.map((id) => (
      <Button label={t.approvals.line(id)} key={id} size="compact-sm" variant="subtle" onClick={() => onOpen(id)} />
    )),
    unusual:
      usual !== null &&
      t.approvals.usually(
        `${format.quantity(row.quantity)} ${row.unit ?? ''}`.trimEnd(),
        [...new Set([usual.low, usual.high].map((one) => format.quantity(one)))].join('–'),
      ),
    future: format.day(row.date, 'long'),
  }
  const names = namesOf(anomalyFlags)
  if (names.length === 0) return null
  return (
    <ul className={styles.reasons}>
      {names.map((name) => (
        <li key={name}>
          <span className="warning-tag">{t.approvals.anomalies[name]}</span>
          {reasons[name]}
        </li>
      ))}
    </ul>
  )
}
