// Failed export lines: parking, retry, return to approval, and breaking an abandoned claim.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('failed lines on $name', (database) => {
  const server = useTestServer(database, 'parking')
  const materialClient = useMaterialClient(server)
  beforeEach(async () => {
    await materialClient.approve(...(await materialClient.register(3)))
  })

  const act = (path: string, body: object = {}, query = {}) =>
    materialClient.post(`/prosjekt/TransaksjonsEksport/${path}`, body, query)
  const claimed = async (): Promise<number[]> => {
    const { json } = await act('Batch')
    if (json.BatchId !== null) await act(`Batch/${json.BatchId}/Frigi`)
    return json.value.map(({ Id }: { Id: number }) => Id)
  }
  const fail = async (id: number, times: number) => {
    for (let turn = 0; turn < times; turn++)
      await materialClient.acknowledge({ failed: [{ id, code: 'unknown_project', message: 'P1 er stengt' }] })
  }
  const parked = () => materialClient.listedIds({ $filter: 'ParkertDato ne null', $select: 'Id' })

  test('after five failures a line is parked: no claim takes it, and the plain list still has it', async () => {
    await fail(1, 4)
    expect([await parked(), await claimed()]).toEqual([[], [1, 2, 3]])
    await fail(1, 1)
    expect([await parked(), await claimed()]).toEqual([[1], [2, 3]])
    const [line] = (await materialClient.exportList({ $select: 'Id,AntallFeil,ParkertDato' })).json.value
    expect(line).toMatchObject({ Id: 1, AntallFeil: 5, ParkertDato: expect.any(String) })
    expect(await materialClient.listedIds()).toEqual([1, 2, 3])
    // A receiver that imported it after all may say so.
    expect((await materialClient.acknowledge({ ids: [1] })).json.antall).toEqual({ exported: 1 })
  })

  test('a retried line starts with zero failures; a line without failures cannot be retried', async () => {
    await fail(1, 5)
    const reply = await act('ProvIgjen', { ids: [1, 2, 9] })
    expect(reply.json.antall).toEqual({ retried: 1, not_allowed: 1, not_found: 1 })
    expect([await parked(), await claimed()]).toEqual([[], [1, 2, 3]])
    expect((await act('ProvIgjen', { ids: [1] })).status).toBe(422)
    const history = (await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(1)/Historikk')).json
    const acts = history.value.map(({ Hendelse }: { Hendelse: string }) => Hendelse)
    expect(acts.filter((one: string) => one !== 'retrieved')).toEqual([...Array<string>(5).fill('failed'), 'retried'])
  })

  test('a line sent back awaits another approval, with the reason in its history', async () => {
    await fail(2, 5)
    const body = { ids: [2, 2, 'x'], grunn: 'feil prosjekt' }
    expect((await act('TilGodkjenning', { ids: [2] })).json.error.code).toBe('MissingField')
    const preview = await act('TilGodkjenning', body, { dryRun: 'true' })
    expect(preview.json.antall).toEqual({ sent_back: 1, duplicate_in_request: 1, invalid: 1 })
    expect(await materialClient.listedIds()).toEqual([1, 2, 3])
    expect((await act('TilGodkjenning', body)).json.antall).toEqual(preview.json.antall)
    expect(await materialClient.listedIds()).toEqual([1, 3])
    expect((await materialClient.transactions())[1].Status).toBe('Registrert')
    await materialClient.approve(2)
    expect([await materialClient.listedIds(), await parked()]).toEqual([[1, 2, 3], []])
    const history = (await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(2)/Historikk')).json
    expect(history.value).toContainEqual(expect.objectContaining({ Hendelse: 'sent_back', message: 'feil prosjekt' }))
  })

  test('a claimed line cannot be sent back until its claim is broken with a reason', async () => {
    await act('Batch', { max: 2 })
    const back = () => act('TilGodkjenning', { ids: [1, 3], grunn: 'feil' })
    expect((await back()).json.resultater).toMatchObject([
      { id: 1, code: 'not_allowed', message: expect.stringContaining('key:') },
      { id: 3, code: 'sent_back' },
    ])
    expectError(await act('Batch/1/Bryt', { grunn: ' ' }), 400, 'MissingField')
    const reason = { grunn: 'maskinen er borte' }
    for (const [action, state] of [
      ['Forleng', 'open'],
      ['Frigi', 'released'],
      ['Bryt', 'broken'],
    ]) {
      const body = action === 'Bryt' ? reason : {}
      const preview = await act(`Batch/1/${action}`, body, { dryRun: 'true' })
      expect([preview.headers['x-dry-run'], preview.json.Tilstand]).toEqual(['true', state])
    }
    expect(await materialClient.listedIds({ $filter: 'HoldesAv ne null' })).toEqual([1, 2])
    const broken = await act('Batch/1/Bryt', reason)
    expect([broken.status, broken.json.Tilstand]).toEqual([200, 'broken'])
    expect((await act('Batch/1/Bryt', { grunn: 'igjen' })).json.error.code).toBe('ClaimClosed')
    const history = (await materialClient.call('GET', '/prosjekt/TransaksjonsEksport(2)/Historikk')).json
    expect(history.value).toContainEqual(
      expect.objectContaining({ Hendelse: 'released', message: 'maskinen er borte' }),
    )
    expect((await act('TilGodkjenning', { ids: [1], grunn: 'feil' })).json.antall).toEqual({ sent_back: 1 })
    // The worker was still running: what it imported counts.
    expect((await act('Batch/1/Resultat', { ids: [2] })).json.antall).toEqual({ exported: 1 })
  })

  test("another company's lines and claims are 404", async () => {
    await act('Batch')
    const other = await newMaterialClient(server)
    const call = (path: string, body: object) => other.post(`/prosjekt/TransaksjonsEksport/${path}`, body)
    for (const path of ['ProvIgjen', 'TilGodkjenning'])
      expect((await call(path, { ids: [1], grunn: 'x' })).json.error.resultater).toEqual([{ id: 1, code: 'not_found' }])
    expect((await call('Batch/1/Bryt', { grunn: 'x' })).status).toBe(404)
    expect(await materialClient.listedIds({ $filter: 'HoldesAv ne null' })).toEqual([1, 2, 3])
  })
})
