// Companies in the app: the operator adds, disables and enables them, without access to their data.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatSubject } from '../../web/features/audit/audit-subject.ts'
import { auditTexts } from './audit-texts.ts'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer, type TestCompany, type TestUser } from '../support/server.ts'
import { ownPage, signInAs, openSession, type SessionClient } from './session-client.ts'

const { nb } = auditTexts

const at = '/app/data/drift/firmaer'
const good = { zone: 'Europe/Oslo', currency: 'NOK', password: '' }
let companies = 0

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-companies')
  const clock = useClock(server)
  let kari: TestUser
  let operator: SessionClient
  beforeAll(async () => {
    // A role in a company does not make its holder an operator.
    kari = await server.addOperator([{ company: server.tenantA, role: 'viewer' }])
  })
  beforeEach(async () => {
    operator = await openSession(server, kari)
  })

  test('the list of companies has the number of members of each', async () => {
    expect((await operator.get(at)).json.companies).toMatchObject([
      { name: 'DITT', disabledAt: null, people: 0, credentials: 2 },
      { name: 'MITT', disabledAt: null, people: 1, credentials: 2 },
    ])
  })

  const named = () => ({ name: `Vik ${++companies} AS`, email: `sjef${companies}@vik.example` })
  const add = (fields: object, who = operator) => who.send('POST', `${at}/ny`, { ...good, ...named(), ...fields })
  const act = (path: string, fields: object, who = operator) => who.send('POST', `${at}/${path}`, fields)
  const listed = async (name: string) =>
    (await operator.get(at)).json.companies.find((one: { name: string }) => one.name === name)
  const fetched = async (company: string, password: string) =>
    (
      await server.call('GET', '/dev/Omsetning/Finn', {
        as: null,
        headers: { 'x-firma': company, 'x-passord': password },
      })
    ).status
  const accept = (link: string) =>
    server.call('POST', '/app/invitasjon/godta', {
      as: null,
      json: { token: link.slice(link.indexOf('#') + 1), name: 'Nils', password: 'grønne epler i kurven' },
      headers: ownPage,
    })

  test('a new company has a password that is shown once, and the invited user becomes its administrator', async () => {
    const { name, email } = named()
    const made = await add({ name, email, zone: 'europe/helsinki', currency: 'EUR' })
    expect(made.json).toMatchObject({ company: name, email })
    expect(await fetched(name, made.json.password)).toBe(200)
    const shown = await operator.get(at)
    expect(shown.text).not.toContain(made.json.password)
    expect(await listed(name)).toMatchObject({ people: 0, credentials: 1, disabledAt: null })
    expect((await accept(made.json.link)).status).toBe(200)
    const person = { id: 0, email, password: 'grønne epler i kurven' }
    const nils = await openSession(server, person)
    expect((await nils.get('/app/okt')).json).toMatchObject({
      company: name,
      role: 'admin',
      isOperator: false,
      zone: 'Europe/Helsinki',
      currency: 'EUR',
    })
    const entries = (await nils.get('/app/data/revisjon')).json.rows
    const actionLabels: Readonly<Record<string, string>> = nb.audit.actions
    const first = entries.at(-1)
    expect([first.actor, actionLabels[first.action], formatSubject(first, nb)]).toEqual([
      `user:${kari.id}`,
      'La til firma',
      `Firma ${(await listed(name)).id}`,
    ])
  })

  test('a chosen password is not shown again, and must be hard to guess', async () => {
    const { name } = named()
    const refused = await add({ name, password: name })
    expect(refused.json.error).toMatchObject({ code: 'InvalidValue', target: 'password' })
    const password = 'tretti gule sykler i regn'
    expect((await add({ name, password })).json).toMatchObject({ company: name, password: null })
    expect(await fetched(name, password)).toBe(200)
  })

  test('with mail, the first administrator gets an e-mail and nobody else sees the link', async () => {
    const withMail = await server.secondInstance({
      settings: { smtpUrl: 'smtp://127.0.0.1', mailFrom: 'dagsverk@eksempel.no' },
    })
    expect((await add({}, await openSession(withMail, kari))).json.link).toBeNull()
    expect((await operator.get(at)).json.sendsMail).toBe(false)
  })

  test('invalid input stores nothing at all', async () => {
    const before = (await operator.get(at)).json.companies
    for (const [fields, target] of [
      [{ name: '' }, 'name'],
      [{ name: 'a:b' }, 'name'],
      [{ email: 'nobody' }, 'email'],
      [{ zone: 'Europe/Atlantis' }, 'zone'],
      [{ currency: 'kroner' }, 'currency'],
    ] as const)
      expect((await add(fields)).json.error).toMatchObject({ target })
    const taken = await add({ name: server.tenantA.name.toLowerCase() })
    expect(taken.json.error).toMatchObject({ code: 'AlreadyExists', target: 'name' })
    expect((await operator.get(at)).json.companies).toEqual(before)
  })

  test('of two companies added with one name at once, on two servers, one is added', async () => {
    const { name, email } = named()
    const secondInstance = await server.secondInstance()
    const there = await openSession(secondInstance, kari)
    const replies = await Promise.all([add({ name, email }), add({ name, email }, there)])
    expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(await listed(name)).toMatchObject({ credentials: 1 })
  })

  describe('disabled companies', () => {
    let company: TestCompany
    let ola: TestUser
    let id: string
    beforeEach(async () => {
      company = await server.addCompany(named().name)
      ola = await server.addUser([
        { company, role: 'admin' },
        { company: server.tenantB, role: 'viewer' },
      ])
      id = String((await listed(company.name)).id)
    })

    test('nobody can sign in, every key is rejected and nothing is lost, until it is enabled again', async () => {
      const sale = { Dato: '2026-05-01', AvdelingID: '10', Omsetning: 5 }
      await server.call('POST', '/dev/Omsetning/Lagre', { as: company, json: sale })
      const inside = await openSession(server, ola, company.name)
      expect((await act('steng', { id, name: ` ${company.name.toUpperCase()} ` })).status).toBe(200)
      expect((await listed(company.name)).disabledAt).toBe(clock.now)
      expect((await inside.get('/app/okt')).status).toBe(401)
      expect((await signInAs(server, ola, company.name)).status).toBe(401)
      expect((await signInAs(server, ola)).status).toBe(204)
      expect(await fetched(company.name, company.password)).toBe(401)
      const read = () => server.call('GET', '/odata/Omsetning', { as: company })
      expect((await read()).status).toBe(401)
      clock.now += 1_000_000
      expect((await act('steng', { id, name: company.name })).status).toBe(200)
      expect((await listed(company.name)).disabledAt).toBe(clock.now - 1_000_000)
      expect((await act('apne', { id })).status).toBe(200)
      // A session that has ended is not revived.
      expect((await inside.get('/app/okt')).status).toBe(401)
      expect((await read()).json.value).toMatchObject([{ Omsetning: 5 }])
      const again = await openSession(server, ola, company.name)
      const actions = (await again.get('/app/data/revisjon')).json.rows.map(({ action }: { action: string }) => action)
      expect(actions.filter((action: string) => action.startsWith('company'))).toEqual([
        'company-open',
        'company-close',
        'company-close',
      ])
    })

    test('enabling a company that is open ends no session', async () => {
      const inside = await openSession(server, ola, company.name)
      expect((await act('apne', { id })).status).toBe(200)
      expect((await act('apne', { id: String(server.tenantA.id) })).status).toBe(200)
      expect([(await inside.get('/app/okt')).status, (await operator.get('/app/okt')).status]).toEqual([200, 200])
    })

    test("disabling requires the typed name, and is refused for the operator's current company", async () => {
      const wrong = await act('steng', { id, name: server.tenantB.name })
      expect(wrong.json.error).toMatchObject({ code: 'InvalidValue', target: 'name' })
      expect((await act('steng', { id })).json.error.code).toBe('MissingField')
      const own = { id: String(server.tenantA.id), name: server.tenantA.name }
      expect((await act('steng', own)).json.error.code).toBe('CannotCloseCurrentCompany')
      for (const path of ['steng', 'apne'])
        expect((await act(path, { id: '999999', name: 'x' })).json.error.code).toBe('NotFound')
      expect((await listed(company.name)).disabledAt).toBeNull()
      expect((await signInAs(server, kari)).status).toBe(204)
    })

    test('all of it is for operators alone, and requires re-authentication', async () => {
      const admin = await openSession(server, ola, company.name)
      expect((await admin.get(at)).json.error.code).toBe('RoleMissing')
      const requests = [
        ['ny', { ...good, ...named() }],
        ['steng', { id, name: company.name }],
        ['apne', { id }],
      ] as const
      for (const [path, fields] of requests)
        expect((await act(path, fields, admin)).json.error.code).toBe('RoleMissing')
      clock.now += 5 * 60_000_000
      for (const [path, fields] of requests)
        expect((await act(path, fields)).json.error.code).toBe('ReauthenticationRequired')
      expect((await listed(company.name)).disabledAt).toBeNull()
      // In companies the operator has only the scopes of a role there.
      expect((await operator.get('/app/data/administrasjon')).json.error.code).toBe('RoleMissing')
    })
  })
})
