// The history of an export line, and the comparison with the receiver's list, over HTTP.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useMaterialClient, newMaterialClient } from '../support/material-client.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases)('export history on $name', (database) => {
  const server = useTestServer(database, 'history')
  const materialClient = useMaterialClient(server)
  let ids: number[]
  beforeEach(async () => {
    ids = await materialClient.register(4)
    await materialClient.approve(...ids)
  })

  const history = (id: number | string) => materialClient.call('GET', `/prosjekt/TransaksjonsEksport(${id})/Historikk`)
  const reconciled = (body: unknown) => materialClient.post('/prosjekt/TransaksjonsEksport/Avstem', body)

  test('the history of a line has its retrievals, its acknowledgement and its undo, in order', async () => {
    const [id = 0] = ids
    await materialClient.exportList()
    await materialClient.acknowledge({ items: [{ id, externalId: 'V-1' }], externalBatchId: 'B-1' })
    const events = (await history(id)).json.value
    expect(events).toMatchObject([
      { Hendelse: 'retrieved', Av: expect.stringMatching(/^key:/), Uthenting: expect.any(Number) },
      { Hendelse: 'acknowledged', externalId: 'V-1', externalBatchId: 'B-1', Generasjon: 1, Revisjon: 1 },
    ])
    await materialClient.post('/prosjekt/TransaksjonsEksport/Angre', { ids: [id], grunn: 'feil år' })
    expect((await history(id)).json.value.at(-1)).toMatchObject({ Hendelse: 'undone', message: 'feil år' })
  })

  test("an unknown line and another company's line are the same 404", async () => {
    const other = await newMaterialClient(server)
    const [theirs = 0] = await other.register(9).then((all) => all.slice(-1))
    await other.approve(theirs)
    for (const id of [theirs, 999_999]) expect((await history(id)).status).toBe(404)
    expect((await history('x')).status).toBe(400)
  })

  test('conflicting acknowledgements, and one line under two document numbers, raise alerts', async () => {
    const [one = 0, two = 0] = ids
    await materialClient.acknowledge({ items: [{ id: one, externalId: 'V-1' }, { id: two }] })
    const alerts = async (after = '') =>
      (await expectStatus(materialClient.call('GET', `/prosjekt/TransaksjonsEksport/Varsler${after}`))).json.value
    expect(await alerts()).toEqual([])
    await materialClient.acknowledge({ items: [{ id: one, externalId: 'V-2' }] })
    const other = await server.addCredential({ ...materialClient.company, key: '' })
    await materialClient.call('POST', '/prosjekt/TransaksjonsEksport/Eksportert', {
      as: null,
      headers: { 'tb-key': other.secret },
      json: { ids: [two] },
    })
    const [first, second, ...more] = await alerts()
    expect(more).toEqual([])
    expect(first).toMatchObject({
      Varsel: 'ExternalIdMismatch',
      Id: one,
      Eksportnokkel: `T${one}.r1`,
      externalId: 'V-2',
      ForsteEksternId: 'V-1',
    })
    expect(second).toMatchObject({
      Varsel: 'PossibleDuplicate',
      Id: two,
      Av: `key:${other.id}`,
      ForstAv: expect.stringMatching(/^key:/),
      EksportertDato: expect.any(String),
    })
    expect(await alerts(`?etter=${first.Nummer}`)).toEqual([second])
    const refused = await materialClient.call('GET', '/prosjekt/TransaksjonsEksport/Varsler?etter=x')
    expect([refused.status, refused.json.error.target]).toEqual([400, 'etter'])
    const outsider = await newMaterialClient(server)
    const theirs = await outsider.call('GET', '/prosjekt/TransaksjonsEksport/Varsler')
    expect(theirs.json.value).toEqual([])
  })

  test('reconciliation sorts a list into three groups, by any identifier, and changes nothing', async () => {
    const [one = 0, two = 0, three = 0, four = 0] = ids
    await materialClient.acknowledge({ items: [{ id: one }, { id: two, externalId: 'V-2' }, { id: three }] })
    const list = { ids: [one, four], items: [{ externalId: 'V-2' }, { eksportnokkel: 'T9.r9' }] }
    const reply = await expectStatus(reconciled(list))
    expect(reply.json).toMatchObject({
      begge: 2,
      bareHer: [{ Id: three, Eksportnokkel: `T${three}.r1`, Tilstand: 'exported' }],
      bareDer: [
        { Id: four, Tilstand: 'ready' },
        { Id: null, Eksportnokkel: 'T9.r9', Tilstand: null },
      ],
    })
    expect((await reconciled(list)).json).toEqual(reply.json)
    expect(await materialClient.listedIds()).toEqual([four])
  })

  test('an invalid or empty list is rejected at its position', async () => {
    expect((await reconciled({})).json.error).toMatchObject({ code: 'MissingField', target: 'ids' })
    for (const [body, code, target] of [
      [{ ids: [1, 2], items: [{ id: 1 }, {}] }, 'MissingField', 'items[1].id'],
      [{ ids: [1, 2, null] }, 'MissingField', 'ids[2]'],
      [{ ids: [1, 2, 'x'] }, 'InvalidType', 'ids[2]'],
      [{ ids: [1], items: [{ id: 1.5 }] }, 'InvalidType', 'items[0].id'],
      [{ items: [{ id: 1 }, { externalId: [] }] }, 'InvalidType', 'items[1].externalId'],
      [{ items: [{ eksportnokkel: 'x'.repeat(201) }] }, 'ValueTooLong', 'items[0].Eksportnokkel'],
    ] as const)
      expect((await reconciled(body)).json.error).toMatchObject({ code, target })
    expect((await reconciled({ ids: 'alle' })).json.error.code).toBe('InvalidType')
  })
})
