// AdminActionDialog: explains an action on a key or a webhook, and runs it.
import { ActionDialog } from '../../components/Dialog.tsx'
import type { PostName, PostReply } from '../../api/client.ts'
import { useAdminAction, type PostRequest } from './api.ts'

interface AdminActionDialogProps<Name extends PostName> {
  readonly action: string
  /** Names what it is done to. */
  readonly of: string
  readonly text: string
  readonly isDestructive: boolean
  readonly request: PostRequest<Name>
  readonly onClose: () => void
  readonly onDone: (reply: PostReply<Name>) => void
}

export function AdminActionDialog<Name extends PostName>(props: AdminActionDialogProps<Name>) {
  const { action, of, text, isDestructive, request, onClose, onDone } = props
  const running = useAdminAction<Name>(onDone)
  return (
    <ActionDialog
      title={`${action}: ${of}`}
      submit={action}
      action={running}
      isDestructive={isDestructive}
      onClose={onClose}
      onSubmit={() => running.mutate(request)}
    >
      <p>{text}</p>
    </ActionDialog>
  )
}
