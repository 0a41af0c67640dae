// o.js, the package `odata`, against the running server: queries, resources, batches.
import { o } from 'odata'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useListeningTestServer } from './server.ts'

describe.each(databases)('o.js on $name', (database) => {
  const served = useListeningTestServer(database, 'o-js')

  const service = (root = 'odata') =>
    o(`${served.address}/${root}/`, { headers: { 'tb-key': served.server.tenantA.key } })

  test('reads a set with options, a record and a relation', async () => {
    const query = { $select: 'Id', $filter: "AvdelingId eq '10'", $orderby: 'Id desc', $top: 1 }
    expect(await service().get('Ansatt').query(query)).toMatchObject([{ Id: 3 }])
    expect(await service().get('Ansatt(1)').query()).toMatchObject({ Fornavn: 'Kari' })
    expect(await service().get("Avdeling('10')/Ansatte").query({ $select: 'Id' })).toMatchObject([{ Id: 1 }, { Id: 3 }])
  })

  test('sends parallel requests and batches, with URLs relative to the host and to the service', async () => {
    for (const useRelativeURLs of [true, false]) {
      const handler = o(`${served.address}/odata/`, {
        headers: { 'tb-key': served.server.tenantA.key },
        batch: {
          useChangset: false,
          useRelativeURLs,
          boundaryPrefix: 'batch_',
          endpoint: '$batch',
          headers: new Headers({ 'tb-key': served.server.tenantA.key }),
        },
      })
      const replies = await handler.get('Ansatt(1)').get('Avdeling').batch()
      expect(replies.map(({ status }: { status: number }) => status)).toEqual([200, 200])
      expect(replies[0].body).toMatchObject({ Fornavn: 'Kari' })
      expect(replies[1].body).toHaveLength(3)
    }
  })

  test('writes in a change set', async () => {
    const handler = o(`${served.address}/omsetning/`, {
      headers: { 'tb-key': served.server.tenantA.key, 'Content-Type': 'application/json' },
      batch: {
        useChangset: true,
        useRelativeURLs: true,
        boundaryPrefix: 'batch_',
        changsetBoundaryPrefix: 'changset_',
        endpoint: '$batch',
        headers: new Headers({ 'tb-key': served.server.tenantA.key }),
      },
    })
    const add = (Omsetning: number) => ({ Dato: '2024-06-01', AvdelingID: '77', Omsetning })
    await handler.post('AggsertOmsetning', add(1)).post('AggsertOmsetning', add(2)).batch()
    const [stored] = await service('omsetning').get('Omsetning').query({ $filter: "AvdelingID eq '77'" })
    expect(stored).toMatchObject({ Omsetning: 3 })
  })

  test('returns an error as the response', async () => {
    await expect(service().get('Ukjent').query()).rejects.toMatchObject({ status: 404 })
  })
})
