// Webhooks: status, add, rotate secret, delete.
import type { CreatedWebhookSecret, Webhook } from '../../../src/app/contract/administration.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { webhooksQuery, useAdminAction } from './api.ts'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { FieldNamesSwitch } from '../../components/Table.tsx'
import { integrationText } from './integrations-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Deliveries, DeliveryOutcome } from './Deliveries.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { ActionDialog } from '../../components/Dialog.tsx'
import { RowButton } from '../../components/RowButton.tsx'

export function Webhooks() {
  const { t } = useTranslation(integrationText)
  const [isAdding, setAdding] = useState(false)
  const [acting, setActing] = useState<PendingAction | null>(null)
  const [opened, setOpened] = useState<Webhook | null>(null)
  const [created, setCreated] = useState<CreatedWebhookSecret | null>(null)
  const finish = (reply: CreatedWebhookSecret | null) => {
    setAdding(false)
    setActing(null)
    setCreated(reply)
  }
  return (
    <section aria-label={t.webhooks.title}>
      <div className="toolbar">
        <Button size="sm" onClick={() => setAdding(true)}>
          {t.webhooks.add}
        </Button>
        <FieldNamesSwitch />
      </div>
      <QueryStates query={useQuery(webhooksQuery)}>
        {({ webhooks, events }) => (
          <>
            {webhooks.length === 0 && <EmptyState title={t.webhooks.none}>{t.webhooks.noneText}</EmptyState>}
            <ul className="card-list">
              {webhooks.map((webhook) => (
                <li key={webhook.id} className="panel">
                  <WebhookFacts webhook={webhook} />
                  <WebhookButtons webhook={webhook} onAct={setActing} onOpen={setOpened} />
                </li>
              ))}
            </ul>
            {isAdding && <NewWebhook events={events} onClose={() => finish(null)} onCreated={finish} />}
          </>
        )}
      </QueryStates>
      {acting !== null && <WebhookActionDialog {...acting} onClose={() => finish(null)} onDone={finish} />}
      {opened !== null && <Deliveries webhook={opened} onClose={() => setOpened(null)} />}
      {created !== null && (
        <SecretReveal
          title={t.webhooks.secretOf(created.url)}
          text={t.webhooks.secretShownOnce}
          secret={created.secret}
          onClose={() => setCreated(null)}
        />
      )}
    </section>
  )
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const { t, format } = useTranslation(integrationText)
  const { webhooks } = t
  const names: Readonly<Record<string, string>> = webhooks.eventNames
  const { id, url, events, createdAt, disabledAt, bothUntil, last } = webhook
  return (
    <>
      <div className="card-line">
        <span>
          <strong className="long-word">{url}</strong> <code className="muted">{id}</code>
        </span>
        <span className={`status-badge ${disabledAt === null ? 'Godkjent' : 'Avvist'}`}>
          {disabledAt === null ? webhooks.on : webhooks.off}
        </span>
      </div>
      <p>{events.length === 0 ? webhooks.allEvents : events.map((event) => names[event] ?? event).join(', ')}</p>
      <p className="muted">
        {webhooks.since(format.timestamp(createdAt))}
        {bothUntil !== null && ` · ${webhooks.bothSecretsValid(format.timestamp(bothUntil))}`}
      </p>
      <p className="muted">
        {last === null ? (
          webhooks.nothingSent
        ) : (
          <>
            {webhooks.last(names[last.type] ?? last.type, format.timestamp(last.at))}{' '}
            <DeliveryOutcome delivery={last} />
          </>
        )}
      </p>
      {disabledAt !== null && (
        <p>
          <span className="warning-tag">{webhooks.offSince(format.timestamp(disabledAt))}</span>
        </p>
      )}
    </>
  )
}

const webhookEndpoints = {
  prov: 'webhookTest',
  forny: 'webhookRotate',
  apne: 'webhookEnable',
  fjern: 'webhookRemove',
} as const

type WebhookAction = keyof typeof webhookEndpoints

interface PendingAction {
  readonly webhook: Webhook
  readonly actionName: WebhookAction
}

interface WebhookButtonsProps {
  readonly webhook: Webhook
  readonly onAct: (acting: PendingAction) => void
  readonly onOpen: (webhook: Webhook) => void
}

function WebhookButtons({ webhook, onAct, onOpen }: WebhookButtonsProps) {
  const { webhooks } = useTranslation(integrationText).t
  const about = `${webhook.url}, ${webhook.id}`
  const first: WebhookAction = webhook.disabledAt === null ? 'prov' : 'apne'
  return (
    <div className="actions">
      <RowButton label={webhooks.deliveries} of={about} onClick={() => onOpen(webhook)} />
      {([first, 'forny', 'fjern'] as const).map((actionName) => (
        <RowButton
          key={actionName}
          label={webhooks.actions[actionName]}
          of={about}
          variant={actionName === 'fjern' ? 'subtle' : 'default'}
          onClick={() => onAct({ webhook, actionName })}
        />
      ))}
    </div>
  )
}

interface WebhookActionDialogProps extends PendingAction {
  readonly onClose: () => void
  readonly onDone: (created: CreatedWebhookSecret | null) => void
}

function WebhookActionDialog({ webhook, actionName, onClose, onDone }: WebhookActionDialogProps) {
  const { webhooks } = useTranslation(integrationText).t
  const action = useAdminAction<(typeof webhookEndpoints)[WebhookAction]>((created) =>
    onDone('secret' in created ? created : null),
  )
  return (
    <ActionDialog
      title={`${webhooks.actions[actionName]}: ${webhook.url}`}
      submit={webhooks.actions[actionName]}
      action={action}
      isDestructive={actionName === 'fjern'}
      onClose={onClose}
      onSubmit={() => action.mutate({ endpoint: webhookEndpoints[actionName], fields: { id: String(webhook.id) } })}
    >
      <p>{webhooks.actionTexts[actionName]}</p>
    </ActionDialog>
  )
}
