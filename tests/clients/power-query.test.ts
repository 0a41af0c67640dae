// Recorded requests of Excel and Power BI: their headers, and the queries that Power Query folds.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { useListeningTestServer } from './server.ts'

const powerQuery = {
  'User-Agent': 'Microsoft.Data.Mashup (https://go.microsoft.com/fwlink/?LinkID=304225)',
  'OData-MaxVersion': '4.0',
  MaxDataServiceVersion: '3.0',
  Accept:
    'application/json;odata.metadata=minimal;q=1.0, application/json;odata=minimalmetadata;q=0.9, application/atomsvc+xml;q=0.8, application/atom+xml;q=0.8, application/xml;q=0.7, text/plain;q=0.7',
  'Accept-Encoding': 'gzip, deflate',
}

describe.each(databases)('Power Query on $name', (database) => {
  const served = useListeningTestServer(database, 'power-query')
  beforeAll(async () => {
    const company = await served.server.addCompany('MANGE')
    many = { 'tb-key': company.key }
    await fillDirectory(served.server, company, {
      employees: Array.from({ length: 1200 }, (_, index) => ({ id: index + 1, positionPercent: 1 })),
    })
  })
  let many: Readonly<Record<string, string>>

  const basic = () => {
    const { name, password } = served.server.tenantA
    return { Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}` }
  }
  const get = (path: string, headers: Readonly<Record<string, string>> = basic()) =>
    fetch(path.startsWith('http') ? path : served.address + path, { headers: { ...powerQuery, ...headers } })
  const read = async (path: string, headers?: Readonly<Record<string, string>>) => {
    const reply = await get(path, headers)
    const text = await reply.text()
    expect([reply.status, text.slice(0, 200)]).toEqual([200, expect.any(String)])
    expect(reply.headers.get('content-type')).toBe('application/json;odata.metadata=minimal')
    expect(reply.headers.get('odata-version')).toBe('4.0')
    return JSON.parse(text)
  }

  test('requests the root, the schema, and then data', async () => {
    const root = await read('/odata/')
    expect(root['@odata.context']).toBe(`${served.address}/odata/$metadata`)
    const schema = await get('/odata/$metadata')
    expect([schema.status, schema.headers.get('content-type')]).toEqual([200, 'application/xml'])
    expect(schema.headers.get('odata-version')).toBe('4.0')
    expect(await schema.text()).toMatch(/^<\?xml[^>]*><edmx:Edmx Version="4\.0" /)
    for (const { url } of root.value) {
      const set = await read(`/odata/${url}`)
      expect(set['@odata.context']).toBe(`${served.address}/odata/$metadata#${url}`)
    }
  })

  test.each([
    ['Ansatt?$select=Id%2CFornavn&$top=1000', 3],
    ['Ansatt?%24select=Id%2CFornavn&%24top=1000', 3],
    ["Ansatt?$filter=AvdelingId%20eq%20'10'&$select=Id", 2],
    ["Ansatt?$filter=AvdelingId%20eq%20'10'%20and%20(Id%20gt%201%20or%20Fornavn%20eq%20null)&$select=Id", 1],
    ['Ansatt?$orderby=Fornavn%20desc%2CId&$skip=1&$top=1', 1],
    ['Ansatt?$orderby=Id&$top=0', 0],
    ['Omsetning?$filter=Dato%20ge%202024-05-02%20and%20Omsetning%20lt%203000.75', 1],
    ['Omsetning?$filter=year(Dato)%20eq%202024&$select=Omsetning', 3],
    ['Ansatt?$filter=SistEndretDato%20lt%202030-01-01T00:00:00Z&$select=Id', 3],
    ['Ansatt?$filter=contains(Fornavn,%27a%27)&$select=Id', 2],
    ['Ansatt?$filter=startswith(tolower(Fornavn),%27k%27)&$select=Id', 1],
    ['Ansatt?$filter=Aktiv%20eq%20true&$select=Id', 1],
    ['Ansatt?$filter=not%20(Id%20eq%201)&$select=Id', 2],
    ['Ansatt?$expand=Avdeling($select=Id%2CNavn)&$select=Id', 3],
    ['Avdeling?$expand=Ansatte&$select=Id', 3],
    ["Avdeling('10')/Ansatte?$select=Id", 2],
  ])('folds steps into %s', async (path, records) => {
    const { value } = await read(`/odata/${path}`)
    expect(value).toHaveLength(records)
  })

  test('counts by $count, both as a segment and as an option', async () => {
    expect(await read('/odata/Ansatt?$count=true&$top=0')).toMatchObject({ '@odata.count': 3, value: [] })
    const count = await get('/odata/Ansatt/$count')
    expect([count.status, await count.text()]).toEqual([200, '3'])
  })

  test('follows relations record by record: a missing one is 204', async () => {
    expect(await read('/odata/Ansatt(1)/Avdeling')).toMatchObject({ Id: '10' })
    expect((await get('/odata/Ansatt(3)/Prosjekt')).status).toBe(204)
  })

  test('follows nextLink to the end when it requests pages', async () => {
    const ids: number[] = []
    let next: string | undefined = '/odata/Ansatt?$select=Id&$count=true'
    let pages = 0
    while (next !== undefined) {
      const page: { value: { Id: number }[]; '@odata.nextLink'?: string } = await read(next, {
        ...many,
        Prefer: 'odata.maxpagesize=500',
      })
      ids.push(...page.value.map(({ Id }) => Id))
      next = page['@odata.nextLink']
      pages += 1
    }
    expect([pages, ids.length, new Set(ids).size]).toEqual([3, 1200, 1200])
  })

  test('sends a Web API key as a parameter of every URL, the root too', async () => {
    const { key } = served.server.tenantA
    for (const path of ['/odata/', '/odata/Ansatt?$top=1&'])
      await read(`${path}${path.includes('?') ? '' : '?'}key=${key}`, {})
    expect((await get(`/odata/$metadata?key=${key}`, {})).status).toBe(200)
    expect((await get('/odata/', {})).status).toBe(401)
  })

  test('ODataOmitValues.Nulls omits null values', async () => {
    const headers = { ...basic(), Prefer: 'odata.omit-values=nulls' }
    const reply = await get("/odata/Avdeling('30')", headers)
    expect(reply.headers.get('preference-applied')).toBe('odata.omit-values=nulls')
    expect(await reply.json()).not.toHaveProperty('Navn')
  })

  test('DevExtreme prefers verbose JSON, and accepts plain JSON', async () => {
    const headers = { ...basic(), Accept: 'application/json;odata=verbose,text/plain, */*; q=0.01' }
    const page = await read('/odata/Ansatt?%24top=2&%24skip=1&%24count=true&%24orderby=Id', headers)
    expect([page['@odata.count'], page.value.length]).toEqual([3, 2])
  })
})
