// Webhooks: status, add, rotate secret, delete.
import { Button } from '../../components/Button.tsx'
import type { CreatedWebhookSecret, Webhook } from '../../../src/app/contract/administration.ts'
import { useState, type ReactNode } from 'react'
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
  const [dialog, setDialog] = useState<ReactNode>(null)
  const close = () => setDialog(null)
  const reveal = ({ url, secret }: CreatedWebhookSecret) =>
    setDialog(
      <SecretReveal
        title={t.webhooks.secretOf(url)}
        text={t.webhooks.secretShownOnce}
        secret={secret}
        onClose={close}
      />,
    )
  const actionOf = ({ id, url }: Webhook, name: keyof typeof t.webhooks.actions) => ({
    label: t.webhooks.actions[name],
    isDestructive: name === 'webhookRemove',
    run: () =>
      setDialog(
        <AdminActionDialog
          action={t.webhooks.actions[name]}
          of={url}
          text={t.webhooks.actionTexts[name]}
          isDestructive={name === 'webhookRemove'}
          request={{ endpoint: name, fields: { id: String(id) } }}
          onClose={close}
          onDone={(reply) => ('secret' in reply ? reveal(reply) : close())}
        />,
      ),
  })
  return (
    <section aria-label={t.webhooks.title}>
      <Loaded options={webhooksQuery}>
        {({ webhooks, events }) => (
          <DataTable
            name="webhooks"
            label={t.webhooks.title}
            tools={
              <>
                <Button
                  isPrimary
                  label={t.webhooks.add}
                  onClick={() => setDialog(<NewWebhook events={events} onClose={close} onCreated={reveal} />)}
                />
                <FieldNamesSwitch />
              </>
            }
            rows={webhooks}
            empty={[t.webhooks.none, t.webhooks.noneText]}
            keyOf={({ id }) => id}
            columns={columns}
            nameOf={({ url, id }) => `${url}, ${id}`}
            actions={(webhook) => [
              { label: t.webhooks.deliveries, run: () => setDialog(<Deliveries webhook={webhook} onClose={close} />) },
              actionOf(webhook, webhook.disabledAt === null ? 'webhookTest' : 'webhookEnable'),
              actionOf(webhook, 'webhookRotate'),
              actionOf(webhook, 'webhookRemove'),
            ]}
          />
        )}
      </Loaded>
      {dialog}
    </section>
  )
}

function useWebhookColumns(): readonly ListColumn<Webhook>[] {
  const { t, format } = useIntegrationText()
  const { webhooks } = t
  return [
    { title: webhooks.address, isRowHeader: true, isLong: true, value: 'url' },
    { value: 'id', title: t.table.number, isNumber: true, isOptional: true },
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
