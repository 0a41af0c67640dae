// `dagsverk webhook`: webhooks of a company and their deliveries.
import type { Command } from '@commander-js/extra-typings'
import { addPrintAction, addStoreAction } from '../support/store-action.ts'
import { runAudited } from '../support/audited.ts'
import { getCompany } from '../support/resolve-company.ts'
import { formatTimestamp, printOne } from '../support/print.ts'
import { parseLines } from '../../config/parsers.ts'
import { databaseSettings } from '../../server/config-options.ts'
import type { Runtime } from '../../server/environment.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Networks } from '../../lib/network.ts'
import { eventTypes } from '../../notifications/webhooks/publish.ts'
import { messageIdOf } from '../../notifications/webhooks/signature.ts'
import {
  addWebhook,
  checkWebhookUrl,
  enableWebhook,
  deleteWebhook,
  rotateWebhook,
  maskUrl,
  testWebhook,
  type WebhookRef,
} from '../../notifications/webhooks/webhooks.ts'
import { OperatorError, unknownNameError, usageError } from '../../lib/operator-error.ts'
import { microsecondsPerHour } from '../../lib/timestamp.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { WebhookTable } from '../../store/tables/operations.ts'
import { listDeliveries, resendDelivery } from '../../store/notifications/deliveries.ts'
import { listWebhooks } from '../../store/notifications/webhooks.ts'

export function addWebhookCommands(program: Command, runtime: Runtime): void {
  const webhook = program.command('webhook').description('manage webhooks').addHelpText('afterAll', examples)
  addAdd(webhook, runtime)
  addList(webhook, runtime)
  addRotate(webhook, runtime)
  for (const operation of operations) addOperation(webhook, runtime, operation)
  addDeliveries(webhook, runtime)
  addResend(webhook, runtime)
}

function addAdd(webhook: Command, runtime: Runtime): void {
  const command = webhook
    .command('add <company> <url>')
    .description('add a webhook; prints its signing secret once')
    .option('--events <types>', 'comma-separated event types (default: all)')
    .option('--json', 'print JSON')
  addStoreAction(
    command,
    runtime,
    async ({ store, config, flags, cryptoContext }, name, url) => {
      const company = await getCompany(store, name)
      const wanted = { url: parseUrl(url, config.webhookNetworks), types: parseTypes(flags.events ?? '') }
      const crypto = await cryptoContext()
      const { id, secret } = await runAudited(store, runtime, {
        company,
        action: 'webhook-add',
        execute: (writer) => addWebhook(writer, crypto, company.id, wanted),
        auditData: (made) => ({ webhook: made.id }),
      })
      const events = wanted.types.join(',') || 'all'
      printOne(runtime, { webhook: id, url: wanted.url, events, secret }, flags)
      runtime.printMessage('The secret is shown only once.\n')
    },
    [...databaseSettings, 'webhookNetworks'],
  )
}

function addList(webhook: Command, runtime: Runtime): void {
  const command = webhook.command('list <company>').description('list the webhooks of a company')
  addPrintAction(command, runtime, async ({ store }, name) => {
    const { id: companyId } = await getCompany(store, name)
    const rows = await listWebhooks(store, { companyId })
    return rows.map(({ id, url, types, createdAt, disabledAt }) => ({
      id,
      url: maskUrl(url),
      events: types || 'all',
      since: formatTimestamp(createdAt),
      disabled: formatTimestamp(disabledAt),
    }))
  })
}

function addRotate(webhook: Command, runtime: Runtime): void {
  const command = webhook
    .command('rotate <company> <id>')
    .description('create a new signing secret; the previous one stays valid for a while')
    .option('--hours <number>', 'hours that the previous secret stays valid', '24')
    .option('--json', 'print JSON')
  addStoreAction(command, runtime, async ({ store, flags, cryptoContext }, name, id) => {
    const one = await getWebhook(store, name, id)
    const until = runtime.clock() + parseNumber(flags.hours) * microsecondsPerHour
    const crypto = await cryptoContext()
    const { secret } = await runAudited(store, runtime, {
      company: { id: one.companyId },
      action: 'webhook-rotate',
      execute: (writer) => rotateWebhook(writer, crypto, one, until),
      auditData: { webhook: one.id },
    })
    printOne(runtime, { webhook: one.id, secret, both: formatTimestamp(until) }, flags)
    runtime.printMessage('The secret is shown only once.\n')
  })
}

interface WebhookOperation {
  readonly name: 'enable' | 'remove' | 'test'
  readonly description: string
  readonly execute: (writer: Writer, webhook: WebhookRef, now: number) => Promise<void>
  readonly result: string
}

const operations: readonly WebhookOperation[] = [
  {
    name: 'enable',
    description: 'enable a webhook that was disabled by a 410 response',
    execute: enableWebhook,
    result: 'is enabled',
  },
  {
    name: 'remove',
    description: 'delete the webhook and its delivery log',
    execute: deleteWebhook,
    result: 'is deleted',
  },
  {
    name: 'test',
    description: 'send a test event; requires a running server',
    execute: testWebhook,
    result: 'gets a webhook.test event; see the result with "webhook deliveries"',
  },
]

function addOperation(
  webhook: Command,
  runtime: Runtime,
  { name, description, execute, result }: WebhookOperation,
): void {
  const command = webhook.command(`${name} <company> <id>`).description(description)
  addStoreAction(command, runtime, async ({ store }, company, id) => {
    const one = await getWebhook(store, company, id)
    await runAudited(store, runtime, {
      company: { id: one.companyId },
      action: `webhook-${name}`,
      execute: (writer) => execute(writer, one, runtime.clock()),
      auditData: { webhook: one.id },
    })
    runtime.printMessage(`Webhook ${one.id} ${result}.\n`)
  })
}

function addDeliveries(webhook: Command, runtime: Runtime): void {
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

function addResend(webhook: Command, runtime: Runtime): void {
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

async function getWebhook(reader: Reader, company: string, id: string): Promise<WebhookTable> {
  const { id: companyId } = await getCompany(reader, company)
  const wanted = parseNumber(id)
  const one = (await listWebhooks(reader, { companyId })).find((webhook) => webhook.id === wanted)
  if (one === undefined) throw new OperatorError(`The company has no webhook ${wanted}.`)
  return one
}

function parseTypes(text: string): readonly string[] {
  const types = parseLines(text)
  const unknown = types.find((type) => !eventTypes.some((known) => known === type))
  if (unknown !== undefined) throw unknownNameError('event', unknown, eventTypes)
  return types
}

function parseUrl(text: string, allowed: Networks): string {
  try {
    return checkWebhookUrl(text, allowed)
  } catch (error) {
    throw error instanceof ApiError ? usageError(error.message) : error
  }
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw usageError(`"${text}" is not a number.`)
}

const examples = `
Examples:
  dagsverk webhook add "Fjord AS" https://erp.example/hooks/dagsverk --events export.ready,export.undone
  dagsverk webhook test "Fjord AS" 1
  dagsverk webhook deliveries "Fjord AS"
  dagsverk webhook resend "Fjord AS" 17
  dagsverk webhook rotate "Fjord AS" 1 --hours 48
`
