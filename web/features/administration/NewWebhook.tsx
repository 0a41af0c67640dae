// Dialog to add a webhook: URL and event types.
import type { CreatedWebhookSecret } from '../../../src/app/contract/administration.ts'
import { appPaths } from '../../../src/app/contract/paths.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAdminAction } from './api.ts'
import { errorAt } from '../../api/client.ts'
import { administrationText } from '../../i18n/administration.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { ChoiceList } from '../../components/ChoiceList.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'

interface NewWebhookProps {
  readonly events: readonly string[]
  readonly onClose: () => void
  readonly onCreated: (made: CreatedWebhookSecret) => void
}

export function NewWebhook({ events, onClose, onCreated }: NewWebhookProps) {
  const { webhooks } = useTranslation(administrationText).t
  const names: Readonly<Record<string, string>> = webhooks.eventNames
  const { mutate, isPending, error } = useAdminAction<typeof appPaths.webhookAdd>(onCreated)
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [isTried, setTried] = useState(false)
  const isMissing = isTried && url.trim() === ''
  // An error of the URL is shown at its field.
  const urlError = errorAt('url', error)
  const submit = () => {
    setTried(true)
    if (url.trim() === '') return
    mutate({ path: appPaths.webhookAdd, fields: { url: url.trim(), events: chosen.join(' ') } })
  }
  return (
    <ActionDialog
      title={webhooks.add}
      submit={webhooks.add}
      isBusy={isPending}
      error={urlError === null ? error : null}
      onClose={onClose}
      onSubmit={submit}
    >
      <TextInput
        data-autofocus
        type="url"
        label={webhooks.address}
        description={webhooks.addressHint}
        placeholder="https://"
        value={url}
        maxLength={2000}
        error={isMissing ? webhooks.addressMissing : urlError?.messageNaming(webhooks.address)}
        onChange={({ currentTarget }) => setUrl(currentTarget.value)}
      />
      <ChoiceList
        label={webhooks.events}
        description={webhooks.eventsHint}
        choices={events.map((event) => [event, names[event] ?? event])}
        value={chosen}
        onChange={setChosen}
      />
    </ActionDialog>
  )
}
