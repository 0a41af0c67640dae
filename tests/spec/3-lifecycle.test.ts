// Interface 3: the states of a material transaction, and every action from every state.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  arrowsIn,
  correctionPicture,
  linePicture,
  transactionPicture,
} from '../../src/material/lifecycle.ts'
import { states } from '../../src/model/transaction.ts'
import { databases } from '../support/databases.ts'
import { newDepot, usage, type Depot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { textOf } from '../support/repository.ts'

function one(id: number, act = '') {
  return `/prosjekt/Transaksjon(${id})${act}`
}

test('the state diagrams in docs/material.md match the code', () => {
  const page = textOf('docs/material.md')
  for (const picture of [transactionPicture, correctionPicture, linePicture])
    expect(page).toContain(picture.replace(/^\n/, ''))
})

describe.each(databases)('3 lifecycle of a transaction on $name', (database) => {
  let house: House
  let depot: Depot
  beforeAll(async () => {
    house = await buildHouse(database, 'lifecycle')
  })
  beforeEach(async () => {
    depot = await newDepot(house)
  })
  afterAll(() => house.close())

  test('a list of decisions returns a result per id, in the order of the request', async () => {
    const [a = 0, b = 0] = await depot.register(2)
    const answer = await depot.post('/prosjekt/Transaksjon/Godkjenn', {
      ids: [b, '1', 'x', 99, b, -1, 1.5, null, { id: a }, '9'.repeat(60)],
    })
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual({
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
    expect(await depot.all()).toMatchObject([
      { Status: 'Godkjent', GodkjentAv: expect.stringMatching(/^key:/) },
      { Status: 'Godkjent', GodkjentDato: expect.any(String) },
    ])
  })

  test('of two managers who decide at once one succeeds, and the other is told who decided', async () => {
    const ola = await house.credential({ ...depot.company, key: '' })
    await depot.register(1)
    const asOla = { as: null, headers: { 'tb-key': ola.secret } }
    const both = await Promise.all([
      depot.approve(1),
      depot.call('POST', '/prosjekt/Transaksjon/Avvis', {
        ...asOla,
        json: { ids: [1], grunn: 'feil' },
      }),
    ])
    const [first, second] = both.map(({ json }) => (json.error ?? json).resultater[0])
    const codes = [first.code, second.code]
    expect([
      ['approved', 'not_allowed'],
      ['not_allowed', 'rejected'],
    ]).toContainEqual(codes)
    const [{ Status: status }] = await depot.all()
    const loser = first.code === 'not_allowed' ? first : second
    expect(loser).toMatchObject({ Status: status, Av: expect.stringMatching(/^key:/) })
    expect(status).toBe(first.code === 'approved' ? 'Godkjent' : 'Avvist')
    const late = await depot.call('POST', one(1, '/Godkjenn'), asOla)
    expect([late.status, late.json.error.code]).toEqual([409, 'StateConflict'])
    expect(late.json.error.message).toMatch(/since .*, by key:/)
  })

  test('a decision on an exported transaction says who exported it, and when', async () => {
    const robot = await house.credential({ ...depot.company, key: '' })
    await depot.register(2)
    await depot.approve(1, 2)
    await depot.call('POST', '/prosjekt/Transaksjonseksport/Eksportert', {
      as: null,
      headers: { 'tb-key': robot.secret },
      json: { ids: [1] },
    })
    const [{ EksportertDato: at }] = await depot.all()
    const refused = { code: 'not_allowed', Status: 'Eksportert', Av: `key:${robot.id}`, Tid: at }
    expect((await depot.approve(1, 2)).json.resultater).toEqual([
      { id: 1, ...refused },
      expect.objectContaining({ id: 2, code: 'already_approved' }),
    ])
    const single = await depot.call('POST', one(1, '/TrekkGodkjenning'))
    expect(single.json.error.message).toContain(`by key:${robot.id}`)
  })

  test('an unknown field is rejected on endpoints that we defined, and nothing changes', async () => {
    await depot.register(1)
    const refused = async (path: string, body: object, target: string) => {
      const { status, json } = await depot.post(path, body)
      expect([status, json.error.code, json.error.target], path).toEqual([
        400,
        'UnknownField',
        target,
      ])
      return json.error.message
    }
    const ids = [1]
    await refused('/prosjekt/Transaksjon/Godkjenn', { ids, grunn: 'nei' }, 'grunn')
    await refused('/prosjekt/Transaksjon/TrekkGodkjenning', { ids, ID: 1 }, 'ID')
    const message = await refused(
      '/prosjekt/Transaksjon/Avvis',
      { ids, grunn: 'x', grun: 'y' },
      'grun',
    )
    expect(message).toContain('Did you mean "grunn"?')
    await refused(one(1, '/Avvis'), { ids, grunn: 'x' }, 'ids')
    const list = '/prosjekt/TransaksjonsEksport'
    for (const act of ['Angre', 'Lukk', 'TilGodkjenning', 'ProvIgjen'])
      await refused(`${list}/${act}`, { ids, grunn: 'x', hvem: 'meg' }, 'hvem')
    await refused(`${list}/Lukk`, { ids, grunn: 'x', batchId: 1 }, 'batchId')
    await refused(`${list}/Batch`, { maks: 3 }, 'maks')
    await refused(`${list}/Batch/1/Forleng`, { leaseSecond: 3 }, 'leaseSecond')
    await refused(`${list}/Batch/1/Frigi`, { grunn: 'x' }, 'grunn')
    await refused(`${list}/Avstem`, { ids, til: 3 }, 'til')
    expect((await depot.all())[0].Status).toBe('Registrert')
    expect((await depot.post('/prosjekt/Transaksjon/Godkjenn', { ids, '@note': 1 })).status).toBe(
      200,
    )
  })

  test('4.4 an endpoint of the specification ignores unknown fields, and names them', async () => {
    await depot.register(2)
    await depot.approve(1, 2)
    const body = { ids: [1], items: [{ id: 2, externalld: 'V-1' }], kilde: 'X å' }
    const strict = await depot.mark(body, {}, { prefer: 'handling=strict' })
    expect([strict.status, strict.json.error.code]).toEqual([400, 'UnknownField'])
    const marked = await depot.mark(body)
    expect(marked.json.antall).toEqual({ exported: 2 })
    expect(marked.headers['x-ignored-fields']).toBe('items.externalld, kilde')
    expect((await depot.mark({ ids: [1] })).headers).not.toHaveProperty('x-ignored-fields')
  })

  test('a rejection requires a reason; a corrected transaction awaits approval again', async () => {
    await depot.register(1)
    for (const json of [{}, { grunn: ' ' }, { grunn: null }])
      expect((await depot.call('POST', one(1, '/Avvis'), { json })).json.error).toMatchObject({
        code: 'MissingField',
        target: 'grunn',
      })
    const rejected = await depot.call('POST', one(1, '/Avvis'), { json: { Grunn: 'feil vare' } })
    expect(rejected.json).toMatchObject({ Status: 'Avvist', AvvistGrunn: 'feil vare' })
    expect((await depot.call('POST', one(1, '/Godkjenn'))).status).toBe(409)
    const edited = await depot.call('PATCH', one(1), { json: { VareId: 'B' } })
    expect(edited.json).toMatchObject({ Status: 'Registrert', AvvistGrunn: null, VareId: 'B' })
    expect((await depot.call('POST', one(1, '/Godkjenn'))).json.Status).toBe('Godkjent')
    expect((await depot.call('POST', one(1, '/TrekkGodkjenning'))).json).toMatchObject({
      Status: 'Registrert',
      GodkjentAv: null,
    })
  })

  test('a list of decisions of which none can be applied is 422, with the same results', async () => {
    const answer = await depot.approve(7)
    expect([answer.status, answer.json.error.code]).toEqual([422, 'NothingApplied'])
    expect(answer.json.error).toMatchObject({
      resultater: [{ id: 7, code: 'not_found' }],
      antall: { not_found: 1 },
    })
    expect((await depot.approve()).json).toEqual({ resultater: [], antall: {} })
    expect((await depot.post('/prosjekt/Transaksjon/Godkjenn', {})).json.error.code).toBe(
      'MissingField',
    )
    expect((await depot.post('/prosjekt/Transaksjon/Godkjenn', { ids: 7 })).json.error.code).toBe(
      'InvalidType',
    )
  })

  test('a repeat with its Idempotency-Key returns the first reply, an error too', async () => {
    await depot.register(1)
    const call = (ids: number[], key: string) =>
      depot.call('POST', '/prosjekt/Transaksjon/Godkjenn', {
        json: { ids },
        headers: { 'idempotency-key': key },
      })
    const [first, again] = [await call([1], 'a'), await call([1], 'a')]
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true'])
    const [refused, repeated] = [await call([2], 'b'), await call([2], 'b')]
    expect([refused.status, repeated.text]).toEqual([422, refused.text])
    const dry = await depot.post(
      '/prosjekt/Transaksjon/TrekkGodkjenning',
      { ids: [1] },
      {
        dryRun: 'true',
      },
    )
    expect(dry.json.antall).toEqual({ withdrawn: 1 })
    expect((await depot.all())[0].Status).toBe('Godkjent')
  })

  test('with four-eyes approval, whoever registered a transaction cannot approve it', async () => {
    const careful = await newDepot(house, { settings: { requiresFourEyes: true } })
    await careful.register(2)
    const own = await careful.call('POST', one(1, '/Godkjenn'))
    expect([own.status, own.json.error.code]).toEqual([403, 'SelfApprovalForbidden'])
    expect((await careful.approve(1, 2)).json.error.resultater).toMatchObject([
      { id: 1, code: 'not_allowed', message: expect.stringContaining('registered') },
      { id: 2, code: 'not_allowed' },
    ])
    const other = await house.credential({ ...careful.company, key: '' })
    const answer = await careful.call('POST', one(1, '/Godkjenn'), {
      as: null,
      headers: { 'tb-key': other.secret },
    })
    expect(answer.json.Status).toBe('Godkjent')
  })

  describe('every action from every state leads to the state of the diagram', () => {
    const acts: Readonly<Record<string, (id: number) => Promise<unknown>>> = {
      edit: (id) => depot.call('PATCH', one(id), { json: { Merknad: String(Math.random()) } }),
      delete: (id) => depot.call('DELETE', one(id)),
      approve: (id) => depot.call('POST', one(id, '/Godkjenn')),
      reject: (id) => depot.call('POST', one(id, '/Avvis'), { json: { grunn: 'nei' } }),
      withdraw: (id) => depot.call('POST', one(id, '/TrekkGodkjenning')),
    }
    const ways: Readonly<Record<string, readonly string[]>> = {
      registered: [],
      approved: ['approve'],
      rejected: ['reject'],
    }
    const stateOf = async (id: number) =>
      (await depot.all({ $filter: `Id eq ${id}` }))[0]?.Status ?? '–'
    const arrows = arrowsIn(transactionPicture)
    const wire = new Map<string | undefined, string>([...Object.entries(states), ['–', '–']])

    for (const from of Object.keys(ways))
      for (const act of Object.keys(acts))
        test(`${from} ${act}`, async () => {
          const { json } = await depot.post('/prosjekt/Transaksjon', usage)
          for (const step of ways[from] ?? []) await acts[step]?.(json.Id)
          expect(await stateOf(json.Id)).toBe(wire.get(from))
          await acts[act]?.(json.Id)
          const to = arrows.find(([start, name]) => start === from && name === act)?.[2]
          expect(await stateOf(json.Id)).toBe(wire.get(to ?? from))
        })
  })
})
