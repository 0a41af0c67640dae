// Deliveries of a webhook: status, attempts, and sending again.
import type { Delivery, Webhook } from '../../../src/app/contract/administration.ts'
import { deliveriesQuery, useAdminAction } from './api.ts'
import { Loaded } from '../../components/QueryStates.tsx'
import { useIntegrationText } from './integrations-i18n.ts'
import { DataTable } from '../../components/DataTable.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'

export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t, format } = useIntegrationText()
  const { webhooks } = t
  const { columns } = webhooks
  const { mutate, isPending, error, variables } = useAdminAction<'webhookResend'>()
  return (
    <Dialog size="xl" title={webhooks.deliveriesOf(webhook.url)} onClose={onClose}>
      <ErrorAlert error={error} />
      <Loaded options={deliveriesQuery(webhook.id)}>
        {({ rows }) => (
          <DataTable
            name="leveranser"
            label={webhooks.deliveries}
            rows={rows}
            empty={[webhooks.noDeliveries, webhooks.noDeliveriesText]}
            keyOf={({ id }) => id}
            columns={[
              {
                title: columns.event,
                isRowHeader: true,
                isLong: true,
                value: ({ type }) => format.code(webhooks.eventNames, type),
              },
              { value: 'at', title: t.table.at, type: 'timestamp' },
              {
                key: 'outcome',
                title: t.calls.status,
                isLong: true,
                value: ({ problem, status }) => problem ?? status?.toString(),
                show: (delivery) => <DeliveryOutcome delivery={delivery} />,
              },
              { value: 'attempts', title: columns.attempts, type: 'count' },
            ]}
            nameOf={({ id, type }) => `${type}, ${id}`}
            actions={({ id }) => [
              {
                label: webhooks.resend,
                isBusy: isPending && variables.fields.id === String(id),
                run: () => mutate({ endpoint: 'webhookResend', fields: { id: String(id) } }),
              },
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  )
}

/** The result, and the next attempt. */
export function DeliveryOutcome({ delivery }: { delivery: Delivery }) {
  const { t, format } = useIntegrationText()
  const { webhooks } = t
  const { status, problem, deliveredAt, nextAt } = delivery
  if (deliveredAt !== null)
    return `${webhooks.delivered(format.timestamp(deliveredAt))}, ${webhooks.status(status ?? 0)}`
  if (problem === null) return webhooks.waiting
  const why = status === null ? format.code(webhooks.problems, problem) : webhooks.status(status)
  const next = nextAt === null ? webhooks.givenUp : webhooks.nextAttempt(format.timestamp(nextAt))
  return (
    <span className="warning-tag">
      {why}, {next}
    </span>
  )
}
