// Dialog to add a webhook: URL and event types.
import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useAdministering } from './api.ts'
import { Refusal } from '../../api/client.ts'
import type { MadeSecret } from './webhooks-api.ts'
import { useGrave } from '../../components/Reauthenticate.tsx'
import { administrationText } from '../../i18n/administration.ts'
import { useText } from '../../i18n/translation.tsx'
import { Asking } from '../../components/ActionDialog.tsx'

interface NewWebhookProps {
  readonly events: readonly string[]
  readonly onClose: () => void
  readonly onMade: (made: MadeSecret) => void
}

export function NewWebhook({ events, onClose, onMade }: NewWebhookProps) {
  const { webhooks } = useText(administrationText).say
  const grave = useGrave()
  const { mutate, isPending, error } = useAdministering(grave.run, onMade)
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<string[]>([])
  const [isTried, setTried] = useState(false)
  const isMissing = isTried && url.trim() === ''
  // An error of the URL is shown at its field.
  const barred = error instanceof Refusal && error.target === 'url' ? error : null
  const submit = () => {
    setTried(true)
    if (url.trim() === '') return
    mutate({ path: 'webhooks/ny', fields: { url: url.trim(), events: chosen.join(' ') } })
  }
  return (
    <>
      <Asking
        title={webhooks.add}
        submit={webhooks.add}
        isBusy={isPending}
        error={barred === null ? error : null}
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
          error={isMissing ? webhooks.addressMissing : barred?.message}
          onChange={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <Checkbox.Group
          label={webhooks.events}
          description={webhooks.eventsHint}
          value={chosen}
          onChange={setChosen}
        >
          <div className="choices">
            {events.map((event) => (
              <Checkbox key={event} value={event} label={<code>{event}</code>} />
            ))}
          </div>
        </Checkbox.Group>
      </Asking>
      {grave.dialog}
    </>
  )
}
