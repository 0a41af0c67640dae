// Dialog to add a webhook: URL and event types.
import type { CreatedWebhookSecret } from '../../../src/app/contract/administration.ts'
import { TextInput } from '@mantine/core'
import { isNotEmpty } from '@mantine/form'
import { useAdminAction } from './api.ts'
import { useIntegrationText } from './integrations-i18n.ts'
import { ChoiceList } from '../../components/ChoiceList.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { useFields } from '../../components/use-fields.ts'

interface NewWebhookProps {
  readonly events: readonly string[]
  readonly onClose: () => void
  readonly onCreated: (made: CreatedWebhookSecret) => void
}

export function NewWebhook({ events, onClose, onCreated }: NewWebhookProps) {
  const { t, format } = useIntegrationText()
  const { webhooks } = t
  const adding = useAdminAction<'webhookAdd'>(onCreated)
  const { action, field, onSubmit } = useFields({
    initialValues: { url: '', events: [] as string[] },
    validate: { url: isNotEmpty(webhooks.addressMissing) },
    labels: { url: webhooks.address, events: webhooks.events },
    action: adding,
  })
  return (
    <ActionDialog
      title={webhooks.add}
      submit={webhooks.add}
      action={action}
      onClose={onClose}
      onSubmit={onSubmit(({ url, events: chosen }) =>
        adding.mutate({ endpoint: 'webhookAdd', fields: { url: url.trim(), events: chosen.join(' ') } }),
      )}
    >
      <TextInput
        {...field('url')}
        data-autofocus
        type="url"
        description={webhooks.addressHint}
        placeholder="https://"
        maxLength={2000}
      />
      <ChoiceList
        {...field('events')}
        description={webhooks.eventsHint}
        choices={events.map((event) => [event, format.code(webhooks.eventNames, event)])}
      />
    </ActionDialog>
  )
}
