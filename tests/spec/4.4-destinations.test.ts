// Destinations: several receivers, each with its own list, acknowledgements and rules.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addDestination,
  assignCredential,
  setDestination,
  type DestinationSettings,
} from '../../src/store/export/destinations.ts'
import { databases } from '../support/databases.ts'
import { newDepot, type Depot } from '../support/material-client.ts'
import { buildHouse, type CallOptions, type House } from '../support/server.ts'

describe.each(databases)('destinations on $name', (database) => {
  let house: House
  let depot: Depot
  /** A call with the key of the second destination. */
  let second: (method: string, path: string, json?: unknown) => ReturnType<Depot['call']>
  beforeAll(async () => {
    house = await buildHouse(database, 'destinations')
  })
  beforeEach(async () => {
    depot = await newDepot(house)
    const { id: companyId } = depot.company
    const key = await house.credential({ ...depot.company, key: '' })
    await house.store.inHouseTransaction(async (writer) => {
      await addDestination(writer, companyId, 'lønn', 1)
      await assignCredential(writer, companyId, key.id, 2)
    })
    second = (method, path, json) => {
      const options: CallOptions = { as: null, headers: { 'tb-key': key.secret } }
      return depot.call(method, path, json === undefined ? options : { ...options, json })
    }
    await depot.approve(...(await depot.register(3)))
  })
  afterAll(() => house.close())

  const set = (destinationId: number, settings: Partial<DestinationSettings>) =>
    house.store.inHouseTransaction((writer) =>
      setDestination(writer, depot.company.id, destinationId, {
        corrections: 'block',
        lockDate: null,
        isExclusive: 0,
        batchesMax: 1,
        failuresMax: 5,
        ...settings,
      }),
    )
  const listed = async (): Promise<number[]> =>
    (await second('GET', '/prosjekt/TransaksjonsEksport')).json.value.map(
      ({ Id }: { Id: number }) => Id,
    )
  const mark = (...ids: number[]) =>
    second('POST', '/prosjekt/TransaksjonsEksport/Eksportert', { ids })

  test("each destination gets every line, and acknowledging at one leaves the other's list alone", async () => {
    expect(await depot.listed()).toEqual([1, 2, 3])
    expect(await listed()).toEqual([1, 2, 3])
    await depot.mark({ ids: [1] })
    expect([await depot.listed(), await listed()]).toEqual([
      [2, 3],
      [1, 2, 3],
    ])
    expect((await mark(1)).json.antall).toEqual({ exported: 1 })
    expect(await listed()).toEqual([2, 3])
    expect((await depot.all())[0].Status).toBe('Eksportert')
  })

  test('a transaction is exported from its first acknowledgement until no destination has it', async () => {
    await depot.mark({ ids: [1] })
    await mark(1)
    const undo = { ids: [1], grunn: 'feil' }
    await depot.post('/prosjekt/TransaksjonsEksport/Angre', undo)
    expect((await depot.all())[0].Status).toBe('Eksportert')
    expect([await depot.listed(), await listed()]).toEqual([
      [1, 2, 3],
      [2, 3],
    ])
    await second('POST', '/prosjekt/TransaksjonsEksport/Angre', undo)
    expect((await depot.all())[0].Status).toBe('Godkjent')
  })

  test('a destination without corrections locks its exported transactions, whatever the others accept', async () => {
    await set(2, { corrections: 'lines' })
    await mark(1)
    await depot.mark({ ids: [2] })
    const edit = (id: number) =>
      depot.call('PATCH', `/prosjekt/Transaksjon(${id})`, { json: { Antall: 5 } })
    expect((await edit(2)).status).toBe(409)
    expect((await edit(1)).status).toBe(200)
    await depot.approve(1)
    const lines = (await second('GET', '/prosjekt/TransaksjonsEksport')).json.value
    expect(
      lines.map(({ Linjetype, Antall }: { Linjetype: string; Antall: number }) => [
        Linjetype,
        Antall,
      ]),
    ).toEqual([
      ['Original', 2],
      ['Original', 2],
      ['Reversering', -2],
      ['Erstatning', 5],
    ])
  })

  test('a lock date moves the booking date to the first open day', async () => {
    await set(2, { lockDate: '2024-06-30' })
    const [id = 0] = await depot.register(1)
    await depot.approve(id)
    const select = `$filter=Id eq ${id}&$select=PosteringsDato,Dato`
    const line = (await second('GET', `/prosjekt/TransaksjonsEksport?${select}`)).json.value[0]
    expect(line).toEqual({ PosteringsDato: '2024-07-01', Dato: '2024-05-01' })
    expect((await depot.list({ $filter: `Id eq ${id}` })).json.value[0].PosteringsDato).toBe(
      '2024-05-01',
    )
  })

  test('an exclusive destination hides claimed lines from other callers, and rejects their acknowledgements', async () => {
    await set(1, { isExclusive: 1, batchesMax: 2 })
    const claim = await depot.post('/prosjekt/TransaksjonsEksport/Batch', { max: 1 })
    expect(claim.json.value).toMatchObject([{ Id: 1 }])
    const other = await house.credential({ ...depot.company, key: '' })
    const asOther = { as: null, headers: { 'tb-key': other.secret } }
    const list = await depot.call('GET', '/prosjekt/TransaksjonsEksport?$select=Id', asOther)
    expect(list.json.value).toEqual([{ Id: 2 }, { Id: 3 }])
    const address = '/prosjekt/TransaksjonsEksport/Eksportert'
    const marked = await depot.call('POST', address, { ...asOther, json: { ids: [1, 2] } })
    expect(marked.json.resultater).toEqual([
      { id: 1, code: 'claimed_by_other' },
      { id: 2, code: 'exported' },
    ])
    const more = await depot.call('POST', '/prosjekt/TransaksjonsEksport/Batch', {
      ...asOther,
      json: {},
    })
    expect(more.json.value).toMatchObject([{ Id: 3 }])
    expect((await depot.mark({ ids: [1] })).json.antall).toEqual({ exported: 1 })
    expect(await listed()).toEqual([1, 2, 3])
  })
})
