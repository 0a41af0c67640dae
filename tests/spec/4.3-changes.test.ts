// Delta links: a client that read a set once reads the changes since, each reply ending in a new link.
import { beforeAll, describe, expect, test } from 'vitest'
import { markRestored } from '../../src/store/archive/mark-restored.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer, type TestReply, type CallOptions } from '../support/server.ts'

const follow = { headers: { prefer: 'odata.track-changes' } }
const root = 'http://localhost'

interface DeltaItem {
  readonly InntektsPlanId: number
  readonly Omsetning: number
  readonly id?: string
  readonly reason?: string
}

describe.each(databases)('4.3 delta links on $name', (database) => {
  const server = useTestServer(database, 'changes')
  beforeAll(async () => {
    await save(
      ...Array.from({ length: 7 }, (_, index) => ({
        Dato: `2024-01-0${index + 1}`,
        AvdelingID: String(index % 2),
        Omsetning: index,
      })),
    )
  })

  const save = async (...rows: readonly object[]) =>
    (await expectStatus(server.call('POST', '/dev/LagreEllerOppdaterListe', { json: rows }))).json.map(
      (row: DeltaItem) => row.InntektsPlanId,
    )
  const remove = (id: number) => server.call('DELETE', `/omsetning/Omsetning(${id})`)
  const get = (address: string, options: CallOptions = {}): Promise<TestReply> =>
    server.call('GET', address.replace(root, ''), options)
  const linkIn = ({ json }: TestReply): string => json['@odata.deltaLink']

  test('a changed record contains its key, whether it was selected or not', async () => {
    const first = await get('/odata/Omsetning?$select=Omsetning', follow)
    expect(recordsIn(first)[0]).toEqual({ Omsetning: 0 })
    await save({ InntekstplanId: 1, Omsetning: 0.5 })
    const changed = await get(linkIn(first))
    expect(recordsIn(changed)).toEqual([{ InntektsPlanId: 1, Omsetning: 0.5 }])
    await save({ InntekstplanId: 1, Omsetning: 0 })
  })

  test('track-changes adds a delta link to the set; the link returns the changes and a new link', async () => {
    const first = await get('/odata/Omsetning?$select=InntektsPlanId,Omsetning&$count=true', follow)
    expect(first.headers['preference-applied']).toBe('odata.track-changes')
    expect(first.json.value).toHaveLength(7)
    expect(linkIn(first)).toMatch(
      /^http:\/\/localhost\/odata\/Omsetning\?\$select=InntektsPlanId,Omsetning&\$deltatoken=[\w-]+$/,
    )
    const quiet = await get(linkIn(first))
    expect(quiet.json).toEqual({
      '@odata.context': `${root}/odata/$metadata#Omsetning(InntektsPlanId,Omsetning)/$delta`,
      value: [],
      '@odata.deltaLink': expect.stringContaining('$deltatoken='),
    })
    const [added] = await save({ Dato: '2024-02-01', AvdelingID: '1', Omsetning: 8 })
    await save({ InntekstplanId: 2, Omsetning: 20 })
    await remove(3)
    const context = `${root}/odata/$metadata#Omsetning/$deletedEntity`
    const expected = [
      { '@odata.context': context, id: 'Omsetning(3)', reason: 'deleted' },
      { InntektsPlanId: 2, Omsetning: 20 },
      { InntektsPlanId: added, Omsetning: 8 },
    ]
    for (const link of [linkIn(first), linkIn(quiet)]) expect(recordsIn(await get(link))).toEqual(expected)
    expect((await get(linkIn(await get(linkIn(first))))).json.value).toEqual([])
    const newer = await get(linkIn(first), { headers: { 'odata-maxversion': '4.01' } })
    expect(newer.json.value[0]).toEqual({ '@removed': { reason: 'deleted' }, '@id': 'Omsetning(3)' })
    expect(newer.json['@deltaLink']).toContain('$deltatoken=')
  })

  test('a record that no longer matches the filter is reported as removed', async () => {
    const address = "/odata/Omsetning?$filter=AvdelingID eq '0'&$select=InntektsPlanId&$orderby=Dato desc"
    const first = await get(address, follow)
    expect(linkIn(first)).not.toContain('orderby')
    const link = linkIn(first)
    await save({ InntekstplanId: 1, AvdelingID: '1' }, { InntekstplanId: 2, AvdelingID: '0' })
    expect((await get(link)).json.value.map((changes: DeltaItem) => changes.id ?? changes.InntektsPlanId)).toEqual([
      'Omsetning(1)',
      2,
    ])
  })

  test('all pages of a set share the delta position of the first page', async () => {
    const headers = { prefer: 'track-changes, maxpagesize=3' }
    let page = await get('/omsetning/Omsetning?$select=InntektsPlanId', { headers })
    expect(page.headers['preference-applied']).toBe('odata.maxpagesize=3, odata.track-changes')
    const read: number[] = []
    await save({ InntekstplanId: 4, Omsetning: 40 })
    for (;;) {
      read.push(...page.json.value.map((changes: DeltaItem) => changes.InntektsPlanId))
      const next = page.json['@odata.nextLink']
      if (next === undefined) break
      expect(linkIn(page)).toBe(undefined)
      page = await get(next)
    }
    expect(new Set(read).size).toBe(read.length)
    const changes = recordsIn(await get(linkIn(page)))
    expect(changes).toEqual([{ InntektsPlanId: 4 }])
  })

  test('staff, departments, projects and sites support delta links, also for re-inserted records', async () => {
    const put = (id: string, Navn: string) => server.call('PUT', '/ansatt/avdeling', { json: [{ Id: id, Navn }] })
    for (const id of ['a', 'b', "c'/å"]) expect((await put(id, id)).status).toBe(200)
    await server.call('POST', '/ansatt/ansatt', { json: { Id: 7, Fornavn: 'Kari' } })
    const departments = await get('/odata/Avdeling?$select=Navn', follow)
    const employees = await get('/odata/Ansatt?$select=Id,Fodt', follow)
    await put('a', 'A')
    for (const id of ['b', "c''%2F%C3%A5"])
      expect((await server.call('DELETE', `/ansatt/avdeling('${id}')`)).status).toBe(204)
    await server.call('DELETE', '/ansatt/ansatt(7)')
    const changes = async (reply: TestReply) => recordsIn(await get(linkIn(reply)))
    const context = `${root}/odata/$metadata#Avdeling/$deletedEntity`
    expect(await changes(departments)).toEqual([
      { '@odata.context': context, id: "Avdeling('b')", reason: 'deleted' },
      { '@odata.context': context, id: "Avdeling('c''%2F%C3%A5')", reason: 'deleted' },
      { Id: 'a', Navn: 'A' },
    ])
    expect(await changes(employees)).toEqual([expect.objectContaining({ id: 'Ansatt(7)' })])
    await put('b', 'again')
    expect(await changes(departments)).toEqual([
      { '@odata.context': context, id: "Avdeling('c''%2F%C3%A5')", reason: 'deleted' },
      { Id: 'a', Navn: 'A' },
      { Id: 'b', Navn: 'again' },
    ])
  })

  test('large deltas are streamed, and never contain records of another company', async () => {
    const first = await get('/odata/Omsetning?$select=InntektsPlanId', follow)
    await save(...Array.from({ length: 1500 }, () => ({ Dato: '2024-03-01', AvdelingID: '9' })))
    await server.call('POST', '/dev/Omsetning/Lagre', {
      as: server.tenantB,
      json: { Dato: '2024-03-01', AvdelingID: '9' },
    })
    const { value } = (await get(linkIn(first))).json
    expect(value).toHaveLength(1500)
    expect((await get(linkIn(first), { as: server.tenantB })).status).toBe(400)
  })

  test.each([
    '/odata/OmsetningLogg',
    '/odata/Omsetning?$top=5',
    '/odata/Omsetning?$skip=5',
    '/odata/Omsetning?$expand=Avdeling',
    "/odata/Omsetning?$filter=Avdeling/Navn eq 'x'",
    '/odata/Omsetning?$compute=Omsetning mul 2 as Dobbel',
  ])('%s does not support delta links, and says so', async (address) => {
    const reply = await expectStatus(get(address, follow))
    expect(linkIn(reply)).toBe(undefined)
    expect(reply.headers['preference-applied']).toBe(undefined)
  })

  test('a link from before a restore is 410 also after later changes, which are later than it', async () => {
    const before = linkIn(await get('/odata/Omsetning', follow))
    await markRestored(server.url, Date.now() * 1000)
    await save({ Dato: '2024-02-01', AvdelingID: '1', Omsetning: 1 })
    expectError(await get(before), 410, 'DeltaLinkExpired')
    expect((await get(linkIn(await get('/odata/Omsetning', follow)))).status).toBe(200)
  })

  test('a forged link is rejected, and one that is later than the last change is 410', async () => {
    const link = linkIn(await get('/odata/Omsetning', follow))
    for (const broken of [`${link}A`, link.replace('Omsetning', 'OmsetningLogg'), link.slice(0, -9)]) {
      const reply = await get(broken)
      expect([reply.status, reply.json.error.target]).toEqual([400, '$deltatoken'])
    }
    const skip = (await get('/odata/Omsetning', { headers: { prefer: 'maxpagesize=1' } })).json
    const token = /skiptoken=(?<token>.*)$/.exec(skip['@odata.nextLink'])?.groups?.token
    expect((await get(`/odata/Omsetning?$deltatoken=${token}`)).status).toBe(400)
    await server.store.inTransaction(server.tenantA.id as never, ({ sequences }) => {
      sequences.nextStamp((Date.now() + 60_000) * 1000)
    })
    const later = linkIn(await get('/odata/Omsetning', follow))
    await server.store.inTransaction(server.tenantA.id as never, ({ sequences }) => {
      sequences.nextStamp(0)
      sequences.restore({ ...sequences.snapshot(), lastTimestamp: Date.now() * 1000 })
    })
    expectError(await get(later), 410, 'DeltaLinkExpired')
  })
})
