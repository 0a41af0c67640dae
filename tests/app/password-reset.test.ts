// Password reset: the same reply for every address, a link that works once, and all sessions ended.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { disableUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { useTestServer, type TestUser } from '../support/server.ts'
import { linkIn, useMailServer } from '../support/mail-server.ts'
import { ownPage, signInAs, openSession } from './session-client.ts'

const minute = 60_000_000
const next = 'grønne epler i kurven'

describe.each(databases)('$name', (database) => {
  const mailServer = useMailServer()
  const server = useTestServer(database, 'app-recovery', () => mailServer.options)
  let now = Date.now() * 1000
  let kari: TestUser
  beforeAll(() => {
    server.clock.now = () => now
  })
  beforeEach(async () => {
    now += 24 * 60 * minute
    kari = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
  })

  const post = (path: string, json: object, headers: Readonly<Record<string, string>> = {}) =>
    server.call('POST', path, { as: null, json, headers: { ...ownPage, ...headers } })
  const ask = (email: string, headers: Readonly<Record<string, string>> = {}) =>
    post('/app/glemt/be-om', { email }, headers)
  const change = (token: string, password: string) => post('/app/ny-adgang/sett', { token, password })
  const tokenIn = (index = -1) => {
    const mail = mailServer.received.at(index)
    if (mail === undefined) throw new Error('no letter')
    return linkIn(mail).split('#')[1] ?? ''
  }

  test('the link sets a new password, once; every session ends, and the user is notified', async () => {
    const [here, there] = [await openSession(server, kari), await openSession(server, kari)]
    expect((await ask(kari.email, { 'accept-language': 'nb' })).status).toBe(204)
    await server.sendMail()
    expect(mailServer.received).toMatchObject([{ to: kari.email, subject: 'Tilbakestill passordet ditt i Dagsverk' }])
    expect(linkIn(mailServer.received[0] ?? raise())).toMatch(/^http:\/\/localhost\/app\/ny-adgang#[\w-]{43}$/)
    expect((await change(tokenIn(), next)).status).toBe(204)
    for (const session of [here, there]) expect((await session.get('/app/okt')).status).toBe(401)
    expect((await signInAs(server, kari)).status).toBe(401)
    expect((await signInAs(server, { ...kari, password: next })).status).toBe(204)
    expect((await change(tokenIn(0), 'røde plommer på fat')).json.error.code).toBe('InvalidLink')
    await server.sendMail()
    expect(mailServer.received.at(-1)).toMatchObject({ to: kari.email, subject: 'Your password was changed' })
  })

  test('an unknown address gets the same reply, byte for byte, and no e-mail', async () => {
    const [known, unknown] = [await ask(kari.email), await ask('ingen@eksempel.no')]
    const without = ({ status, text, headers }: typeof known) => {
      const { date: _, 'x-request-id': __, ...rest } = headers
      return { status, text, rest }
    }
    expect(without(unknown)).toEqual(without(known))
    const out = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    await server.store.inSystemTransaction((writer) => disableUser(writer, out.id, now))
    expect((await ask(out.email)).status).toBe(204)
    await server.sendMail()
    expect(mailServer.received.map(({ to }) => to)).toEqual([kari.email])
  })

  test('a link is valid for 60 minutes, and only for the password that was forgotten', async () => {
    await ask(kari.email)
    await server.sendMail()
    const late = tokenIn()
    now += 60 * minute - 1
    expect((await change(late, 'kort')).json.error.code).toBe('InvalidValue')
    now += 1
    expect((await change(late, next)).json.error.code).toBe('InvalidLink')
    await ask(kari.email)
    await server.sendMail()
    const first = tokenIn()
    now += 6 * minute
    await ask(kari.email)
    await server.sendMail()
    const second = tokenIn()
    expect(second).not.toBe(first)
    expect((await change(first, next)).status).toBe(204)
    expect((await change(second, 'røde plommer på fat')).json.error.code).toBe('InvalidLink')
  })

  test('of several concurrent uses of one link, one sets the password', async () => {
    await ask(kari.email)
    await server.sendMail()
    const token = tokenIn()
    const replies = await Promise.all(['en', 'to', 'tre'].map((word) => change(token, `${next} ${word}`)))
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([204, 403, 403])
  })

  test('a password that is easy to guess is rejected, and the link stays valid', async () => {
    await ask(kari.email)
    await server.sendMail()
    for (const password of ['kort', 'passwordstandard', `${kari.email} 1`])
      expect((await change(tokenIn(), password)).json.error).toMatchObject({ code: 'InvalidValue', target: 'password' })
    expect((await signInAs(server, kari)).status).toBe(204)
    expect((await change(tokenIn(), next)).status).toBe(204)
  })

  test('one e-mail per address in five minutes, and five requests per hour from one client address', async () => {
    for (let time = 1; time <= 5; time++) {
      expect((await ask(kari.email)).status).toBe(204)
      await server.sendMail()
    }
    expect(mailServer.received).toHaveLength(1)
    const refused = await ask(kari.email)
    expect(refused.json.error.code).toBe('RateLimited')
    const secondInstance = await server.secondInstance(mailServer.options)
    const elsewhere = await secondInstance.call('POST', '/app/glemt/be-om', {
      as: null,
      json: { email: kari.email },
      headers: ownPage,
    })
    expect(elsewhere.json.error.code).toBe('RateLimited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
    const other = await server.addUser([{ company: server.tenantA, role: 'viewer' }])
    expect((await ask(other.email)).status).toBe(204)
    await server.sendMail()
    expect(mailServer.received).toHaveLength(2)
  })

  test('two servers process one request once', async () => {
    await ask(kari.email)
    await Promise.all([server.sendMail(), server.sendMail(), server.sendMail()])
    await server.sendMail()
    expect(mailServer.received).toHaveLength(1)
  })

  test('a server without mail says so, and stores nothing', async () => {
    const withoutMail = await server.secondInstance()
    const refused = await withoutMail.call('POST', '/app/glemt/be-om', {
      as: null,
      json: { email: kari.email },
      headers: ownPage,
    })
    expect(refused.json.error.code).toBe('MailNotConfigured')
    await server.sendMail()
    expect(mailServer.received).toEqual([])
  })

  test('only a same-origin page may request or use a link', async () => {
    for (const path of ['/app/glemt/be-om', '/app/ny-adgang/sett']) {
      const reply = await server.call('POST', path, {
        as: null,
        json: { email: kari.email, token: 'x', password: next },
      })
      expect(reply.json.error.code).toBe('CsrfRejected')
    }
    expect((await change('x'.repeat(43), next)).json.error.code).toBe('InvalidLink')
    expect((await ask('ingen')).json.error.code).toBe('InvalidValue')
  })
})

function raise(): never {
  throw new Error('no letter')
}
