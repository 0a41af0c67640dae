// Webhooks: status, add, rotate secret, delete.
import { Button } from '../../components/Button.tsx'
import type { CreatedWebhookSecret, Webhook } from '../../../src/app/contract/administration.ts'
import { useState } from 'react'
import { AdminActionDialog } from './AdminActionDialog.tsx'
import { webhooksQuery } from './api.ts'
import { Loaded } from '../../components/QueryStates.tsx'
import { FieldNamesSwitch } from '../../components/Table.tsx'
import { useIntegrationText } from './integrations-i18n.ts'
import { Deliveries, DeliveryOutcome } from './Deliveries.tsx'
import { NewWebhook } from './NewWebhook.tsx'
import { SecretReveal } from './SecretReveal.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import type { ListColumn } from '../../components/list-columns.tsx'

export function Webhooks() {
  const { t } = useIntegrationText()
  const columns = useWebhookColumns()
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
      <Loaded options={webhooksQuery}>
        {({ webhooks, events }) => (
          <>
            <DataTable
              name="webhooks"
              label={t.webhooks.title}
              tools={
                <>
                  <Button isPrimary label={t.webhooks.add} onClick={() => setAdding(true)} />
                  <FieldNamesSwitch />
                </>
              }
              rows={webhooks}
              empty={[t.webhooks.none, t.webhooks.noneText]}
              keyOf={({ id }) => id}
              columns={columns}
              nameOf={({ url, id }) => `${url}, ${id}`}
              actions={(webhook) => [
                { label: t.webhooks.deliveries, run: () => setOpened(webhook) },
                ...(
                  [
                    webhook.disabledAt === null ? 'webhookTest' : 'webhookEnable',
                    'webhookRotate',
                    'webhookRemove',
                  ] as const
                ).map((actionName) => ({
                  label: t.webhooks.actions[actionName],
                  isDestructive: actionName === 'webhookRemove',
                  run: () => setActing({ webhook, actionName }),
                })),
              ]}
            />
            {isAdding && <NewWebhook events={events} onClose={() => finish(null)} onCreated={finish} />}
          </>
        )}
      </Loaded>
      {acting !== null && (
        <AdminActionDialog
          action={t.webhooks.actions[acting.actionName]}
          of={acting.webhook.url}
          text={t.webhooks.actionTexts[acting.actionName]}
          isDestructive={acting.actionName === 'webhookRemove'}
          request={{ endpoint: acting.actionName, fields: { id: String(acting.webhook.id) } }}
          onClose={() => finish(null)}
          onDone={(reply) => finish('secret' in reply ? reply : null)}
        />
      )}
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

function useWebhookColumns(): readonly ListColumn<Webhook>[] {
  const { t, format } = useIntegrationText()
  const { webhooks } = t
  return [
    { title: webhooks.address, isRowHeader: true, isLong: true, value: 'url' },
    { value: 'id', title: webhooks.columns.id, isNumber: true, isOptional: true },
    {
      key: 'events',
      title: webhooks.events,
      isLong: true,
      value: ({ events }) =>
        events.map((event) => format.code(webhooks.eventNames, event)).join(', ') || webhooks.allEvents,
    },
    {
      key: 'state',
      title: t.table.state,
      isLong: true,
      value: ({ disabledAt }) => (disabledAt === null ? webhooks.on : webhooks.offSince(format.timestamp(disabledAt))),
      badge: ({ disabledAt }) => (disabledAt === null ? 'Godkjent' : 'warning-tag'),
    },
    {
      key: 'last',
      title: webhooks.columns.last,
      type: 'timestamp',
      isLong: true,
      value: ({ last }) => last?.at,
      show: ({ last }) =>
        last === null ? (
          webhooks.nothingSent
        ) : (
          <>
            {format.timestamp(last.at)}, {format.code(webhooks.eventNames, last.type)}:{' '}
            <DeliveryOutcome delivery={last} />
          </>
        ),
    },
    { value: 'createdAt', title: webhooks.columns.since, type: 'timestamp', isMinor: true },
    { value: 'bothUntil', title: webhooks.columns.bothUntil, type: 'timestamp', isOptional: true },
  ]
}

interface PendingAction {
  readonly webhook: Webhook
  readonly actionName: 'webhookTest' | 'webhookRotate' | 'webhookEnable' | 'webhookRemove'
}
