// Properties of the approval queue, and what others may do with it.
import type { ApprovalOverview } from '../../../src/app/contract/approvals.ts'
import type { Ref } from 'react'
import type { ApprovalListFilter } from '../../api/approvals.ts'
import type { TableOrder } from '../../components/Table.tsx'
import type { Decisions } from './use-decisions.ts'

export interface ApprovalQueueHandle {
  /** Opens the line after the open one, or before it. */
  readonly openNeighbour: (rows: 1 | -1) => void
  readonly hasSelection: () => boolean
  readonly focusCurrentRow: () => void
}

export interface ApprovalQueueProps {
  readonly ref: Ref<ApprovalQueueHandle>
  readonly overview: ApprovalOverview
  readonly filter: ApprovalListFilter
  readonly isFetching: boolean
  readonly showsAnomaliesOnly: boolean
  /** The lines that are selected at first: all from a group summary, or those without anomalies. */
  readonly ticks: true | 'uten-avvik' | undefined
  readonly decisions: Decisions
  readonly showsOutcome: boolean
  readonly openId: number | undefined
  readonly onOpen: (id: number) => void
  readonly onSort: TableOrder['onSort']
}
