// Material anomalies: unusual lines of the approval queue, by the flags that each write keeps (ADR 0049).
import { sql, type RawBuilder } from 'kysely'
import { transactionStates } from '../../model/transaction.ts'
import { anomalyBits } from './anomaly-flags.ts'
import { queryPerFilter, type ApprovalFilter } from './approval-filter.ts'
import type { Build } from '../statement.ts'

/** `anomalyFlags` has the bits of `anomalyBits`. */
export interface AnomalyRow {
  readonly id: number
  readonly anomalyFlags: number
}

const anomalyRowsMax = 1000

/** Only waiting lines have anomalies. */
export function anomalyDayOf({ state }: ApprovalFilter, today: string): string {
  return state === transactionStates.registered ? today : '9999-99-99'
}

/**
 * Lines with flags are read from an index of them, and those in the future from the index of days: both in the order of
 * date and id, so that a limit ends the read.
 */
function selectAnomalies({ value }: Build, matches: RawBuilder<unknown>, end: RawBuilder<unknown>) {
  return sql`
    select * from (
      select material.id, material.date, material."anomalyFlags" from material
      where ${matches} and material."anomalyFlags" > 0 and material.date <= ${value('today')} ${end}
    ) as flagged
    union all
    select * from (
      select material.id, material.date, material."anomalyFlags" + ${sql.lit(anomalyBits.future)} as "anomalyFlags" from material
      where ${matches} and material.date > ${value('today')} ${end}
    ) as future`
}

/** The oldest anomalies among the lines of the filter. `today` is `YYYY-MM-DD`. */
export const listAnomalies = queryPerFilter<AnomalyRow, { today: string }>((build, matches) => {
  const end = sql`order by material.date, material.id limit ${sql.lit(anomalyRowsMax)}`
  return sql`select anomaly.id, anomaly."anomalyFlags" from (${selectAnomalies(build, matches, end)}) as anomaly
    order by anomaly.date, anomaly.id limit ${sql.lit(anomalyRowsMax)}`
})

/** The ids of all anomalies among the lines of the filter. */
export const listAnomalyIds = queryPerFilter<{ id: number }, { today: string }>(
  (build, matches) => sql`select anomaly.id from (${selectAnomalies(build, matches, sql``)}) as anomaly`,
)
