// Interface 3: the states of a material transaction, and every action from every state.
import { describe, expect, test } from 'vitest'
import { parseTransitions, correctionTransitions, transactionTransitions } from '../../src/material/lifecycle.ts'
import { transactionStates } from '../../src/model/transaction.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient, usage } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { textOf } from '../support/repository.ts'

function one(id: number, action = '') {
  return `/prosjekt/Transaksjon(${id})${action}`
}

/**
 * Its line at one destination. Reading changes nothing. Acknowledging a line that was withdrawn after its retrieval is
 * allowed, because the receiver has it: the retrieved approval is restored.
 */
const lineTransitions = `
  from        action       to
  –           approve      ready
  ready       withdraw     withdrawn
  withdrawn   approve      ready
  ready       acknowledge  exported
  withdrawn   acknowledge  exported
  ready       close        closed
  exported    undo         ready
  closed      undo         ready
`

test('the state diagrams in docs/material.md match the code', () => {
  const page = textOf('docs/material.md')
  for (const picture of [transactionTransitions, correctionTransitions, lineTransitions])
    expect(page).toContain(picture.replace(/^\n/, ''))
})

describe.each(databases)('3 lifecycle of a transaction on $name', (database) => {
  const server = useTestServer(database, 'lifecycle')
  const materialClient = useMaterialClient(server)

  test('a list of decisions returns a result per id, in the order of the request', async () => {
    const [a = 0, b = 0] = await materialClient.register(2)
    const reply = await materialClient.post('/prosjekt/Transaksjon/Godkjenn', {
      ids: [b, '1', 'x', 99, b, -1, 1.5, null, { id: a }, '9'.repeat(60)],
    })
    expect(reply.status).toBe(200)
    expect(reply.json).toEqual({
      resultater: [
        { id: b, code: 'approved' },
        { id: a, code: 'approved' },
        { id: 'x', code: 'invalid' },
        { id: 99, code: 'not_found' },
        { id: b, code: 'duplicate_in_request' },
        { id: -1, code: 'invalid' },
        { id: 1.5, code: 'invalid' },
        { id: null, code: 'invalid' },
        { id: '{}', code: 'invalid' },
        { id: '9'.repeat(50), code: 'invalid' },
      ],
      antall: { approved: 2, invalid: 6, not_found: 1, duplicate_in_request: 1 },
    })
    expect(await materialClient.transactions()).toMatchObject([
      { Status: 'Godkjent', GodkjentAv: expect.stringMatching(/^key:/) },
      { Status: 'Godkjent', GodkjentDato: expect.any(String) },
    ])
  })

  test('a decision is on the record of its URL, with the key alone, by name or as a segment, below every service root', async () => {
    const [a = 0, b = 0, d = 0, c = 0] = await materialClient.register(4)
    const decided = [
      await materialClient.post(`/odata/Transaksjon(${a})/Godkjenn`),
      await materialClient.post(`/prosjekt/Transaksjon(id=${b})/Godkjenn/`),
      await materialClient.post(`/prosjekt/transaksjon/${d}/godkjenn`),
    ]
    expect(decided.map(({ status, json }) => [status, json.Id])).toEqual([
      [200, a],
      [200, b],
      [200, d],
    ])
    const refused = [
      [`(${c})(${a})`, 501, 'NotSupported'],
      [`(${a})(${c})`, 501, 'NotSupported'],
      ["('1')", 404, 'NotFound'],
      [`(${c},${a})`, 400, 'InvalidPath'],
      ['(x)', 400, 'InvalidPath'],
      [`(Antall=${c})`, 404, 'NotFound'],
    ]
    for (const [key, status, code] of refused) {
      const reply = await materialClient.post(`/prosjekt/Transaksjon${key}/Godkjenn`)
      expect([key, reply.status, reply.json.error.code]).toEqual([key, status, code])
    }
    const states = (await materialClient.transactions()).map(({ Status }) => Status)
    expect(states).toEqual(['Godkjent', 'Godkjent', 'Godkjent', 'Registrert'])
  })

  test('of two managers who decide at once one succeeds, and the error of the other names who decided', async () => {
    const ola = await server.addCredential({ ...materialClient.company, key: '' })
    await materialClient.register(1)
    const asOla = { as: null, headers: { 'tb-key': ola.secret } }
    const both = await Promise.all([
      materialClient.approve(1),
      materialClient.call('POST', '/prosjekt/Transaksjon/Avvis', { ...asOla, json: { ids: [1], grunn: 'feil' } }),
    ])
    const [first, second] = both.map(({ json }) => (json.error ?? json).resultater[0])
    const codes = [first.code, second.code]
    expect([
      ['approved', 'not_allowed'],
      ['not_allowed', 'rejected'],
    ]).toContainEqual(codes)
    const [{ Status: status }] = await materialClient.transactions()
    const loser = first.code === 'not_allowed' ? first : second
    expect(loser).toMatchObject({ Status: status, Av: expect.stringMatching(/^key:/) })
    expect(status).toBe(first.code === 'approved' ? 'Godkjent' : 'Avvist')
    const late = await materialClient.call('POST', one(1, '/Godkjenn'), asOla)
    expect([late.status, late.json.error.code]).toEqual([409, 'StateConflict'])
    expect(late.json.error.message).toMatch(/since .*, by key:/)
  })

  test('a decision on an exported transaction says who exported it, and when', async () => {
    const robot = await server.addCredential({ ...materialClient.company, key: '' })
    await materialClient.register(2)
    await materialClient.approve(1, 2)
    await materialClient.call('POST', '/prosjekt/Transaksjonseksport/Eksportert', {
      as: null,
      headers: { 'tb-key': robot.secret },
      json: { ids: [1] },
    })
    const [{ EksportertDato: at }] = await materialClient.transactions()
    const refused = { code: 'not_allowed', Status: 'Eksportert', Av: `key:${robot.id}`, Tid: at }
    expect((await materialClient.approve(1, 2)).json.resultater).toEqual([
      { id: 1, ...refused },
      expect.objectContaining({ id: 2, code: 'already_approved' }),
    ])
    const single = await materialClient.call('POST', one(1, '/TrekkGodkjenning'))
    expect(single.json.error.message).toContain(`by key:${robot.id}`)
  })

  test('an unknown field is rejected on endpoints that we defined, and nothing changes', async () => {
    await materialClient.register(1)
    const refused = async (path: string, body: object, target: string) => {
      const { status, json } = await materialClient.post(path, body)
      expect([status, json.error.code, json.error.target], path).toEqual([400, 'UnknownField', target])
      return json.error.message
    }
    const ids = [1]
    await refused('/prosjekt/Transaksjon/Godkjenn', { ids, grunn: 'nei' }, 'grunn')
    await refused('/prosjekt/Transaksjon/TrekkGodkjenning', { ids, ID: 1 }, 'ID')
    const message = await refused('/prosjekt/Transaksjon/Avvis', { ids, grunn: 'x', grun: 'y' }, 'grun')
    expect(message).toContain('Did you mean "grunn"?')
    await refused(one(1, '/Avvis'), { ids, grunn: 'x' }, 'ids')
    const list = '/prosjekt/TransaksjonsEksport'
    for (const action of ['Angre', 'Lukk', 'TilGodkjenning', 'ProvIgjen'])
      await refused(`${list}/${action}`, { ids, grunn: 'x', hvem: 'meg' }, 'hvem')
    await refused(`${list}/Lukk`, { ids, grunn: 'x', batchId: 1 }, 'batchId')
    await refused(`${list}/Batch`, { maks: 3 }, 'maks')
    await refused(`${list}/Batch/1/Forleng`, { leaseSecond: 3 }, 'leaseSecond')
    await refused(`${list}/Batch/1/Frigi`, { grunn: 'x' }, 'grunn')
    await refused(`${list}/Avstem`, { ids, til: 3 }, 'til')
    expect((await materialClient.transactions())[0].Status).toBe('Registrert')
    expect((await materialClient.post('/prosjekt/Transaksjon/Godkjenn', { ids, '@note': 1 })).status).toBe(200)
  })

  test('4.4 an endpoint of the specification ignores unknown fields, and names them', async () => {
    await materialClient.register(2)
    await materialClient.approve(1, 2)
    const body = { ids: [1], items: [{ id: 2, externalld: 'V-1' }], kilde: 'X å' }
    expectError(await materialClient.acknowledge(body, {}, { prefer: 'handling=strict' }), 400, 'UnknownField')
    const acknowledged = await materialClient.acknowledge(body)
    expect(acknowledged.json.antall).toEqual({ exported: 2 })
    expect(acknowledged.headers['x-ignored-fields']).toBe('items.externalld, kilde')
    expect((await materialClient.acknowledge({ ids: [1] })).headers).not.toHaveProperty('x-ignored-fields')
  })

  test('a rejection requires a reason; a corrected transaction awaits approval again', async () => {
    await materialClient.register(1)
    for (const json of [{}, { grunn: ' ' }, { grunn: null }])
      expect((await materialClient.call('POST', one(1, '/Avvis'), { json })).json.error).toMatchObject({
        code: 'MissingField',
        target: 'grunn',
      })
    const rejected = await materialClient.call('POST', one(1, '/Avvis'), { json: { Grunn: 'feil vare' } })
    expect(rejected.json).toMatchObject({ Status: 'Avvist', AvvistGrunn: 'feil vare' })
    expect((await materialClient.call('POST', one(1, '/Godkjenn'))).status).toBe(409)
    const edited = await materialClient.call('PATCH', one(1), { json: { VareId: 'B' } })
    expect(edited.json).toMatchObject({ Status: 'Registrert', AvvistGrunn: null, VareId: 'B' })
    expect((await materialClient.call('POST', one(1, '/Godkjenn'))).json.Status).toBe('Godkjent')
    expect((await materialClient.call('POST', one(1, '/TrekkGodkjenning'))).json).toMatchObject({
      Status: 'Registrert',
      GodkjentAv: null,
    })
  })

  test('a reason has at most 4,000 characters, and an emoji is one', async () => {
    await materialClient.register(1)
    const reject = (grunn: string) => materialClient.call('POST', one(1, '/Avvis'), { json: { grunn } })
    expect((await reject('😀'.repeat(4001))).json.error).toMatchObject({ code: 'ValueTooLong', target: 'grunn' })
    const rejected = await reject('😀'.repeat(4000))
    expect([rejected.status, rejected.json.AvvistGrunn]).toEqual([200, '😀'.repeat(4000)])
  })

  test('a list of decisions of which none can be applied is 422, with the same results', async () => {
    const reply = await materialClient.approve(7)
    expect([reply.status, reply.json.error.code]).toEqual([422, 'NoItemsProcessed'])
    expect(reply.json.error).toMatchObject({ resultater: [{ id: 7, code: 'not_found' }], antall: { not_found: 1 } })
    expect((await materialClient.approve()).json).toEqual({ resultater: [], antall: {} })
    expect((await materialClient.post('/prosjekt/Transaksjon/Godkjenn', {})).json.error.code).toBe('MissingField')
    expect((await materialClient.post('/prosjekt/Transaksjon/Godkjenn', { ids: 7 })).json.error.code).toBe(
      'InvalidType',
    )
  })

  test('a repeat with its Idempotency-Key returns the first reply, an error too', async () => {
    await materialClient.register(1)
    const call = (ids: number[], key: string) =>
      materialClient.call('POST', '/prosjekt/Transaksjon/Godkjenn', {
        json: { ids },
        headers: { 'idempotency-key': key },
      })
    const [first, again] = [await call([1], 'a'), await call([1], 'a')]
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    const [refused, repeated] = [await call([2], 'b'), await call([2], 'b')]
    expect([refused.status, repeated.text]).toEqual([422, refused.text])
    const dry = await materialClient.post('/prosjekt/Transaksjon/TrekkGodkjenning', { ids: [1] }, { dryRun: 'true' })
    expect(dry.json.antall).toEqual({ withdrawn: 1 })
    expect((await materialClient.transactions())[0].Status).toBe('Godkjent')
  })

  test('with four-eyes approval, the caller who registered a transaction cannot approve it', async () => {
    const careful = await newMaterialClient(server, { settings: { requiresFourEyes: true } })
    await careful.register(2)
    expectError(await careful.call('POST', one(1, '/Godkjenn')), 403, 'SelfApprovalForbidden')
    expect((await careful.approve(1, 2)).json.error.resultater).toMatchObject([
      { id: 1, code: 'not_allowed', message: expect.stringContaining('registered') },
      { id: 2, code: 'not_allowed' },
    ])
    const other = await server.addCredential({ ...careful.company, key: '' })
    const reply = await careful.call('POST', one(1, '/Godkjenn'), { as: null, headers: { 'tb-key': other.secret } })
    expect(reply.json.Status).toBe('Godkjent')
  })

  test('with four-eyes approval, neither who registered a transaction nor who changed it last can approve it', async () => {
    const careful = await newMaterialClient(server, { settings: { requiresFourEyes: true } })
    await careful.register(2)
    const [second, third] = [
      await server.addCredential({ ...careful.company, key: '' }),
      await server.addCredential({ ...careful.company, key: '' }),
    ]
    const callWith = (secret: string, method: string, address: string, json = {}) =>
      careful.call(method, address, { as: null, headers: { 'tb-key': secret }, json })
    await expectStatus(callWith(second.secret, 'PATCH', one(1), { Antall: 9 }))
    const approvals = async (id: number) => [
      (await careful.call('POST', one(id, '/Godkjenn'))).json.error?.code,
      (await callWith(second.secret, 'POST', one(id, '/Godkjenn'))).json.error?.code,
    ]
    expect(await approvals(1)).toEqual(['SelfApprovalForbidden', 'SelfApprovalForbidden'])
    expect(await approvals(2)).toEqual(['SelfApprovalForbidden', undefined])
    const reply = await callWith(third.secret, 'POST', one(1, '/Godkjenn'))
    expect(reply.json).toMatchObject({ Status: 'Godkjent', Antall: 9 })
  })

  describe('every action from every state leads to the state of the diagram', () => {
    const actions: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
      edit: (id) => materialClient.call('PATCH', one(id), { json: { Merknad: String(Math.random()) } }),
      delete: (id) => materialClient.call('DELETE', one(id)),
      approve: (id) => materialClient.call('POST', one(id, '/Godkjenn')),
      reject: (id) => materialClient.call('POST', one(id, '/Avvis'), { json: { grunn: 'nei' } }),
      withdraw: (id) => materialClient.call('POST', one(id, '/TrekkGodkjenning')),
    }
    const pathsTo: Readonly<Record<string, readonly string[]>> = {
      registered: [],
      approved: ['approve'],
      rejected: ['reject'],
    }
    const stateOf = async (id: number) =>
      (await materialClient.transactions({ $filter: `Id eq ${id}` }))[0]?.Status ?? '–'
    const transitions = parseTransitions(transactionTransitions)
    const wireStates = new Map<string | undefined, string>([...Object.entries(transactionStates), ['–', '–']])

    for (const from of Object.keys(pathsTo))
      for (const action of Object.keys(actions))
        test(`${from} ${action}`, async () => {
          const { json } = await materialClient.post('/prosjekt/Transaksjon', usage)
          for (const step of pathsTo[from] ?? []) await actions[step]?.(json.Id)
          expect(await stateOf(json.Id)).toBe(wireStates.get(from))
          await actions[action]?.(json.Id)
          const to = transitions.find(([start, name]) => start === from && name === action)?.[2]
          expect(await stateOf(json.Id)).toBe(wireStates.get(to ?? from))
        })
  })
})
