// Undoing an export, and lines that were handled elsewhere.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('undo on $name', (database) => {
  const server = useTestServer(database, 'undo')
  const materialClient = useMaterialClient(server)
  beforeEach(async () => {
    const ids = await materialClient.register(3)
    await materialClient.approve(...ids)
  })

  const undo = (body: object, query = {}) => materialClient.post('/prosjekt/TransaksjonsEksport/Angre', body, query)
  const close = (...ids: number[]) =>
    materialClient.post('/prosjekt/TransaksjonsEksport/Lukk', { ids, grunn: 'ført for hånd' })

  test('previews the effect, then puts the line back on the list under a new Eksportnokkel', async () => {
    await materialClient.acknowledge({ items: [{ id: 1, externalId: 'JE-1' }] })
    const body = { ids: [1], grunn: 'regnskapet er gjenopprettet', kode: 'target_restored' }
    const line = { id: 1, code: 'undone', Antall: 2, Belop: 21, EksternId: 'JE-1' }
    const preview = await undo(body, { dryRun: 'true' })
    expect(preview.json).toEqual({ resultater: [line], antall: { undone: 1 } })
    expect(await materialClient.listedIds()).toEqual([2, 3])
    expect((await undo(body)).json.resultater).toEqual([line])
    const [again] = (await materialClient.exportList()).json.value
    expect(again).toMatchObject({ Id: 1, Eksportnokkel: 'T1.r1.g2' })
    expect((await materialClient.transactions())[0]).toMatchObject({ Status: 'Godkjent', EksportertDato: null })
    expect((await materialClient.acknowledge({ ids: [1] })).json.antall).toEqual({ exported: 1 })
    await undo(body)
    expect((await materialClient.exportList()).json.value[0].Eksportnokkel).toBe('T1.r1.g3')
    expect((await materialClient.call('POST', '/prosjekt/Transaksjon(1)/TrekkGodkjenning')).status).toBe(200)
  })

  test('requires a reason; a line that is not exported cannot be undone, and nothing changes', async () => {
    for (const [body, code] of [
      [{ ids: [1] }, 'MissingField'],
      [{ ids: [1], grunn: ' ' }, 'MissingField'],
      [{ grunn: 'x' }, 'MissingField'],
      [{ ids: [1], grunn: 'x', kode: 'whim' }, 'InvalidValue'],
    ] as const)
      expect((await undo(body)).json.error.code).toBe(code)
    const reply = await undo({ ids: [1, 9, 'x', 1], grunn: 'x' })
    expect([reply.status, reply.json.error.code]).toEqual([422, 'NoItemsProcessed'])
    expect(reply.json.error.antall).toEqual({ not_allowed: 1, not_found: 1, invalid: 1, duplicate_in_request: 1 })
    expect(await materialClient.listedIds()).toEqual([1, 2, 3])
  })

  test('a line handled elsewhere leaves the list, is never delivered, and can be undone like an export', async () => {
    expect((await close(1, 2)).json.antall).toEqual({ closed: 2 })
    expect(await materialClient.listedIds()).toEqual([3])
    expect((await materialClient.call('POST', '/prosjekt/Transaksjon(1)/TrekkGodkjenning')).status).toBe(409)
    expect((await materialClient.acknowledge({ ids: [1] })).json.resultater[0].code).toBe('already_exported')
    expect((await close(1)).status).toBe(422)
    await undo({ ids: [1], grunn: 'likevel' })
    expect(await materialClient.listedIds()).toEqual([1, 3])
  })

  test('a whole claim is undone by its number: only the lines exported by it', async () => {
    await materialClient.post('/prosjekt/TransaksjonsEksport/Batch', { max: 2 })
    await materialClient.post('/prosjekt/TransaksjonsEksport/Batch/1/Resultat', { ids: [1, 2] })
    await materialClient.acknowledge({ ids: [3] })
    const body = { batchId: 1, grunn: 'feil bedrift', kode: 'wrong_destination' }
    expect((await undo({ ...body, ids: [1] })).json.error.target).toBe('batchId')
    expect((await undo({ ...body, batchId: 7 })).status).toBe(404)
    expect((await undo({ ...body, batchId: 'x' })).json.error.code).toBe('InvalidType')
    for (const batchId of [-1, '-7', 0])
      expect((await undo({ ...body, batchId })).json.error).toMatchObject({
        code: 'NumberOutOfRange',
        message: expect.stringContaining('between 1 and'),
      })
    const preview = await undo(body, { dryRun: 'true' })
    expect(preview.json.antall).toEqual({ undone: 2 })
    expect((await undo(body)).json).toEqual(preview.json)
    expect(await materialClient.listedIds()).toEqual([1, 2])
    expect((await undo(body)).json.resultater).toEqual([])
    const other = await newMaterialClient(server)
    expect((await other.post('/prosjekt/TransaksjonsEksport/Angre', body)).status).toBe(404)
  })

  test("another company's lines are 404", async () => {
    await materialClient.acknowledge({ ids: [1] })
    const other = await newMaterialClient(server)
    const reply = await other.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [1], grunn: 'x' })
    expect(reply.json.error.resultater).toEqual([{ id: 1, code: 'not_found' }])
    expect(await materialClient.listedIds()).toEqual([2, 3])
  })
})
