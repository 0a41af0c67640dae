// The mail queue with a real SMTP server: transactional, retried, encrypted, delivered once.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { hostname } from 'node:os'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { Encryptor } from '../src/auth/tokens/encryptor.ts'
import { MailDelivery, type FailedMail } from '../src/notifications/mail/deliver.ts'
import { renderMessage } from '../src/notifications/mail/message.ts'
import { MailQueue } from '../src/notifications/mail/mail-queue.ts'
import { createMailSender } from '../src/notifications/mail/sender.ts'
import { mailQueue, listMail } from '../src/store/notifications/mail.ts'
import { openStore } from '../src/store/open-store.ts'
import { statement } from '../src/store/statement.ts'
import type { Store } from '../src/store/store.ts'
import { databases } from './support/databases.ts'
import { startMailServer, type MailServer } from './support/mail-server.ts'

const minute = 60_000_000
const from = 'Dagsverk <dagsverk@eksempel.no>'
const secret = 'https://tall.eksempel.no/app/x#hemmelig-lenke'

const contents = statement<{ content: string }>(() => sql`select content from mail`)

describe.each(databases)('$name', (database) => {
  let store: Store
  let drop: () => Promise<void>
  let server: MailServer
  let outbox: MailQueue
  let now: number
  const undelivered: FailedMail[] = []
  beforeEach(async () => {
    const made = await database.make('mail')
    drop = made.drop
    store = await openStore({ url: made.url, canCreate: false })
    server = await startMailServer()
    now = Date.UTC(2026, 0, 1) * 1000
    undelivered.length = 0
    outbox = new MailQueue(new Encryptor({ pepper: randomBytes(32), random: randomBytes }, 'letters'), () => now)
  })
  afterEach(async () => {
    await server.stop()
    await store.close()
    await drop()
  })

  const delivery = (url = server.url, through = outbox, sendMs?: number) =>
    new MailDelivery({
      store,
      mailQueue: through,
      sender: createMailSender(url, from, sendMs),
      clock: () => now,
      random: randomBytes,
      onFailure: (one) => undelivered.push(one),
    })

  const post = (to = 'kari@eksempel.no', goodFor = 24 * 3_600_000_000) =>
    store.inSystemTransaction((writer) =>
      outbox.enqueue(
        writer,
        'invitation',
        renderMessage(to, 'Blåbær & <b>', ['Hei, æøå <i>', { link: secret }]),
        goodFor,
      ),
    )

  const rows = () => listMail(store)

  test('an e-mail is encrypted in the queue, arrives as text and HTML, and is empty afterwards', async () => {
    await post()
    expect(JSON.stringify(await store.all(contents, {}))).not.toContain('hemmelig')
    expect(JSON.stringify(await store.all(contents, {}))).not.toContain('kari')
    await delivery().deliverDue()
    const [message] = server.received
    expect(server.received).toHaveLength(1)
    expect(message).toMatchObject({ to: 'kari@eksempel.no', subject: 'Blåbær & <b>' })
    expect(message?.text).toContain(`Hei, æøå <i>`)
    expect(message?.text).toContain(secret)
    expect(message?.html).toContain('Hei, æøå &#60;i&#62;')
    expect(message?.html).toContain(`<a href="${secret}">`)
    expect(message?.raw).toContain('Auto-Submitted: auto-generated')
    expect(message?.raw).toMatch(/^From: Dagsverk <dagsverk@eksempel\.no>/m)
    expect(await rows()).toMatchObject([{ sentAt: now, nextAttemptAt: null, attempts: 1, lastError: null }])
    expect(await store.all(contents, {})).toEqual([{ content: '' }])
    await delivery().deliverDue()
    expect(server.received).toHaveLength(1)
  })

  test('a rolled-back transaction sends no e-mail', async () => {
    const act = store.inSystemTransaction(async (writer) => {
      await outbox.enqueue(writer, 'invitation', renderMessage('a@b.no', 'x', ['y']), 1000)
      throw new Error('undone')
    })
    await expect(act).rejects.toThrow('undone')
    expect(await rows()).toEqual([])
  })

  test('a permanently rejected mailbox is given up at once, and the log contains no address', async () => {
    server.rejection = { code: 550, text: 'no such mailbox kari@eksempel.no' }
    await post()
    await delivery().deliverDue()
    expect(undelivered).toEqual([
      { mail: 1, kind: 'invitation', attempts: 1, problem: 'EENVELOPE RCPT TO 550', isGivenUp: true },
    ])
    expect(await rows()).toMatchObject([{ nextAttemptAt: null, sentAt: null }])
    expect(await store.all(contents, {})).toEqual([{ content: '' }])
  })

  test('a temporarily rejected mailbox is retried after a minute, with doubled delays', async () => {
    server.rejection = { code: 451, text: 'greylisted' }
    await post()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 9; attempt++) {
      await delivery().deliverDue()
      const [row] = await rows()
      waits.push(((row?.nextAttemptAt ?? 0) - now) / minute)
      // A moment too early nothing happens.
      now = (row?.nextAttemptAt ?? 0) - 1
      await delivery().deliverDue()
      now++
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect(undelivered.every(({ isGivenUp }) => !isGivenUp)).toBe(true)
    server.rejection = null
    await delivery().deliverDue()
    expect(server.received).toHaveLength(1)
    expect(await rows()).toMatchObject([{ sentAt: now, attempts: 10, lastError: null }])
  })

  test('an outage is waited for, and expired e-mails are given up', async () => {
    const { port } = server
    await server.stop()
    await post('sen@eksempel.no', 2 * 60_000_000)
    await post('ny@eksempel.no')
    await delivery().deliverDue()
    expect(undelivered.map(({ problem }) => problem)).toEqual(['ECONNREFUSED CONN', 'ECONNREFUSED CONN'])
    server = await startMailServer({}, port)
    now += 3 * minute
    await delivery().deliverDue()
    expect(server.received.map(({ to }) => to)).toEqual(['ny@eksempel.no'])
    expect(undelivered.at(-1)).toMatchObject({ mail: 1, problem: 'too late', isGivenUp: true })
  })

  test('a server that never finishes a reply does not hold the queue', async () => {
    const endless = createServer((socket) => {
      socket.on('error', () => {}).write('220 endless\r\n')
      socket.once('data', () => {
        const timer = setInterval(() => socket.write('250-more\r\n'), 50)
        socket.once('close', () => clearInterval(timer))
      })
    }).listen(0, '127.0.0.1')
    await once(endless, 'listening')
    onTestFinished(() => void endless.close())
    const { port } = endless.address() as AddressInfo
    await post()
    await delivery(`smtp://127.0.0.1:${port}`, outbox, 1000).deliverDue()
    expect(undelivered).toMatchObject([{ problem: 'ETIMEDOUT', isGivenUp: false }])
    now += minute
    await delivery().deliverDue()
    expect(server.received).toHaveLength(1)
  })

  test('several servers share the queue, and no e-mail is sent twice', async () => {
    const people = Array.from({ length: 12 }, (_, index) => `p${index}@eksempel.no`)
    for (const to of people) await post(to)
    await Promise.all([delivery().deliverDue(), delivery().deliverDue(), delivery().deliverDue()])
    // A server that finds every e-mail taken stops, so the last one finishes.
    await delivery().deliverDue()
    expect(server.received.map(({ to }) => to).toSorted()).toEqual(people.toSorted())
  })

  test('an e-mail whose server died while sending is sent again, with the same Message-ID', async () => {
    await post()
    await store.inSystemTransaction((writer) => mailQueue.lease(writer, { now, leaseUntil: now + 5 * minute }))
    await delivery().deliverDue()
    expect(server.received).toEqual([])
    now += 5 * minute
    await delivery().deliverDue()
    expect(server.received).toHaveLength(1)
    expect(server.received[0]?.messageId).toBe('<1767225600000000.1@eksempel.no>')
  })

  test('an e-mail encrypted with another master key is given up, not sent', async () => {
    await post()
    const other = new MailQueue(new Encryptor({ pepper: randomBytes(32), random: randomBytes }, 'letters'), () => now)
    await delivery(server.url, other).deliverDue()
    expect(server.received).toEqual([])
    expect(undelivered).toMatchObject([{ problem: 'another master key', isGivenUp: true }])
  })

  test('finished e-mails are deleted after a month, and waiting ones are kept', async () => {
    await post()
    await delivery().deliverDue()
    await post()
    now += 31 * 24 * 60 * minute
    await delivery().deleteExpired()
    expect(await rows()).toMatchObject([{ id: 2, sentAt: null }])
  })

  test('a wrong password for the mail server is reported, waits, and is not shown anywhere', async () => {
    const locked = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, callback) =>
        password === 'riktig+ord' ? callback(null, { user: 'x' }) : callback(new Error(`not ${password}`)),
    })
    await post()
    await delivery(`smtp://drift:feil-ord@127.0.0.1:${locked.port}`).deliverDue()
    expect(undelivered).toMatchObject([{ isGivenUp: false, problem: expect.stringMatching(/^EAUTH .*535$/) }])
    expect(JSON.stringify([undelivered, await rows()])).not.toContain('feil-ord')
    now += minute
    await delivery(`smtp://drift:riktig%2Bord@127.0.0.1:${locked.port}`).deliverDue()
    expect(locked.received).toHaveLength(1)
    await locked.stop()
  })
})

describe('over a network', () => {
  const message = renderMessage('kari@eksempel.no', 'x', ['y'])

  test('no e-mail is sent without TLS', async () => {
    const open = await startMailServer({}, 0, '0.0.0.0')
    const sending = createMailSender(`smtp://${hostname()}:${open.port}`, from).send(message, '1')
    await expect(sending).rejects.toMatchObject({
      name: 'Unsent',
      isFinal: false,
      problem: expect.stringMatching(/^ETLS/),
    })
    expect(open.received).toEqual([])
    await open.stop()
  })

  test('no e-mail is sent to a server with an untrusted certificate', async () => {
    const secure = await startMailServer({ secure: true })
    const sending = createMailSender(`smtps://127.0.0.1:${secure.port}`, from).send(message, '1')
    await expect(sending).rejects.toMatchObject({ name: 'Unsent', isFinal: false })
    expect(secure.received).toEqual([])
    await secure.stop()
  })
})
