// `dagsverk webhook`: webhooks of a company and their deliveries.
import type { Command } from 'commander'
import { audited } from '../support/audited.ts'
import { databaseSettings, withSettings } from '../../server/config-options.ts'
import { companyNamed } from '../support/resolve-company.ts'
import { withStore } from '../../server/with-store.ts'
import { moment, printOne, printRows, type JsonFlag } from '../support/print.ts'
import type { World } from '../../server/environment.ts'
import { eventTypes } from '../../notifications/webhooks/publish.ts'
import {
  addWebhook,
  enableWebhook,
  endWebhook,
  rotateWebhook,
  shownUrl,
  testWebhook,
  webhookUrl,
  type OneWebhook,
} from '../../notifications/webhooks/webhooks.ts'
import { nearest } from '../../lib/closest-match.ts'
import { exitCodes, OperatorError } from '../../lib/operator-error.ts'
import { deliveriesOf, resendDelivery } from '../../store/notifications/deliveries.ts'
import type { Reader, Writer } from '../../store/store.ts'
import type { WebhookTable } from '../../store/tables/operations.ts'
import { webhooksOf } from '../../store/notifications/webhooks.ts'

export function addWebhookCommands(program: Command, world: World): void {
  const webhook = program
    .command('webhook')
    .description('manage webhooks')
    .addHelpText('afterAll', examples)
  addAdd(webhook, world)
  addList(webhook, world)
  addRotate(webhook, world)
  addOperation(webhook, world, operations.enable)
  addOperation(webhook, world, operations.remove)
  addOperation(webhook, world, operations.test)
  addDeliveries(webhook, world)
  addResend(webhook, world)
}

interface AddFlags extends JsonFlag {
  readonly events?: string
}

function addAdd(webhook: Command, world: World): void {
  const command = webhook
    .command('add <company> <url>')
    .description('add a webhook; prints its signing secret once')
    .option('--events <types>', 'comma-separated event types (default: all)')
    .option('--json', 'print JSON')
    .action((name: string, url: string, flags: AddFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const company = await companyNamed(store, name)
        const wanted = { url: parseUrl(url), types: parseTypes(flags.events ?? '') }
        const making = await minting()
        const { id, secret } = await audited(store, world, {
          company,
          action: 'webhook-add',
          act: (writer) => addWebhook(writer, making, company.id, wanted),
          about: (made) => ({ webhook: made.id }),
        })
        const events = wanted.types.join(',') || 'all'
        printOne(world, { webhook: id, url: wanted.url, events, secret }, flags)
        world.tell('The secret is shown only once.\n')
      }),
    )
  withSettings(command, databaseSettings)
}

function addList(webhook: Command, world: World): void {
  const command = webhook
    .command('list <company>')
    .description('list the webhooks of a company')
    .option('--json', 'print JSON')
    .action((name: string, flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        const { id: companyId } = await companyNamed(store, name)
        const rows = await webhooksOf(store, companyId)
        printRows(
          world,
          rows.map(({ id, url, types, createdAt, disabledAt }) => ({
            id,
            url: shownUrl(url),
            events: types || 'all',
            since: moment(createdAt),
            disabled: moment(disabledAt),
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

interface RotateFlags extends JsonFlag {
  readonly hours: string
}

function addRotate(webhook: Command, world: World): void {
  const command = webhook
    .command('rotate <company> <id>')
    .description('create a new signing secret; the previous one stays valid for a while')
    .option('--hours <number>', 'hours that the previous secret stays valid', '24')
    .option('--json', 'print JSON')
    .action((name: string, id: string, flags: RotateFlags, called: Command) =>
      withStore(called, world, async (store, minting) => {
        const one = await getWebhook(store, name, id)
        const until = world.clock() + parseNumber(flags.hours) * 3_600_000_000
        const making = await minting()
        const { secret } = await audited(store, world, {
          company: { id: one.companyId },
          action: 'webhook-rotate',
          act: (writer) => rotateWebhook(writer, making, one, until),
          about: () => ({ webhook: one.id }),
        })
        printOne(world, { webhook: one.id, secret, both: moment(until) }, flags)
        world.tell('The secret is shown only once.\n')
      }),
    )
  withSettings(command, databaseSettings)
}

interface WebhookOperation {
  readonly name: 'enable' | 'remove' | 'test'
  readonly description: string
  readonly execute: (writer: Writer, webhook: OneWebhook, now: number) => Promise<void>
  readonly result: string
}

const operations = {
  enable: {
    name: 'enable',
    description: 'enable a webhook that was disabled by a 410 response',
    execute: enableWebhook,
    result: 'is enabled',
  },
  remove: {
    name: 'remove',
    description: 'delete the webhook and its delivery log',
    execute: endWebhook,
    result: 'is deleted',
  },
  test: {
    name: 'test',
    description: 'send a test event; requires a running server',
    execute: testWebhook,
    result: 'gets a webhook.test event; see the result with "webhook deliveries"',
  },
} as const satisfies Record<string, WebhookOperation>

function addOperation(
  webhook: Command,
  world: World,
  { name, description, execute, result }: WebhookOperation,
): void {
  const command = webhook
    .command(`${name} <company> <id>`)
    .description(description)
    .action((company: string, id: string, _flags: object, called: Command) =>
      withStore(called, world, async (store) => {
        const one = await getWebhook(store, company, id)
        await audited(store, world, {
          company: { id: one.companyId },
          action: `webhook-${name}`,
          act: (writer) => execute(writer, one, world.clock()),
          about: () => ({ webhook: one.id }),
        })
        world.tell(`Webhook ${one.id} ${result}.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

function addDeliveries(webhook: Command, world: World): void {
  const command = webhook
    .command('deliveries <company> [id]')
    .description('list the last 200 deliveries and their status')
    .option('--json', 'print JSON')
    .action((name: string, id: string | undefined, flags: JsonFlag, called: Command) =>
      withStore(called, world, async (store) => {
        const { id: companyId } = await companyNamed(store, name)
        const rows = await deliveriesOf(store, companyId, id === undefined ? 0 : parseNumber(id))
        printRows(
          world,
          rows.map((row) => ({
            id: row.id,
            webhook: row.webhookId,
            event: `evt_${row.eventId}`,
            type: row.type,
            happened: moment(row.at),
            delivered: moment(row.deliveredAt),
            next: moment(row.dueAt),
            attempts: row.attempts,
            status: row.status,
            problem: row.problem,
          })),
          flags,
        )
      }),
    )
  withSettings(command, databaseSettings)
}

function addResend(webhook: Command, world: World): void {
  const command = webhook
    .command('resend <company> <delivery>')
    .description('deliver an event again with the same id')
    .action((name: string, delivery: string, _flags: object, called: Command) =>
      withStore(called, world, async (store) => {
        const company = await companyNamed(store, name)
        const again = { id: parseNumber(delivery), now: world.clock() }
        await audited(store, world, {
          company,
          action: 'webhook-resend',
          act: async (writer) => {
            if (!(await resendDelivery(writer, company.id, again)))
              throw new OperatorError(`The company has no delivery ${again.id}.`)
          },
          about: () => ({ delivery: again.id }),
        })
        world.tell(`Delivery ${again.id} is queued again.\n`)
      }),
    )
  withSettings(command, databaseSettings)
}

async function getWebhook(reader: Reader, company: string, id: string): Promise<WebhookTable> {
  const { id: companyId } = await companyNamed(reader, company)
  const wanted = parseNumber(id)
  const one = (await webhooksOf(reader, companyId)).find((webhook) => webhook.id === wanted)
  if (one === undefined) throw new OperatorError(`The company has no webhook ${wanted}.`)
  return one
}

function parseTypes(text: string): string[] {
  const types = text
    .split(',')
    .map((type) => type.trim())
    .filter((type) => type !== '')
  for (const type of types) {
    if (eventTypes.some((known) => known === type)) continue
    const near = nearest(type, eventTypes)
    const hint =
      near === undefined ? `Available: ${eventTypes.join(', ')}.` : `Did you mean "${near}"?`
    throw new OperatorError(`There is no event "${type}". ${hint}`, exitCodes.usage)
  }
  return types
}

function parseUrl(text: string): string {
  const url = webhookUrl(text)
  if (url !== null) return url
  throw new OperatorError(
    `"${text.slice(0, 100)}" is not a URL like https://receiver.example/hook.`,
    exitCodes.usage,
  )
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new OperatorError(`"${text}" is not a number.`, exitCodes.usage)
}

const examples = `
Examples:
  dagsverk webhook add "Fjord AS" https://erp.example/hooks/dagsverk --events export.ready,export.undone
  dagsverk webhook test "Fjord AS" 1
  dagsverk webhook deliveries "Fjord AS"
  dagsverk webhook resend "Fjord AS" 17
  dagsverk webhook rotate "Fjord AS" 1 --hours 48
`
