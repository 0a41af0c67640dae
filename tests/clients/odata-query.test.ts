// Query strings built by odata-query, parsed by the server.
import buildQuery, { decimal, raw, type QueryOptions } from 'odata-query'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useListeningTestServer } from './server.ts'

type Options = Partial<QueryOptions<Record<string, unknown>>>

// The package declares another module format in its types than in its code.
const build = buildQuery as unknown as (options: Options) => string

describe.each(databases)('odata-query on $name', (database) => {
  const served = useListeningTestServer(database, 'odata-query')

  const ask = async (set: string, options: Options) => {
    const query = build(options)
    const headers = { 'tb-key': served.server.tenantA.key }
    const reply = await fetch(`${served.address}/odata/${set}${query}`, { headers })
    const text = await reply.text()
    expect([query, reply.status, text]).toEqual([query, 200, expect.any(String)])
    return JSON.parse(text)
  }
  const idsOf = async (set: string, options: Options) =>
    (await ask(set, { ...options, select: ['Id'] })).value.map(({ Id }: { Id: unknown }) => Id)

  test.each<[Options['filter'], number[]]>([
    [{ Id: 1 }, [1]],
    [{ Id: { gt: 1 } }, [2, 3]],
    [{ Id: { ge: 2, lt: 3 } }, [2]],
    [{ Id: { in: [1, 3] } }, [1, 3]],
    [{ Fornavn: { in: ['Kari', "O'la"] } }, [1]],
    [[{ Id: { ne: 2 } }, { AvdelingId: '10' }, "startswith(Fornavn,'K')"], [1]],
    [{ and: [{ Id: 1 }, { AvdelingId: '10' }] }, [1]],
    [{ or: [{ Id: 1 }, { Id: 2 }] }, [1, 2]],
    [{ not: { Id: 1 } }, [2, 3]],
    [{ Fornavn: { contains: 'a' } }, [1, 2]],
    [{ Fornavn: { startswith: 'Å' } }, [3]],
    [{ Fornavn: { endswith: 'e' } }, [3]],
    [{ 'length(Fornavn)': { eq: 4 } }, [1]],
    [{ 'tolower(Fornavn)': 'kari' }, [1]],
    [{ Fodt: raw('1980-01-02') }, [2]],
    [{ SistEndretDato: { le: new Date(Date.UTC(2030, 0, 1)) } }, [1, 2, 3]],
    [{ Stillingsprosent: 37.5 }, [1]],
    [{ Stillingsprosent: raw('37.5') }, [1]],
    [{ Stillingsprosent: null }, [2, 3]],
    [{ Aktiv: true }, [1]],
    [{ 'Avdeling/Navn': 'Byggevarer' }, [1, 3]],
    [{ Avdeling: { Navn: 'Byggevarer', Aktiv: true } }, [1, 3]],
  ])('a filter like %j', async (filter, ids) => {
    expect(await idsOf('Ansatt', { filter: filter ?? '' })).toEqual(ids)
  })

  test.each<[Options['filter'], string[]]>([
    [{ Ansatte: { any: {} } }, ['10', '20']],
    [{ Ansatte: { any: { Fornavn: 'Ola', Id: 2 } } }, ['20']],
    [{ Ansatte: { any: { or: [{ Fornavn: 'Ola' }, { Fornavn: 'Kari' }] } } }, ['10', '20']],
    [{ Ansatte: { all: { Id: { gt: 1 } } } }, ['20', '30']],
    [{ not: { Ansatte: { any: { Id: 2 } } } }, ['10', '30']],
    [{ Navn: "Kiosken 'Åpent'" }, ['20']],
  ])('a filter over relations, like %j', async (filter, ids) => {
    expect(await idsOf('Avdeling', { filter: filter ?? '' })).toEqual(ids)
  })

  test('selecting, ordering, paging, counting and searching', async () => {
    const options: Options = { orderBy: ['Fornavn desc', 'Id'], top: 2, skip: 1, count: true }
    expect(await ask('Ansatt', { ...options, select: ['Id', 'Fornavn'] })).toMatchObject({
      '@odata.count': 3,
      value: [
        { Id: 2, Fornavn: 'Ola' },
        { Id: 1, Fornavn: 'Kari' },
      ],
    })
    expect(await idsOf('Ansatt', { search: 'kari' })).toEqual([1])
    expect(await idsOf('Prosjekt', { filter: { Navn: '100 % & mer' } })).toEqual(['P2'])
  })

  test('expanding: by name, by path, with options', async () => {
    const first = async (options: Options) => (await ask('Avdeling', { ...options, top: 1 })).value[0]
    expect((await first({ expand: 'Ansatte' })).Ansatte).toHaveLength(2)
    expect((await first({ expand: 'Ansatte/Prosjekt' })).Ansatte[0]).toHaveProperty('Prosjekt')
    expect(
      (
        await first({
          expand: {
            Ansatte: {
              select: ['Id'],
              filter: { Id: { gt: 0 } },
              orderBy: 'Id desc',
              top: 1,
              count: true,
              expand: { Avdeling: { select: ['Navn'] } },
            },
          },
        })
      ).Ansatte,
    ).toMatchObject([{ Id: 3, Avdeling: { Navn: 'Byggevarer' } }])
  })

  test('a record by its key, and the count alone', async () => {
    expect(await ask('Ansatt', { key: 2, select: ['Fornavn'] })).toMatchObject({ Fornavn: 'Ola' })
    expect(await ask('Ansatt', { key: { Id: 2 } })).toMatchObject({ Id: 2 })
    expect(await ask('Avdeling', { key: '20' })).toMatchObject({ Id: '20' })
    expect(await ask('Ansatt', { count: { AvdelingId: '10' } })).toBe(2)
  })

  test('its decimals have the suffix of OData 3, which OData 4 rejects', async () => {
    const query = build({ filter: { Stillingsprosent: decimal('37.5') } })
    expect(query).toContain('37.5M')
    const headers = { 'tb-key': served.server.tenantA.key }
    const reply = await fetch(`${served.address}/odata/Ansatt${query}`, { headers })
    expect([reply.status, await reply.text()]).toEqual([400, expect.stringContaining('$filter:')])
  })
})
