// useApprovalQueue: lines, selection and keyboard of the approval queue (ADR 0049).
import type { ApprovalQueueProps } from './approval-queue-props.ts'
import { useLineSelection } from './use-line-selection.ts'
import { useListedLines } from './use-listed-lines.ts'
import { useQueueKeys } from './use-queue-keys.ts'

export type ApprovalQueueState = ReturnType<typeof useApprovalQueue>

export function useApprovalQueue(props: ApprovalQueueProps) {
  const listed = useListedLines(props)
  const selecting = useLineSelection(props, listed)
  const { at, setAt } = useQueueKeys(props, listed, selecting)
  const { overview, filter, decisions, openId, onOpen } = props
  return { overview, filter, decisions, openId, onOpen, ...listed, ...selecting, at, setAt }
}
