// Webhooks in the app: secrets, delivery log, and administration of one company.
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test } from 'vitest'
import { deleteWebhook, listWebhooks } from '../../src/store/notifications/webhooks.ts'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { useWebhookReceiver } from '../support/webhook-receiver.ts'
import { openSession, openSessionAs, useSession } from './session-client.ts'

const { nb } = auditTexts

const at = '/app/data/administrasjon/webhooks'
const minute = 60_000_000
const day = 24 * 60 * minute

describe.each(databases)('webhooks in the app on $name', (database) => {
  const server = useTestServer(database, 'app-webhooks')
  const clock = useClock(server)
  const { company, user: kari, session: admin } = useSession(server, 'admin')
  const receiver = useWebhookReceiver()
  afterEach(async () => {
    for (const { id } of await listWebhooks(server.store, { companyId: company.id }))
      await server.store.inSystemTransaction((writer) => deleteWebhook(writer, company.id, id))
  })

  const act = (path: string, fields: object) => admin.send('POST', `${at}/${path}`, fields)
  const on = (path: string, id: number) => act(path, { id: String(id) })
  const add = async (fields = {}) => (await act('ny', { url: receiver.url, ...fields })).json
  const list = async () => (await admin.get(at)).json.webhooks
  const log = async (id: number) => (await admin.get(`${at}/leveranser`, { id: String(id) })).json
  const deliver = () => server.webhookDelivery.deliverDue()

  test('a company has at most 100, because each change is stored for every one of them', async () => {
    for (let webhook = 1; webhook <= 100; webhook += 1)
      expect((await act('ny', { url: receiver.url })).status).toBe(200)
    const refused = await act('ny', { url: receiver.url })
    expect([refused.status, refused.json.error.code, refused.json.error.target]).toEqual([400, 'InvalidValue', 'url'])
    expect(refused.json.error.message).toContain('100')
    expect(await list()).toHaveLength(100)
  })

  test('a secret is shown once, signs the deliveries, and is in no list', async () => {
    expect((await admin.get(at)).json).toMatchObject({ webhooks: [], events: expect.arrayContaining(['export.ready']) })
    const made = await add({ events: 'export.ready export.undone' })
    expect(made.secret).toMatch(/^whsec_.{44}$/)
    const { text } = await admin.get(at)
    expect(text).not.toMatch(/whsec|hemmelig|secret/i)
    expect(await list()).toEqual([
      {
        id: made.id,
        url: receiver.url.replace('k=hemmelig', '…'),
        events: ['export.ready', 'export.undone'],
        createdAt: clock.now,
        disabledAt: null,
        bothUntil: null,
        last: null,
      },
    ])
    expect((await on('prov', made.id)).status).toBe(200)
    await deliver()
    const [first] = receiver.received
    const verified = new Webhook(made.secret).verify(first?.body ?? '', first?.headers ?? {})
    expect(verified).toMatchObject({ type: 'webhook.test' })
    const outcome = { type: 'webhook.test', status: 204, attempts: 1, deliveredAt: clock.now }
    expect((await list())[0].last).toMatchObject(outcome)
    expect((await log(made.id)).rows).toMatchObject([{ ...outcome, nextAt: null, problem: null }])
  })

  test('after a new secret both sign for a day', async () => {
    const { id, secret } = await add()
    const next = (await on('forny', id)).json
    expect(next).toMatchObject({ id, bothUntil: clock.now + day })
    expect((await list())[0]).toMatchObject({ bothUntil: clock.now + day })
    await on('prov', id)
    await deliver()
    const [sent] = receiver.received
    for (const one of [secret, next.secret])
      expect(new Webhook(one).verify(sent?.body ?? '', sent?.headers ?? {})).toBeDefined()
    clock.now += day
    // The session has ended meanwhile.
    Object.assign(admin, await openSession(server, kari))
    expect((await list())[0].bothUntil).toBeNull()
  })

  test('a receiver that replies 410 is disabled until it is enabled, and missed events are sent again', async () => {
    receiver.status = 410
    const { id } = await add()
    await on('prov', id)
    await deliver()
    const [row] = await list()
    expect(row).toMatchObject({ disabledAt: clock.now, last: { status: 410, nextAt: null } })
    await on('apne', id)
    receiver.status = 204
    expect((await on('send-igjen', row.last.id)).status).toBe(200)
    expect((await list())[0]).toMatchObject({ disabledAt: null, last: { nextAt: clock.now } })
    await deliver()
    expect((await list())[0].last).toMatchObject({ id: row.last.id, deliveredAt: clock.now })
    expect(receiver.received[0]?.headers['webhook-id']).toBe(receiver.received[1]?.headers['webhook-id'])
    expect((await on('fjern', id)).status).toBe(200)
    expect(await list()).toEqual([])
  })

  test('each webhook has its own last delivery and its own log', async () => {
    const [first, second] = [await add(), await add()]
    for (const { id } of [first, second, first]) await on('prov', id)
    const lasts = (await list()).map(({ last }: { last: { id: number } }) => last.id)
    const ids = async (id: number) => (await log(id)).rows.map((row: { id: number }) => row.id)
    expect(await ids(first.id)).toEqual([lasts[0], expect.any(Number)])
    expect(await ids(second.id)).toEqual([lasts[1]])
  })

  test("another company's webhook and delivery are the same 404 as unknown ones", async () => {
    const outsider = await openSessionAs(server, server.tenantB, 'admin')
    const theirs = (await outsider.send('POST', `${at}/ny`, { url: receiver.url })).json.id
    await outsider.send('POST', `${at}/prov`, { id: String(theirs) })
    const their = async () => (await outsider.get(at)).text
    const before = await their()
    const delivery = JSON.parse(before).webhooks.find(({ id }: { id: number }) => id === theirs).last.id
    const bare = ({ status: code, json: { error } }: Awaited<ReturnType<typeof act>>) => {
      const { requestId, ...rest } = error
      expect(requestId).not.toBe('')
      return [code, rest]
    }
    for (const path of ['forny', 'fjern', 'apne', 'prov', 'send-igjen']) {
      const id = path === 'send-igjen' ? delivery : theirs
      const refused = bare(await on(path, id))
      expect(refused).toEqual(bare(await on(path, 999_999)))
      expect([path, refused[0]]).toEqual([path, 404])
    }
    const logOf = async (id: number) => bare(await admin.get(`${at}/leveranser`, { id: String(id) }))
    expect(await logOf(theirs)).toEqual(await logOf(999_999))
    expect(await list()).toEqual([])
    expect(await their()).toBe(before)
    await outsider.send('POST', `${at}/fjern`, { id: String(theirs) })
  })

  test('an invalid or unreachable URL is rejected at its field', async () => {
    const events = 'export.redy'
    for (const [fields, code, target] of [
      [{}, 'MissingField', 'url'],
      [{ url: 'ftp://erp.example/' }, 'InvalidValue', 'url'],
      [{ url: 'https://kari:ord@erp.example/' }, 'InvalidValue', 'url'],
      [{ url: `https://erp.example/${'a'.repeat(2000)}` }, 'InvalidValue', 'url'],
      [{ url: 'https://10.0.0.1/' }, 'InvalidValue', 'url'],
      [{ url: 'https://[::ffff:169.254.169.254]/' }, 'InvalidValue', 'url'],
      [{ url: 'https://0x0a000001/' }, 'InvalidValue', 'url'],
      [{ url: 'http://8.8.8.8/' }, 'InvalidValue', 'url'],
      [{ url: 'https://erp.example/', events }, 'InvalidValue', 'events'],
    ] as const) {
      const { json } = await act('ny', fields)
      expect([fields, json.error?.code, json.error?.target]).toEqual([fields, code, target])
    }
    expect((await on('prov', -1)).status).toBe(400)
    expect(await list()).toEqual([])
  })

  test('adding, renewing and deleting require re-authentication', async () => {
    clock.now += 5 * minute
    for (const path of ['ny', 'forny', 'fjern'])
      expect([path, (await act(path, {})).json.error.code]).toEqual([path, 'ReauthenticationRequired'])
    expect((await on('prov', 1)).status).toBe(404)
  })

  test('the audit log has an entry for each change, without secrets', async () => {
    const { id } = await add()
    for (const path of ['prov', 'forny', 'apne']) await on(path, id)
    const delivery = (await list())[0].last.id
    await on('send-igjen', delivery)
    await on('fjern', id)
    const { json, text } = await admin.get('/app/data/revisjon')
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    const labels = json.rows.map((row: { action: string; data: string }) => [
      actionLabels[row.action],
      formatSubject(row, nb),
    ])
    expect(labels).toEqual([
      ['Slettet webhook', `Webhook ${id}`],
      ['Sendte på nytt', `Leveranse ${delivery}`],
      ['Slo på webhook', `Webhook ${id}`],
      ['Fornyet hemmelighet', `Webhook ${id}`],
      ['Prøvde webhook', `Webhook ${id}`],
      ['La til webhook', `Webhook ${id}`],
      ['Logget inn', 'Med passord'],
    ])
    expect(text).not.toMatch(/whsec|hemmelig=|127\.0\.0\.1/)
  })
})
