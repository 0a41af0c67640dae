// Password reset: the same reply for every address, a link that works once, and all sessions ended.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answerForgotten } from '../../src/notifications/mail/password-reset-mailer.ts'
import { Delivery } from '../../src/notifications/mail/deliver.ts'
import { senderTo } from '../../src/notifications/mail/sender.ts'
import { disableUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { buildHouse, type House, type Person } from '../support/server.ts'
import { linkIn, startMailServer, type MailServer } from '../support/mail-server.ts'
import { ownPage, signInAs, visit } from './session-client.ts'

const minute = 60_000_000
const next = 'grønne epler i kurven'

describe.each(databases)('$name', (database) => {
  let house: House
  let server: MailServer
  let now = Date.now() * 1000
  let kari: Person
  beforeAll(async () => {
    house = await buildHouse(database, 'app-recovery')
    house.clock.now = () => now
    server = await startMailServer()
  })
  beforeEach(async () => {
    now += 24 * 60 * minute
    house.mail.isOn = true
    server.received.length = 0
    kari = await house.person([{ company: house.mine, role: 'viewer' }])
  })
  afterAll(async () => {
    await server.stop()
    await house.close()
  })

  const post = (path: string, json: object, headers: Readonly<Record<string, string>> = {}) =>
    house.call('POST', path, {
      as: null,
      json,
      headers: { ...ownPage, ...headers },
    })
  const ask = (email: string, headers: Readonly<Record<string, string>> = {}) =>
    post('/app/glemt/be-om', { email }, headers)
  const change = (token: string, password: string) =>
    post('/app/ny-adgang/sett', { token, password })
  const carry = async () => {
    const { store, mail } = house
    const cryptoContext = { random: randomBytes, clock: () => now }
    await answerForgotten({ store, outbox: mail.outbox, minting: cryptoContext })
    const sender = senderTo(server.url, 'dagsverk@eksempel.no')
    const options = { store, outbox: mail.outbox, sender, clock: () => now, onUnsent: () => {} }
    await new Delivery(options).round()
  }
  const tokenIn = (index = -1) => {
    const letter = server.received.at(index)
    if (letter === undefined) throw new Error('no letter')
    return linkIn(letter).split('#')[1] ?? ''
  }

  test('the link sets a new password, once; every session ends, and the user is notified', async () => {
    const [here, there] = [await visit(house, kari), await visit(house, kari)]
    expect((await ask(kari.email, { 'accept-language': 'nb' })).status).toBe(204)
    await carry()
    expect(server.received).toMatchObject([
      { to: kari.email, subject: 'Nytt passord til Dagsverk' },
    ])
    expect(linkIn(server.received[0] ?? raise())).toMatch(
      /^http:\/\/localhost\/app\/ny-adgang#[\w-]{43}$/,
    )
    expect((await change(tokenIn(), next)).status).toBe(204)
    for (const visitor of [here, there]) expect((await visitor.get('/app/okt')).status).toBe(401)
    expect((await signInAs(house, kari)).status).toBe(401)
    expect((await signInAs(house, { ...kari, password: next })).status).toBe(204)
    expect((await change(tokenIn(0), 'røde plommer på fat')).json.error.code).toBe('InvalidLink')
    await carry()
    expect(server.received.at(-1)).toMatchObject({
      to: kari.email,
      subject: 'Your password was changed',
    })
  })

  test('an unknown address gets the same reply, byte for byte, and no e-mail', async () => {
    const [known, unknown] = [await ask(kari.email), await ask('ingen@eksempel.no')]
    const without = ({ status, text, headers }: typeof known) => {
      const { date: _, 'x-request-id': __, ...rest } = headers
      return { status, text, rest }
    }
    expect(without(unknown)).toEqual(without(known))
    const out = await house.person([{ company: house.mine, role: 'viewer' }])
    await house.store.inHouseTransaction((writer) => disableUser(writer, out.id, now))
    expect((await ask(out.email)).status).toBe(204)
    await carry()
    expect(server.received.map(({ to }) => to)).toEqual([kari.email])
  })

  test('a link is valid for 60 minutes, and only for the password that was forgotten', async () => {
    await ask(kari.email)
    await carry()
    const late = tokenIn()
    now += 60 * minute - 1
    expect((await change(late, 'kort')).json.error.code).toBe('InvalidValue')
    now += 1
    expect((await change(late, next)).json.error.code).toBe('InvalidLink')
    await ask(kari.email)
    await carry()
    const first = tokenIn()
    now += 6 * minute
    await ask(kari.email)
    await carry()
    const second = tokenIn()
    expect(second).not.toBe(first)
    expect((await change(first, next)).status).toBe(204)
    expect((await change(second, 'røde plommer på fat')).json.error.code).toBe('InvalidLink')
  })

  test('of several concurrent uses of one link, one sets the password', async () => {
    await ask(kari.email)
    await carry()
    const token = tokenIn()
    const answers = await Promise.all(
      ['en', 'to', 'tre'].map((word) => change(token, `${next} ${word}`)),
    )
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 403, 403])
  })

  test('a password that is easy to guess is rejected, and the link stays valid', async () => {
    await ask(kari.email)
    await carry()
    for (const password of ['kort', 'passwordstandard', `${kari.email} 1`])
      expect((await change(tokenIn(), password)).json.error).toMatchObject({
        code: 'InvalidValue',
        target: 'password',
      })
    expect((await signInAs(house, kari)).status).toBe(204)
    expect((await change(tokenIn(), next)).status).toBe(204)
  })

  test('one e-mail per address in five minutes, and five requests per hour from one client address', async () => {
    for (let time = 1; time <= 5; time++) {
      expect((await ask(kari.email)).status).toBe(204)
      await carry()
    }
    expect(server.received).toHaveLength(1)
    const refused = await ask(kari.email)
    expect(refused.json.error.code).toBe('RateLimited')
    const twin = await house.twin()
    const elsewhere = await twin.call('POST', '/app/glemt/be-om', {
      as: null,
      json: { email: kari.email },
      headers: ownPage,
    })
    expect(elsewhere.json.error.code).toBe('RateLimited')
    await twin.close()
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    const other = await house.person([{ company: house.mine, role: 'viewer' }])
    expect((await ask(other.email)).status).toBe(204)
    await carry()
    expect(server.received).toHaveLength(2)
  })

  test('two servers process one request once', async () => {
    await ask(kari.email)
    await Promise.all([carry(), carry(), carry()])
    await carry()
    expect(server.received).toHaveLength(1)
  })

  test('a server without mail says so, and stores nothing', async () => {
    house.mail.isOn = false
    expect((await ask(kari.email)).json.error.code).toBe('NoMail')
    house.mail.isOn = true
    await carry()
    expect(server.received).toEqual([])
  })

  test('only a same-origin page may request or use a link', async () => {
    for (const path of ['/app/glemt/be-om', '/app/ny-adgang/sett']) {
      const answer = await house.call('POST', path, {
        as: null,
        json: { email: kari.email, token: 'x', password: next },
      })
      expect(answer.json.error.code).toBe('CsrfRejected')
    }
    expect((await change('x'.repeat(43), next)).json.error.code).toBe('InvalidLink')
    expect((await ask('ingen')).json.error.code).toBe('InvalidValue')
  })
})

function raise(): never {
  throw new Error('no letter')
}
