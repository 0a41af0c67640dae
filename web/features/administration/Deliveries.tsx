// Deliveries of a webhook: status, attempts, and sending again.
import type { Delivery, Webhook } from '../../../src/app/contract/administration.ts'
import { useQuery } from '@tanstack/react-query'
import { deliveriesQuery, useAdminAction } from './api.ts'
import { QueryStates, EmptyState } from '../../components/QueryStates.tsx'
import { integrationText } from './integrations-i18n.ts'
import { useTranslation } from '../../i18n/translation.tsx'
import { Dialog } from '../../components/Dialog.tsx'
import { ErrorAlert } from '../../components/ErrorAlert.tsx'
import { RowButton } from '../../components/RowButton.tsx'

export function Deliveries({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const { t } = useTranslation(integrationText)
  const { webhooks } = t
  return (
    <Dialog size="lg" title={webhooks.deliveriesOf(webhook.url)} onClose={onClose}>
      <QueryStates query={useQuery(deliveriesQuery(webhook.id))}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={webhooks.noDeliveries}>{webhooks.noDeliveriesText}</EmptyState>
          ) : (
            <ul className="card-list">
              {rows.map((row) => (
                <li key={row.id} className="panel">
                  <DeliveryCard delivery={row} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryStates>
    </Dialog>
  )
}

function DeliveryCard({ delivery }: { delivery: Delivery }) {
  const { t, format } = useTranslation(integrationText)
  const { webhooks } = t
  const { id, type, at, attempts } = delivery
  const names: Readonly<Record<string, string>> = webhooks.eventNames
  const { mutate, isPending, error } = useAdminAction()
  return (
    <>
      <div className="card-line">
        <strong className="long-word">{names[type] ?? type}</strong>
        <span className="muted">{format.timestamp(at)}</span>
      </div>
      <p>
        <DeliveryOutcome delivery={delivery} />
        {attempts > 0 && <span className="muted"> · {webhooks.attempts(attempts)}</span>}
      </p>
      <ErrorAlert error={error} />
      <div className="actions">
        <RowButton
          label={webhooks.resend}
          of={`${type}, ${id}`}
          loading={isPending}
          onClick={() => mutate({ endpoint: 'webhookResend', fields: { id: String(id) } })}
        />
      </div>
    </>
  )
}

/** The result, and the next attempt. */
export function DeliveryOutcome({ delivery }: { delivery: Delivery }) {
  const { t, format } = useTranslation(integrationText)
  const { webhooks } = t
  const { status, problem, deliveredAt, nextAt } = delivery
  if (deliveredAt !== null)
    return `${webhooks.delivered(format.timestamp(deliveredAt))}, ${webhooks.status(status ?? 0)}`
  if (problem === null) return webhooks.waiting
  const problems: Readonly<Record<string, string>> = webhooks.problems
  const why = status === null ? (problems[problem] ?? problem) : webhooks.status(status)
  const next = nextAt === null ? webhooks.givenUp : webhooks.nextAttempt(format.timestamp(nextAt))
  return (
    <span className="warning-tag">
      {why}, {next}
    </span>
  )
}
