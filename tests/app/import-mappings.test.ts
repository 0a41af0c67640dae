// Saved import mappings: shared by the company, and applied to files with the same headers.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSessionAs, ownPage, useSession } from './session-client.ts'

const at = '/app/data/import'

describe.each(databases)('import mappings on $name', (database) => {
  const server = useTestServer(database, 'app-import-mappings')
  const clock = useClock(server)
  const { company, session: admin } = useSession(server, 'admin')

  const saveMapping = (set: string, name: string, columns: Readonly<Record<string, string>>, who = admin) => {
    const body = Object.entries(columns).map(([header, field]) => ({ header, field }))
    return who.send('POST', `${at}/${set}/oppsett?${new URLSearchParams({ name }).toString()}`, body)
  }
  const rename = (set: string, name: string, to: string, who = admin) =>
    who.send('POST', `${at}/${set}/oppsett/navn`, { name, to })
  const deleteMapping = (set: string, name: string, who = admin) => who.send('DELETE', `${at}/${set}/oppsett`, { name })
  const mappings = async (set: string, header: string, who = admin) =>
    (
      await server.call('POST', `${at}/${set}/kolonner`, {
        as: null,
        body: `${header}\n`,
        headers: {
          cookie: who.cookie,
          'x-csrf-token': who.csrf,
          'content-type': 'application/octet-stream',
          ...ownPage,
        },
      })
    ).json.mappings
  const revenueClient = { Dag: 'Dato', Butikk: 'AvdelingID', Kasse: '', Brutto: 'Omsetning' }

  test('the next file with the same headers gets it, in any order and spelling; another can be chosen', async () => {
    expect((await saveMapping('omsetning', 'Kassen', revenueClient)).status).toBe(204)
    expect(await mappings('Omsetning', 'BRUTTO;dag;Kasse;Butikk')).toEqual([
      { name: 'Kassen', fields: ['Omsetning', 'Dato', null, 'AvdelingID'], isFitting: true },
    ])
    expect(await mappings('omsetning', 'Dag;Brutto;Kasserer')).toEqual([
      { name: 'Kassen', fields: ['Dato', 'Omsetning', null], isFitting: false },
    ])
    expect(await mappings('ansatt', 'Dag;Butikk;Kasse;Brutto')).toEqual([])
  })

  test('a repaired error file gets the mapping of its original', async () => {
    await saveMapping('omsetning', 'Kassen', revenueClient)
    const [found] = await mappings('omsetning', 'Dag;Butikk;Kasse;Brutto;Linje;Feil')
    expect(found).toEqual({
      name: 'Kassen',
      fields: ['Dato', 'AvdelingID', null, 'Omsetning', null, null],
      isFitting: true,
    })
  })

  test('of two mappings for the same headers the one saved last comes first', async () => {
    await saveMapping('ansatt', 'A', { Nr: 'Id', Navn: 'Fornavn' })
    clock.now += 1
    await saveMapping('ansatt', 'B', { Nr: 'Id', Navn: 'Etternavn' })
    const names = async () => (await mappings('ansatt', 'Nr;Navn')).map((one: { name: string }) => one.name)
    expect(await names()).toEqual(['B', 'A'])
    clock.now += 1
    await saveMapping('ansatt', 'A', { Nr: 'EksternId', Navn: 'Fornavn' })
    expect(await names()).toEqual(['A', 'B'])
    expect((await mappings('ansatt', 'Nr'))[0].fields).toEqual(['EksternId'])
  })

  test('a mapping can be renamed, unless the name is taken, and deleted', async () => {
    await saveMapping('anlegg', 'En', { Nr: 'Id' })
    await saveMapping('anlegg', 'To', { Nummer: 'Id' })
    expect((await rename('anlegg', 'En', 'To')).json.error).toMatchObject({ code: 'AlreadyExists', target: 'to' })
    expect((await rename('anlegg', 'Tre', 'Fire')).json.error.code).toBe('NotFound')
    expect((await rename('anlegg', 'En', ' Uno ')).status).toBe(204)
    // The deleted mapping is returned, so that deleting can be undone.
    expect((await deleteMapping('anlegg', 'To')).json).toEqual({ columns: [{ header: 'Nummer', field: 'Id' }] })
    expect((await deleteMapping('anlegg', 'To')).json.error.code).toBe('NotFound')
    expect(await mappings('anlegg', 'Nr')).toMatchObject([{ name: 'Uno', isFitting: true }])
  })

  test('an unusable mapping is not stored', async () => {
    for (const [name, columns, code] of [
      ['A', { Dag: 'Dato', Butikk: 'AvdelingID' }, 'UnreadableFile'],
      ['A', { ...revenueClient, Netto: 'Omsetning' }, 'UnreadableFile'],
      ['A', { ...revenueClient, Netto: 'Nettt' }, 'UnreadableFile'],
      ['A', { ...revenueClient, ['x'.repeat(60_000)]: '' }, 'ValueTooLong'],
      ['', revenueClient, 'MissingField'],
      ['x'.repeat(61), revenueClient, 'ValueTooLong'],
    ] as const)
      expect((await saveMapping('omsetning', name, columns)).json.error.code).toBe(code)
    expect(await mappings('omsetning', 'Dag;Butikk;Kasse;Brutto')).toEqual([])
  })

  test('a company has at most a hundred mappings of a set, and can change each of them', async () => {
    for (let index = 0; index < 100; index++) await saveMapping('anlegg', `N${index}`, { Nr: 'Id' })
    expect((await saveMapping('anlegg', 'Enda en', { Nr: 'Id' })).json.error.code).toBe('InvalidValue')
    expect((await saveMapping('anlegg', 'N7', { Nr: 'Id' })).status).toBe(204)
    expect((await saveMapping('avdeling', 'Enda en', { Nr: 'Id' })).status).toBe(204)
  })

  test('all users who may import such files share them, and nobody else sees or changes them', async () => {
    await saveMapping('omsetning', 'Kassen', revenueClient)
    await saveMapping('ansatt', 'Lønn', { Nr: 'Id' })
    const approver = await openSessionAs(server, company, 'approver')
    const header = 'Dag;Butikk;Kasse;Brutto'
    expect(await mappings('omsetning', header, approver)).toHaveLength(1)
    expect((await rename('omsetning', 'Kassen', 'Till', approver)).status).toBe(204)
    expect((await saveMapping('ansatt', 'Min', { Nr: 'Id' }, approver)).json.error.code).toBe('RoleMissing')
    for (const refused of [rename('ansatt', 'Lønn', 'X', approver), deleteMapping('ansatt', 'Lønn', approver)])
      expect((await refused).json.error.code).toBe('RoleMissing')
    const outsider = await openSessionAs(server, server.tenantB, 'admin')
    expect(await mappings('omsetning', header, outsider)).toEqual([])
    expect((await rename('omsetning', 'Till', 'X', outsider)).json.error.code).toBe('NotFound')
    await deleteMapping('omsetning', 'Till', outsider)
    const viewer = await openSessionAs(server, company, 'viewer')
    expect((await deleteMapping('omsetning', 'Till', viewer)).json.error.code).toBe('RoleMissing')
    expect(await mappings('omsetning', header)).toMatchObject([{ name: 'Till' }])
    expect(await mappings('ansatt', 'Nr')).toMatchObject([{ name: 'Lønn' }])
  })
})
