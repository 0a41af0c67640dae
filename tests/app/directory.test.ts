// Editing the directory in the app: administrators add, change and delete records with optimistic locking.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer } from '../support/server.ts'
import { useSession } from './session-client.ts'

const at = '/app/data/register'

describe.each(databases)('editing the directory on $name', (database) => {
  const server = useTestServer(database, 'app-directory')
  const { company, session: admin } = useSession(server, 'admin')

  const save = (set: string, fields: object) => admin.send('POST', `${at}/${set}`, fields)
  const remove = (set: string, fields: object) => admin.send('DELETE', `${at}/${set}`, fields)
  const read = async (set: string, query = '') =>
    recordsIn(await server.call('GET', `/odata/${set}?${query}`, { as: company }))
  const stampOf = async (set: string) => (await read(set, '$select=SistEndretDato'))[0].SistEndretDato

  test('the fields are described with titles, types and references', async () => {
    const { json } = await admin.get(`${at}/Ansatt`)
    expect(json.key).toBe('Id')
    expect(json.fields).toContainEqual({
      wire: 'AvdelingId',
      type: 'text',
      max: 50,
      set: 'Avdeling',
      nb: 'Avdeling',
      en: 'Department',
    })
    expect(json.fields.map(({ wire }: { wire: string }) => wire)).not.toContain('SistEndretDato')
  })

  test('records are added, changed in local notation, and deleted, each audited by key alone', async () => {
    expect((await save('Avdeling', { Id: '20', Navn: 'Jernvare' })).json).toEqual({ id: '20' })
    const added = await save('Ansatt', { Fornavn: 'Kåre', AvdelingId: '20' })
    expect(added.json).toEqual({ id: 1 })
    const before = await stampOf('Ansatt')
    const changed = await save('Ansatt', {
      Id: '1',
      before,
      Etternavn: 'Ås',
      Fodt: '1.5.1990',
      Stillingsprosent: '37,5',
      Aktiv: 'ja',
      Fornavn: '',
    })
    expect(changed.status).toBe(200)
    expect(await read('Ansatt', '$select=Fornavn,Etternavn,Fodt,Stillingsprosent,Aktiv,AvdelingId')).toEqual([
      { Fornavn: null, Etternavn: 'Ås', Fodt: '1990-05-01', Stillingsprosent: 37.5, Aktiv: true, AvdelingId: '20' },
    ])
    expect((await remove('Ansatt', { Id: '1', before: await stampOf('Ansatt') })).status).toBe(200)
    expect(await read('Ansatt')).toEqual([])
    const { rows } = (await admin.get('/app/data/revisjon')).json
    expect(rows.map(({ action, data }: { action: string; data: string }) => [action, data])).toEqual([
      ['record-remove', '{"record":"Ansatt 1"}'],
      ['record-change', '{"record":"Ansatt 1"}'],
      ['record-add', '{"record":"Ansatt 1"}'],
      ['record-add', '{"record":"Avdeling 20"}'],
      ['sign-in', expect.stringContaining('"how":"password"')],
    ])
  })

  test('a stale ETag changes and deletes nothing', async () => {
    await save('Anlegg', { Id: '1', Navn: 'A' })
    const before = await stampOf('Anlegg')
    await server.call('PATCH', "/prosjekt/anlegg('1')", { as: company, json: { Navn: 'B' } })
    for (const reply of [
      await save('Anlegg', { Id: '1', Navn: 'C', before }),
      await remove('Anlegg', { Id: '1', before }),
    ])
      expect([reply.status, reply.json.error.code]).toEqual([412, 'ConcurrentModification'])
    expect(await read('Anlegg', '$select=Navn')).toEqual([{ Navn: 'B' }])
  })

  test('invalid values are rejected at their field, and nothing changes', async () => {
    await save('Avdeling', { Id: '10', Navn: 'A' })
    await save('Prosjekt', { Id: 'P', AvdelingId: '10' })
    const before = await stampOf('Avdeling')
    for (const [set, fields, code, target] of [
      ['Avdeling', { Id: '10' }, 'AlreadyExists', 'Id'],
      ['Avdeling', { Navn: 'uten' }, 'MissingField', 'Id'],
      ['Avdeling', { Id: '11', HovedavdelingId: '99' }, 'ReferenceNotFound', 'HovedavdelingId'],
      ['Avdeling', { Id: '12', Navn: 'x'.repeat(201) }, 'ValueTooLong', 'Navn'],
      ['Avdeling', { Id: '13', Ukjent: '1' }, 'UnknownField', 'Ukjent'],
      ['Avdeling', { Id: '14', SistEndretDato: '1' }, 'UnknownField', 'SistEndretDato'],
      ['Avdeling', { Id: '15', before }, 'NotFound', null],
      ['Avdeling', { Id: '10', Navn: 'B', before: 'i går' }, 'InvalidValue', 'before'],
      ['Ansatt', { Fodt: '31.2.1990' }, 'InvalidDate', 'Fodt'],
      ['Transaksjon', { Id: '1' }, 'NotFound', null],
    ] as const) {
      const { error } = (await save(set, fields)).json
      expect([set, fields, error?.code, error?.target ?? null]).toEqual([set, fields, code, target])
    }
    expect((await remove('Avdeling', { Id: '10', before })).json.error.code).toBe('InUse')
    expect((await remove('Avdeling', { Id: '10' })).json.error.code).toBe('MissingField')
    expect(await read('Avdeling', '$select=Id,Navn')).toEqual([{ Id: '10', Navn: 'A' }])
    expect(await read('Ansatt')).toEqual([])
  })
})
