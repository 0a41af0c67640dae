// `dagsverk webhook deliveries` and `webhook resend`: the delivery log.
import type { Command } from '@commander-js/extra-typings'
import { addPrintAction, addStoreAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { getCompany } from '../support/resolve-company.ts'
import { formatTimestamp } from '../support/print.ts'
import type { Runtime } from '../../server/environment.ts'
import { OperatorError, usageError } from '../../lib/operator-error.ts'
import { messageIdOf } from '../../notifications/webhooks/signature.ts'
import { listDeliveries, resendDelivery } from '../../store/notifications/deliveries.ts'

export function addDeliveries(webhook: Command, runtime: Runtime): void {
  const command = webhook
    .command('deliveries <company> [id]')
    .description('list the last 200 deliveries and their status')
  addPrintAction(command, runtime, async ({ store }, name, id) => {
    const { id: companyId } = await getCompany(store, name)
    const rows = await listDeliveries(store, companyId, id === undefined ? 0 : parseNumber(id))
    return rows.map((row) => ({
      id: row.id,
      webhook: row.webhookId,
      event: messageIdOf(row),
      type: row.type,
      happened: formatTimestamp(row.at),
      delivered: formatTimestamp(row.deliveredAt),
      next: formatTimestamp(row.nextAttemptAt),
      attempts: row.attempts,
      status: row.status,
      problem: row.lastError,
    }))
  })
}

export function addResend(webhook: Command, runtime: Runtime): void {
  const command = webhook.command('resend <company> <delivery>').description('deliver an event again with the same id')
  addStoreAction(command, runtime, async ({ store }, name, delivery) => {
    const company = await getCompany(store, name)
    const again = { id: parseNumber(delivery), now: runtime.clock() }
    await runAudited(store, runtime, {
      company,
      action: 'webhook-resend',
      execute: async (writer) => {
        if (!(await resendDelivery(writer, { companyId: company.id, ...again })))
          throw new OperatorError(`The company has no delivery ${again.id}.`)
      },
      auditData: { delivery: again.id },
    })
    runtime.printMessage(`Delivery ${again.id} is queued again.\n`)
  })
}

export function parseNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw usageError(`"${text}" is not a number.`)
}
