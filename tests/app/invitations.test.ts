// Invitations: an e-mailed link that works once, for one recipient, without revealing who has an account.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { statement } from '../../src/store/statement.ts'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { linkIn, useMailServer } from '../support/mail-server.ts'
import { ownPage, signInAs, openSession, openSessionAs, useSession } from './session-client.ts'

const { nb } = auditTexts

const at = '/app/data/administrasjon'
const day = 24 * 3600 * 1_000_000
const good = { name: 'Nils Berg', password: 'korger under bordet' }
let userCount = 0

const everything = statement<{ tokenHash: string; email: string }>(() => sql`select "tokenHash", email from invitation`)

describe.each(databases)('$name', (database) => {
  const mailServer = useMailServer()
  const server = useTestServer(database, 'app-invitations', () => mailServer.options)
  const clock = useClock(server)
  const { company, user: kari, session: admin } = useSession(server, 'admin')

  const invite = (email: string, more: object = { role: 'viewer' }) =>
    admin.send('POST', `${at}/personer/inviter`, { email, ...more })
  const post = (path: string, json: object) => server.call('POST', path, { as: null, json, headers: ownPage })
  const look = (token: string) => post('/app/invitasjon/se', { token })
  const accept = (token: string, fields: object = good) => post('/app/invitasjon/godta', { token, ...fields })
  const seen = async () => (await admin.get(at)).json
  const tokenOf = (link: string) => link.slice(link.indexOf('#') + 1)
  /** The token in an e-mail. */
  const invited = async (email: string, more?: object) => {
    expect((await invite(email, more)).json).toEqual({ email, link: null })
    await server.sendMail()
    const mail = mailServer.received.at(-1)
    if (mail === undefined) throw new Error('no letter')
    return tokenOf(linkIn(mail))
  }
  const someone = () => `ny${++userCount}.${database.name}@eksempel.no`

  test('links of two companies opened at once create one account, and the slower gets an error', async () => {
    const other = await server.addCompany('LAG')
    const boss = await openSessionAs(server, other, 'admin')
    for (let round = 0; round < 5; round++) {
      const email = someone()
      const mine = await invited(email)
      await boss.send('POST', `${at}/personer/inviter`, { email, role: 'viewer' })
      await server.sendMail()
      const mail = mailServer.received.at(-1)
      const theirs = mail === undefined ? '' : tokenOf(linkIn(mail))
      const replies = await Promise.all([accept(mine), accept(theirs)])
      const [first, second] = replies.toSorted((one, two) => one.status - two.status)
      expect(first?.status).toBe(200)
      // A slower one that found the account existing has joined with its password.
      if (second?.status === 200) continue
      expect(second?.json.error.code).toBe('AlreadyExists')
      const left = first === replies[0] ? theirs : mine
      expect((await look(left)).json).toMatchObject({ isKnown: true })
      expect((await accept(left, { password: good.password })).status).toBe(200)
    }
  })

  test('the e-mail names inviter, company and role, in the language of the inviter; the link works once', async () => {
    const email = someone()
    const token = await invited(email, { role: 'approver', departments: '20' })
    expect(mailServer.received[0]?.subject).toBe(`You are invited to ${company.name}`)
    expect(mailServer.received[0]?.text).toContain(`${kari.email} invites you to ${company.name}`)
    expect((await seen()).invitations).toMatchObject([
      { email, role: 'approver', departments: ['20'], expiresAt: clock.now + 7 * day },
    ])
    expect((await look(token)).json).toEqual({ email, role: 'approver', company: company.name, isKnown: false })
    expect((await accept(token)).json).toEqual({ email, company: company.name })
    const person = { id: 0, email, password: good.password }
    expect((await (await openSession(server, person)).get('/app/okt')).json).toMatchObject({
      company: company.name,
      role: 'approver',
      departments: ['20'],
    })
    expect((await seen()).people).toContainEqual(
      expect.objectContaining({ email, name: 'Nils Berg', role: 'approver' }),
    )
    expect((await seen()).invitations).toEqual([])
    for (const again of [await look(token), await accept(token)]) expect(again.json.error.code).toBe('InvalidLink')
  })

  test('the database contains only the hash of the token, and no reply contains it', async () => {
    const token = await invited(someone())
    const stored = JSON.stringify([await server.store.all(everything, {}), await seen()])
    expect(stored).not.toContain(token)
  })

  test('without mail the link is shown to the inviter, once', async () => {
    const withoutMail = await server.secondInstance()
    Object.assign(admin, await openSession(withoutMail, kari))
    const email = someone()
    const { link } = (await invite(email)).json
    expect(link).toMatch(/^http:\/\/localhost\/app\/invitasjon#[\w-]{43}$/)
    expect((await seen()).sendsMail).toBe(false)
    expect(JSON.stringify(await seen())).not.toContain(tokenOf(link))
    expect((await accept(tokenOf(link))).status).toBe(200)
  })

  test('a new invitation replaces the last, a withdrawn one is void, and links expire after a week', async () => {
    const email = someone()
    const first = await invited(email)
    const second = await invited(email, { role: 'auditor' })
    expect((await look(first)).status).toBe(403)
    expect((await look(second)).json.role).toBe('auditor')
    const [{ id }] = (await seen()).invitations
    expect((await admin.send('POST', `${at}/personer/trekk`, { id: String(id) })).status).toBe(200)
    expect((await look(second)).status).toBe(403)
    expect((await admin.send('POST', `${at}/personer/trekk`, { id: String(id) })).status).toBe(404)
    const third = await invited(email)
    clock.now += 7 * day - 1
    expect((await look(third)).status).toBe(200)
    clock.now += 1
    expect((await look(third)).status).toBe(403)
    expect((await accept(third)).status).toBe(403)
  })

  test('nobody sees or withdraws the invitations of another company', async () => {
    await invited(someone())
    const [{ id }] = (await seen()).invitations
    const outsider = await openSessionAs(server, server.tenantB, 'admin')
    expect((await outsider.get(at)).json.invitations).toEqual([])
    const path = `${at}/personer/trekk`
    expect((await outsider.send('POST', path, { id: String(id) })).status).toBe(404)
    expect((await seen()).invitations).toHaveLength(1)
  })

  test('an existing user joins with the existing password, and no other; it stays unchanged', async () => {
    const ola = await server.addUser([{ company: server.tenantB, role: 'viewer' }])
    const token = await invited(ola.email, { role: 'admin' })
    expect((await look(token)).json.isKnown).toBe(true)
    expect((await accept(token, good)).json.error.code).toBe('InvalidCredentials')
    expect((await signInAs(server, ola, company.name)).status).toBe(401)
    expect((await accept(token, { password: ola.password })).status).toBe(200)
    expect((await signInAs(server, ola, company.name)).status).toBe(204)
    expect((await invite(ola.email)).json.error.code).toBe('AlreadyExists')
  })

  test('of many concurrent uses of one link, one succeeds', async () => {
    const token = await invited(someone())
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, index) => accept(token, { ...good, name: `Nr ${index}` })),
    )
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403, 403, 403])
  })

  test('an invitation does not restore a removed user, or replace a role given since', async () => {
    const email = someone()
    const ola = await server.addUser([{ company: server.tenantB, role: 'viewer' }])
    const token = await invited(ola.email, { role: 'admin' })
    const again = await invited(email)
    await accept(again)
    const of = async (address: string) => (await seen()).people.find((one: { email: string }) => one.email === address)
    await accept(token, { password: ola.password })
    await admin.send('POST', `${at}/personer/steng`, { id: String((await of(ola.email)).id) })
    expect((await invite(ola.email)).json.error.code).toBe('AlreadyExists')
    expect((await signInAs(server, ola, company.name)).status).toBe(401)
  })

  test('a password that is easy to guess is rejected, and the link stays valid', async () => {
    const email = someone()
    const token = await invited(email)
    for (const [fields, target] of [
      [{ ...good, password: 'kort' }, 'password'],
      [{ ...good, password: 'passwordstandard' }, 'password'],
      [{ name: 'Solveig Haugen', password: 'Solveig Haugen 1' }, 'password'],
      [{ ...good, name: 'a'.repeat(101) }, 'name'],
    ] as const)
      expect((await accept(token, fields)).json.error).toMatchObject({ code: 'InvalidValue', target })
    expect((await accept(token, { name: 'A' })).json.error.code).toBe('MissingField')
    expect((await look(token)).status).toBe(200)
  })

  test('only a same-origin page may use a link, and only a re-authenticated administrator invites', async () => {
    const token = await invited(someone())
    for (const path of ['/app/invitasjon/se', '/app/invitasjon/godta']) {
      const json = { token, ...good }
      expect((await server.call('POST', path, { as: null, json })).json.error.code).toBe('CsrfRejected')
    }
    const viewer = await openSessionAs(server, company, 'auditor')
    const path = `${at}/personer/inviter`
    expect((await viewer.send('POST', path, { email: 'a@b.no', role: 'admin' })).status).toBe(403)
    clock.now += 5 * 60_000_000
    expect((await invite('a@b.no')).json.error.code).toBe('ReauthenticationRequired')
  })

  test('the audit log has an entry for each step, without addresses', async () => {
    const email = someone()
    const token = await invited(email)
    await accept(token)
    await invited(someone())
    const [{ id }] = (await seen()).invitations
    await admin.send('POST', `${at}/personer/trekk`, { id: String(id) })
    const { rows } = (await admin.get('/app/data/revisjon')).json
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    const labels = rows.map((row: { action: string; data: string }) => [
      actionLabels[row.action],
      formatSubject(row, nb),
    ])
    expect(labels).toEqual([
      ['Slettet invitasjon', expect.stringMatching(/^Invitasjon \d+$/)],
      ['Inviterte', expect.stringMatching(/^Invitasjon \d+$/)],
      ['Ble med', expect.stringMatching(/^Bruker \d+$/)],
      ['Inviterte', expect.stringMatching(/^Invitasjon \d+$/)],
      ['Logget inn', 'Med passord'],
    ])
    expect(rows.map(({ data }: { data: string }) => data).join('')).not.toContain('@')
  })
})
