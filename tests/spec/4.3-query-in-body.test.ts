// Interface 4.3: query options in the body of POST /$query, for queries too long for a URL.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer, type CallOptions } from '../support/server.ts'

describe.each(databases)('4.3 query options in the body on $name', (database) => {
  const server = useTestServer(database, 'query')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [{ id: '10', name: 'Åpent & lukket' }],
      employees: Array.from({ length: 9 }, (_, index) => ({ id: index + 1, departmentId: '10' })),
    })
  })

  const ask = (path: string, body: string, { headers = {}, ...rest }: CallOptions = {}) =>
    server.call('POST', path, { body, headers: { 'content-type': 'text/plain', ...headers }, ...rest })

  test.each([
    ['/odata/Ansatt', '$filter=Id%20gt%205&$select=Id'],
    ['/ansatt/ansatt', 'select=id&$top=2&$orderby=Id+desc'],
    ["/odata/Avdeling('10')", '$select=Navn&$expand=Ansatte($select=Id;$top=1)'],
    ["/odata/Avdeling('10')/Ansatte", '$count=true&$select=Id&$filter=Id in (1,2)'],
    ["/odata/Avdeling('10')/Ansatte/$count", '$filter=Id lt 4'],
    ['/odata/Avdeling', "$filter=Navn eq 'Åpent %26 lukket'\r\n"],
    ['/odata/Ansatt(1)/Avdeling/Navn/$value', ''],
  ])('%s/$query with %j equals the read with the same options', async (path, options) => {
    const read = await server.call('GET', `${path}?${options.trim().replace(/[^!-~]/gu, encodeURIComponent)}`)
    expect(read.status, read.text).toBe(200)
    for (const end of ['/$query', '/%24QUERY/']) {
      const posted = await ask(path + end, options)
      expect([posted.status, posted.text]).toEqual([200, read.text])
      expect(posted.headers['content-type']).toBe(read.headers['content-type'])
    }
  })

  test('the body may be far longer than a URL, and long sets continue by next links', async () => {
    const long = `$select=Id&$filter=${`Fornavn ne '${'x'.repeat(60)}' and `.repeat(300)}Id gt 2`
    expect((await server.call('GET', `/odata/Ansatt?${encodeURI(long)}`)).status).toBe(414)
    expect((await ask('/odata/Ansatt/$query', long)).json.value).toHaveLength(7)
    const headers = { prefer: 'maxpagesize=3' }
    const first = await ask('/odata/Ansatt/$query?$select=Id', '$filter=Id gt 2', { headers })
    const link: string = first.json['@odata.nextLink']
    expect(link).toContain('/odata/Ansatt?$select=Id&$filter=Id%20gt%202&$skiptoken=')
    const next = await server.call('GET', link.replace('http://localhost', ''))
    expect(recordsIn(next)).toEqual([{ Id: 6 }, { Id: 7 }, { Id: 8 }])
  })

  test('the body has the limit of other bodies, as have writes without a route of their own', async () => {
    const long = 'x'.repeat(limits.bodyBytesMax)
    const headers = { 'content-type': 'text/plain' }
    const query = await server.call('POST', '/odata/Ansatt/$query', { body: `$search=${long}`, headers })
    const change = await server.call('PATCH', '/odata/Ansatt/1', { body: `{"Fornavn":"${long}"}` })
    for (const { status, json } of [query, change])
      expect([status, json.error.code, json.error.message]).toEqual([
        413,
        'BodyTooLarge',
        expect.stringContaining('bodyBytesMax'),
      ])
  })

  test('errors are reported at their position, as in a URL', async () => {
    const codes = async (path: string, body: string, options?: CallOptions) => {
      const { status, json } = await ask(path, body, options)
      return [status, json.error.code, json.error.target]
    }
    const path = '/odata/Ansatt/$query'
    expect(await codes(path, '$filter=Ukjent eq 1')).toEqual([400, 'UnknownProperty', '$filter:1'])
    expect(await codes(path, '$fliter=Id eq 1')).toEqual([400, 'UnknownQueryOption', '$fliter'])
    expect(await codes(`${path}?$top=1`, 'top=2')).toEqual([400, 'DuplicateParameter', '$top'])
    const json = { headers: { 'content-type': 'application/json' } }
    expect(await codes(path, '{}', json)).toEqual([415, 'UnsupportedMediaType', 'header:Content-Type'])
    expect((await ask(path, '$top=1', { as: null })).status).toBe(401)
    expect((await ask('/odata/Ukjent/$query', '')).status).toBe(404)
    expect((await ask("/odata/Avdeling('99')/Ansatte/$query", '')).status).toBe(404)
    const read = await server.call('GET', path)
    expect([read.status, read.headers['allow']]).toEqual([405, 'POST'])
  })
})
