// Paging: a record that does not move is read exactly once, whatever else changes meanwhile.
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import { statement } from '../../src/store/statement.ts'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectStatus } from '../support/replies.ts'
import { useTestServer, type CallOptions, type TestCompany } from '../support/server.ts'
import { seed } from '../support/random.ts'

const erase = statement(
  ({ value }) => sql`delete from employee where "companyId" = ${value('companyId')} and id = ${value('id')}`,
)

function size(rows: number | string, name = 'odata.maxpagesize') {
  return { headers: { prefer: `${name}=${rows}` } }
}

describe.each(databases)('pages on $name', (database) => {
  const server = useTestServer(database, 'paging')
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [{ id: '10', name: 'Én' }, { id: '20' }],
      employees: Array.from({ length: 60 }, (_, index) => ({
        id: index + 1,
        firstName: [null, 'Å', 'a', '', 'B'][index % 5] ?? null,
        lastName: [null, 'x', 'x', '"%s"'][index % 4] ?? null,
        bornOn: index % 3 === 0 ? null : `19${50 + (index % 7)}-01-02`,
        isActive: [null, true, false][index % 3] ?? null,
        positionPercent: index % 2 === 0 ? null : (index % 6) * 12_345,
        departmentId: index % 2 === 0 ? '10' : null,
      })),
    })
    await fillDirectory(server, server.tenantB, { employees: [{ id: 1, firstName: 'Nabo' }] })
  })

  const get = (address: string, options: CallOptions = {}) => server.call('GET', address, options)

  /** All pages from the first one, each by the link of the previous one. */
  const pagesOf = async (
    address: string,
    rows: number,
    { as = server.tenantA, between }: { as?: TestCompany; between?: () => Promise<void> } = {},
  ) => {
    const pages = [(await get(address, { ...size(rows), as })).json]
    for (let link; (link = pages.at(-1)['@odata.nextLink']) !== undefined;) {
      await between?.()
      expect(link).toMatch(/^http:\/\/localhost\//)
      const reply = await expectStatus(get(link.slice('http://localhost'.length), { as }))
      pages.push(reply.json)
    }
    return pages
  }

  const orders = [
    'Id',
    'Id desc',
    'Fornavn',
    'Fornavn desc',
    'Fornavn,Etternavn desc',
    'Etternavn desc,Fornavn,Id desc',
    'Fodt desc,Aktiv',
    'Aktiv desc,Stillingsprosent',
    'Stillingsprosent desc',
    'OpprettetDato,Etternavn',
    'length(Fornavn) desc,Avdeling/Navn',
    'Avdeling/Navn desc',
    "Stillingsprosent mul 3 desc,contains(Etternavn,'x')",
    'year(Fodt)',
  ]

  test.each(orders)('all pages together are the whole set, in the order %s', async ($orderby) => {
    const address = `/odata/Ansatt?$select=Id&$expand=Avdeling($select=Id)&$orderby=${$orderby.replaceAll(' ', '%20')}`
    const whole = (await get(address)).json.value
    for (const rows of [1, 7, 59, 60, 61]) {
      const pages = await pagesOf(address, rows)
      expect(pages.map(({ value }) => value.length)).toEqual(
        Array.from({ length: Math.ceil(60 / rows) }, (_, index) => Math.min(rows, 60 - index * rows)),
      )
      expect(pages.flatMap(({ value }) => value)).toEqual(whole)
    }
  })

  test('next links keep the options as the caller spelled them, except $top and $skip', async () => {
    const address =
      '/ANSATT/ansatt?SELECT=id,FORNAVN&%24filter=Id%20gt%20@a&@a=2&$expand=aVDELING($select=navn)&count=true&$skip=3&$top=25&firma=x'
    const reply = await get(address.replace('&firma=x', ''), size(10, 'maxpagesize'))
    expect(reply.headers).toMatchObject({ 'preference-applied': 'odata.maxpagesize=10' })
    expect(reply.headers['vary']).toContain('Prefer')
    const link: string = reply.json['@odata.nextLink']
    expect(link.replace(/(?<=skiptoken=)[\w-]+$/, '…')).toBe(
      'http://localhost/ANSATT/ansatt?SELECT=id,FORNAVN&%24filter=Id%20gt%20@a&@a=2&$expand=aVDELING($select=navn)&count=true&$top=15&$skiptoken=…',
    )
    const pages = await pagesOf(address.replace('&firma=x', ''), 10)
    expect(pages.map(({ value }) => value.length)).toEqual([10, 10, 5])
    expect(pages.map((page) => page['@odata.count'])).toEqual([58, 58, 58])
    expect(pages[2].value[4]).toMatchObject({ id: 30, FORNAVN: 'B', aVDELING: null })
  })

  test('expanded records have next links of their own', async () => {
    const pages = await pagesOf("/odata/Avdeling('10')/Ansatte?$select=Id&$orderby=Fornavn", 12)
    expect(pages.map(({ value }) => value.length)).toEqual([12, 12, 6])
    expect(new Set(pages.flatMap(({ value }) => value.map(({ Id }: { Id: number }) => Id))).size).toBe(30)
    expect((await pagesOf("/odata/Avdeling('20')/Ansatte", 12))[0].value).toEqual([])
    expect((await get("/odata/Avdeling('30')/Ansatte", size(12))).status).toBe(404)
  })

  test('the page size may change between pages, up to the maximum of the service', async () => {
    const first = await get('/odata/Ansatt?$select=Id', size(5))
    const link = first.json['@odata.nextLink'].slice('http://localhost'.length)
    expect((await get(link)).json.value).toHaveLength(5)
    expect((await get(link, size(50))).json.value).toHaveLength(50)
    const long = await get('/odata/Ansatt', size(100_000))
    expect(long.headers['preference-applied']).toBe('odata.maxpagesize=5000')
  })

  test.each(['0', '-1', 'x', '', '1.5'])('maxpagesize=%s returns no pages', async (rows) => {
    const reply = await get('/odata/Ansatt', size(rows))
    expect(reply.json.value).toHaveLength(60)
    expect(reply.headers['preference-applied']).toBe(undefined)
  })

  test('next links contain no credentials and no unknown parameters', async () => {
    const { name, password, key } = server.tenantA
    const secrets = [
      `firma=${name}&passord=${password}`,
      `FIRMA=${name}&%70assord=${password}`,
      `key=${key}`,
      `api_token=hemmelig&Passor%64=${password}&firma=${name}`,
    ]
    for (const secret of secrets) {
      const reply = await expectStatus(get(`/odata/Ansatt?$select=Id&${secret}`, { ...size(5), as: null }))
      expect(reply.json['@odata.nextLink']).toMatch(
        /^http:\/\/localhost\/odata\/Ansatt\?\$select=Id&\$skiptoken=[\w-]+$/,
      )
      expect(reply.text).not.toContain(password)
    }
  })

  test('continuation tokens are opaque, and cannot be forged or used by another company', async () => {
    const first = await get('/odata/Ansatt?$orderby=Fodt%20desc&$select=Id', size(5))
    const link: string = first.json['@odata.nextLink'].slice('http://localhost'.length)
    const [, token = ''] = link.split('skiptoken=')
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toMatch(/19\d\d/)
    const refused = async (address: string, options: CallOptions = {}) => {
      const reply = await get(address, options)
      expect([reply.status, reply.json.error.code, reply.json.error.target]).toEqual([
        400,
        'InvalidQueryOption',
        '$skiptoken',
      ])
    }
    await refused(link, { as: server.tenantB })
    await refused(link.replace('Fodt%20desc', 'Fodt'))
    await refused(link.replace('Ansatt', 'Avdeling').replace('Fodt%20desc', 'Id'))
    await refused('/odata/Ansatt?$skiptoken=')
    await refused(`/odata/Ansatt?$skiptoken=${'A'.repeat(3000)}`)
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), fc.base64String(), async (at, text) => {
        const broken = token.slice(0, at) + encodeURIComponent(`${text}!`) + token.slice(at + 1)
        await refused(link.replace(token, broken))
      }),
      { numRuns: 25, seed },
    )
    expect((await get(link)).status).toBe(200)
  })

  test('unchanged records are read once while others are inserted, moved and deleted', async () => {
    const company = await server.addCompany(`SKRIV${seed}`)
    const names = ['a', 'b', 'c', null]
    await fillDirectory(server, company, {
      employees: Array.from({ length: 80 }, (_, index) => ({
        id: (index + 1) * 10,
        firstName: names[(index * 7) % 4] ?? null,
      })),
    })
    const unchangedKeys = Array.from({ length: 40 }, (_, index) => (index + 1) * 20)
    let turn = seed
    const random = (sides: number) => (turn = (turn * 48_271) % 2_147_483_647) % sides
    let added = 1000
    for (const order of ['Fornavn', 'Fornavn%20desc', 'Id%20desc', 'Id']) {
      const between = async () => {
        const gone = (random(40) * 2 + 1) * 10
        await server.store.inTransaction(company.id as never, (transaction) =>
          transaction.run(erase, { companyId: company.id, id: gone }),
        )
        const firstName = names[random(4)] ?? null
        await fillDirectory(server, company, {
          employees: [
            { id: gone, firstName },
            { id: (added += 10) + 1, firstName },
          ],
        })
      }
      const address = `/odata/Ansatt?$select=Id&$orderby=${order}`
      const pages = await pagesOf(address, 3, { as: company, between })
      const read = pages.flatMap(({ value }) => value.map(({ Id }: { Id: number }) => Id))
      const still = read.filter((id) => unchangedKeys.includes(id))
      expect(
        still.toSorted((a, b) => a - b),
        `seed ${seed}, ${order}`,
      ).toEqual(unchangedKeys)
    }
  })

  /**
   * `PAGE_ROWS=1000000 npx vitest run tests/spec/4.3-paging.test.ts -t 'last page'` prints the
   * measurements.
   */
  test('a long set is read to its last page, and no reply is longer than its page', async () => {
    const rows = Number(process.env['PAGE_ROWS'] ?? 3000)
    const rowsOfPage = Math.min(5000, Math.ceil(rows / 6))
    const company = await server.addCompany('LANG')
    for (let from = 0; from < rows; from += 20_000)
      await fillDirectory(server, company, {
        employees: Array.from({ length: Math.min(20_000, rows - from) }, (_, index) => ({
          id: from + index + 1,
          lastName: `Navn ${(from + index) % 1000}`,
        })),
      })
    let link = '/odata/Ansatt?$select=Id,Etternavn'
    let [pages, sum, longest, heapMax] = [0, 0, 0, 0]
    const start = process.hrtime.bigint()
    while (link !== '') {
      const reply = await get(link, { ...size(rowsOfPage), as: company })
      const { value, ...around } = reply.json
      expect(value.length).toBeLessThanOrEqual(rowsOfPage)
      for (const { Id } of value) sum += Id
      pages += 1
      longest = Math.max(longest, reply.text.length)
      heapMax = Math.max(heapMax, process.memoryUsage().heapUsed)
      link = (around['@odata.nextLink'] ?? '').replace('http://localhost', '')
    }
    expect([pages, sum]).toEqual([Math.ceil(rows / rowsOfPage), (rows * (rows + 1)) / 2])
    expect(longest).toBeLessThan(rowsOfPage * 90)
    const seconds = Number((process.hrtime.bigint() - start) / 1_000_000n) / 1000
    if (process.env['PAGE_ROWS'] !== undefined)
      process.stdout.write(
        `${database.name}: ${rows} rows, ${pages} pages, ${seconds} s, heap at most ${heapMax >> 20} MiB\n`,
      )
  })
})
