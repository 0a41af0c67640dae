// Destinations: several receivers, each with its own list, acknowledgements and rules.
import { beforeEach, describe, expect, test } from 'vitest'
import { insertDestination, assignCredential, type Destination } from '../../src/store/export/destinations.ts'
import { databases } from '../support/databases.ts'
import { useMaterialClient, type MaterialClient } from '../support/material-client.ts'
import { useTestServer, type CallOptions } from '../support/server.ts'

describe.each(databases)('destinations on $name', (database) => {
  const server = useTestServer(database, 'destinations')
  const materialClient = useMaterialClient(server)
  type Call = (method: string, path: string, json?: unknown) => ReturnType<MaterialClient['call']>
  /** A call with the key of the second destination. */
  let second: Call
  const addDestination = async (destinationId: number, name: string, now: number): Promise<Call> => {
    const { id: companyId } = materialClient.company
    const key = await server.addCredential({ ...materialClient.company, key: '' })
    await server.store.inSystemTransaction(async (writer) => {
      await insertDestination(writer, { companyId, name, now })
      await assignCredential(writer, { companyId, id: key.id, destinationId })
    })
    return (method, path, json) => {
      const options: CallOptions = { as: null, headers: { 'tb-key': key.secret } }
      return materialClient.call(method, path, json === undefined ? options : { ...options, json })
    }
  }
  beforeEach(async () => {
    second = await addDestination(2, 'lønn', 1)
    await materialClient.approve(...(await materialClient.register(3)))
  })

  const set = (destinationId: number, settings: Partial<Destination>) =>
    materialClient.setDestination(settings, destinationId)
  const listed = async (): Promise<number[]> =>
    (await second('GET', '/prosjekt/TransaksjonsEksport')).json.value.map(({ Id }: { Id: number }) => Id)
  const mark = (...ids: number[]) => second('POST', '/prosjekt/TransaksjonsEksport/Eksportert', { ids })

  test("each destination gets every line, and acknowledging at one leaves the other's list alone", async () => {
    expect(await materialClient.listedIds()).toEqual([1, 2, 3])
    expect(await listed()).toEqual([1, 2, 3])
    await materialClient.acknowledge({ ids: [1] })
    expect([await materialClient.listedIds(), await listed()]).toEqual([
      [2, 3],
      [1, 2, 3],
    ])
    expect((await mark(1)).json.antall).toEqual({ exported: 1 })
    expect(await listed()).toEqual([2, 3])
    expect((await materialClient.transactions())[0].Status).toBe('Eksportert')
  })

  test('a member that is given twice is rejected, and nothing is marked', async () => {
    const mark = (text: string) =>
      materialClient.call('POST', '/prosjekt/TransaksjonsEksport/Eksportert', {
        body: text,
        headers: { 'content-type': 'application/json' },
      })
    for (const body of ['{"ids":[1],"ids":[2]}', '{"ids":[1],"IDS":[2]}', '{"items":[{"id":1,"id":2}]}']) {
      const { status, json } = await mark(body)
      expect([status, json.error?.code], body).toEqual([400, 'DuplicateField'])
    }
    expect(await materialClient.listedIds()).toEqual([1, 2, 3])
  })

  test('a transaction is exported from its first acknowledgement until no destination has it', async () => {
    await materialClient.acknowledge({ ids: [1] })
    await mark(1)
    const undo = { ids: [1], grunn: 'feil' }
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', undo)
    expect((await materialClient.transactions())[0].Status).toBe('Eksportert')
    expect([await materialClient.listedIds(), await listed()]).toEqual([
      [1, 2, 3],
      [2, 3],
    ])
    await second('POST', '/prosjekt/TransaksjonsEksport/Angre', undo)
    expect((await materialClient.transactions())[0].Status).toBe('Godkjent')
  })

  test('a destination without corrections locks its exported transactions, whatever the others accept', async () => {
    await set(2, { corrections: 'lines' })
    await mark(1)
    await materialClient.acknowledge({ ids: [2] })
    const edit = (id: number) => materialClient.call('PATCH', `/prosjekt/Transaksjon(${id})`, { json: { Antall: 5 } })
    expect((await edit(2)).status).toBe(409)
    expect((await edit(1)).status).toBe(200)
    // The first destination, which has not fetched it, is not offered what is no longer approved, and then what is.
    expect(await materialClient.listedIds()).toEqual([3])
    await materialClient.approve(1)
    expect((await materialClient.exportList()).json.value).toMatchObject([
      { Id: 1, Antall: 5, Linjetype: 'Original' },
      { Id: 3, Antall: 2 },
    ])
    const lines = (await second('GET', '/prosjekt/TransaksjonsEksport')).json.value
    expect(lines.map(({ Linjetype, Antall }: { Linjetype: string; Antall: number }) => [Linjetype, Antall])).toEqual([
      ['Original', 2],
      ['Original', 2],
      ['Reversering', -2],
      ['Erstatning', 5],
    ])
  })

  test('a line that was changed since its retrieval is reversed and replaced, even if another destination has the change', async () => {
    await set(2, { corrections: 'lines' })
    await listed()
    const line = '/prosjekt/Transaksjon(1)'
    await materialClient.call('POST', `${line}/TrekkGodkjenning`)
    await materialClient.call('PATCH', line, { json: { Antall: 5 } })
    await materialClient.approve(1)
    expect((await materialClient.acknowledge({ ids: [1] })).json.antall).toEqual({ exported: 1 })
    expect((await mark(1)).json.antall).toEqual({ exported_with_correction: 1 })
    expect((await second('GET', '/prosjekt/TransaksjonsEksport?$filter=TransaksjonId eq 1')).json.value).toMatchObject([
      { Linjetype: 'Reversering', Antall: -2 },
      { Linjetype: 'Erstatning', Antall: 5 },
    ])
  })

  describe('a change that is dropped, because a receiver acknowledges what it retrieved before', () => {
    const line = '/prosjekt/Transaksjon(1)'
    const edit = () => materialClient.call('PATCH', line, { json: { Antall: 5 } })
    const withdraw = () => materialClient.call('POST', `${line}/TrekkGodkjenning`)
    const acknowledgeRetrieved = async () => {
      const { json } = await materialClient.acknowledge({ ids: [1] })
      expect(json.antall).toEqual({ exported: 1 })
      const stored = (await materialClient.transactions())[0]
      expect(stored).toMatchObject({ Id: 1, Antall: 2, Status: 'Eksportert' })
    }
    const offered = async () => (await second('GET', '/prosjekt/TransaksjonsEksport')).json.value
    const quantities = async () =>
      (await offered()).map(({ TransaksjonId, Antall }: { TransaksjonId: number; Antall: number }) => [
        TransaksjonId,
        Antall,
      ])
    beforeEach(async () => {
      await materialClient.exportList()
    })

    test('leaves a withdrawn line on the lists of the others', async () => {
      await withdraw()
      await acknowledgeRetrieved()
      expect(await offered()).toMatchObject([{ Id: 1, Eksportnokkel: 'T1.r1', Antall: 2 }, { Id: 2 }, { Id: 3 }])
      expect((await mark(1)).json.antall).toEqual({ exported: 1 })
      expect(await listed()).toEqual([2, 3])
    })

    test('is not offered to the others either, but what the receiver has', async () => {
      await withdraw()
      await edit()
      await materialClient.approve(1)
      await acknowledgeRetrieved()
      expect(await offered()).toMatchObject([{ Id: 1, Eksportnokkel: 'T1.r3', Antall: 2 }, { Id: 2 }, { Id: 3 }])
      expect((await mark(1)).json.antall).toEqual({ exported: 1 })
      expect((await materialClient.transactions())[0]).toMatchObject({ Antall: 2, Status: 'Eksportert' })
      expect(await listed()).toEqual([2, 3])
    })

    test('is not offered to the others where the transaction was deleted, but what the receiver has', async () => {
      await withdraw()
      await materialClient.call('DELETE', line)
      await acknowledgeRetrieved()
      expect(await quantities()).toEqual([
        [1, 2],
        [2, 2],
        [3, 2],
      ])
    })

    test('leaves a line with the worker that has claimed it at another', async () => {
      await set(2, { openClaimsMax: 2 })
      await withdraw()
      await edit()
      await materialClient.approve(1)
      const claim = async (max: number) => (await second('POST', '/prosjekt/TransaksjonsEksport/Batch', { max })).json
      expect((await claim(1)).value).toMatchObject([{ Id: 1, Antall: 5 }])
      await acknowledgeRetrieved()
      expect((await claim(9)).value).toMatchObject([{ Id: 2 }, { Id: 3 }])
      expect((await mark(1)).json.antall).toEqual({ exported: 1 })
      const { json } = await second('GET', '/prosjekt/TransaksjonsEksport(1)/Historikk')
      expect(JSON.stringify(json)).toContain('ChangeDropped')
    })

    test('offers nothing to a destination that was added after the approval', async () => {
      const third = await addDestination(3, 'arkiv', server.clock.now())
      await withdraw()
      await acknowledgeRetrieved()
      expect((await third('GET', '/prosjekt/TransaksjonsEksport')).json.value).toEqual([])
      expect(await offered()).toMatchObject([{ Id: 1 }, { Id: 2 }, { Id: 3 }])
    })

    test('is corrected at the others that have it or have retrieved it', async () => {
      await set(2, { corrections: 'lines' })
      await mark(1)
      expect((await edit()).status).toBe(200)
      await materialClient.approve(1)
      expect(await quantities()).toContainEqual([1, 5])
      await mark((await listed()).at(-1) ?? 0)
      await acknowledgeRetrieved()
      const waiting = (await quantities())
        .filter(([id]: number[]) => id === 1)
        .map(([, quantity]: number[]) => quantity)
      // The receiver has 2 and 5.
      expect(waiting).toEqual([-2, -5, 2])
    })

    test('is corrected at another that had retrieved the change', async () => {
      await set(2, { corrections: 'lines' })
      await withdraw()
      await edit()
      await materialClient.approve(1)
      expect(await quantities()).toContainEqual([1, 5])
      await acknowledgeRetrieved()
      expect((await mark(1)).json.antall).toEqual({ exported_with_correction: 1 })
      expect((await quantities()).slice(2)).toEqual([
        [1, -5],
        [1, 2],
      ])
    })
  })

  test('a transaction that is deleted after its export to one destination is offered at no other', async () => {
    for (const id of [1, 2]) await set(id, { corrections: 'lines' })
    await mark(1)
    expect((await materialClient.call('DELETE', '/prosjekt/Transaksjon(1)')).status).toBe(204)
    expect(await materialClient.listedIds()).toEqual([2, 3])
  })

  test('a transaction with a line that a worker has claimed at another destination is neither changed nor deleted', async () => {
    for (const id of [1, 2]) await set(id, { corrections: 'lines' })
    await mark(1)
    const claimed = await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', { max: 1 })
    expect(claimed.status, claimed.text).toBe(200)
    const url = '/prosjekt/Transaksjon(1)'
    for (const reply of [
      await materialClient.call('PATCH', url, { json: { Antall: 5 } }),
      await materialClient.call('DELETE', url),
    ])
      expect([reply.status, reply.json.error.code]).toEqual([409, 'LineClaimed'])
  })

  test('a lock date moves the booking date to the first open day', async () => {
    await set(2, { lockDate: '2024-06-30' })
    const [id = 0] = await materialClient.register(1)
    await materialClient.approve(id)
    const select = `$filter=Id eq ${id}&$select=PosteringsDato,Dato`
    const line = (await second('GET', `/prosjekt/TransaksjonsEksport?${select}`)).json.value[0]
    expect(line).toEqual({ PosteringsDato: '2024-07-01', Dato: '2024-05-01' })
    expect((await materialClient.exportList({ $filter: `Id eq ${id}` })).json.value[0].PosteringsDato).toBe(
      '2024-05-01',
    )
  })

  test('an exclusive destination hides claimed lines from other callers, and rejects their acknowledgements', async () => {
    await set(1, { isExclusive: 1, openClaimsMax: 2 })
    const claim = await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', { max: 1 })
    expect(claim.json.value).toMatchObject([{ Id: 1 }])
    const other = await server.addCredential({ ...materialClient.company, key: '' })
    const asOther = { as: null, headers: { 'tb-key': other.secret } }
    const list = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport?$select=Id', asOther)
    expect(list.json.value).toEqual([{ Id: 2 }, { Id: 3 }])
    const address = '/prosjekt/TransaksjonsEksport/Eksportert'
    const marked = await materialClient.call('POST', address, { ...asOther, json: { ids: [1, 2] } })
    expect(marked.json.resultater).toEqual([
      { id: 1, code: 'claimed_by_other' },
      { id: 2, code: 'exported' },
    ])
    const more = await materialClient.call('POST', '/prosjekt/TransaksjonsEksport/Batch', { ...asOther, json: {} })
    expect(more.json.value).toMatchObject([{ Id: 3 }])
    expect((await materialClient.acknowledge({ ids: [1] })).json.antall).toEqual({ exported: 1 })
    expect(await listed()).toEqual([1, 2, 3])
  })
})
