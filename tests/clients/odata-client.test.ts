// @odata/client against the running server, in both OData versions that it supports.
import { OData } from '@odata/client'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useListeningTestServer } from './server.ts'

describe.each(databases)('@odata/client on $name', (database) => {
  const served = useListeningTestServer(database, 'odata-client')

  const client = (root = 'odata') =>
    OData.New4({
      metadataUri: `${served.address}/${root}/$metadata`,
      commonHeaders: { 'tb-key': served.server.tenantA.key },
    })

  test('reads by options, by a filter, by a key, and counts', async () => {
    const set = client().getEntitySet<{ Id: number; Fornavn: string; AvdelingId: string }>('Ansatt')
    const options = client()
      .newOptions()
      .filter(client().newFilter().field('Id').gt(1))
      .select(['Id'])
      .orderby('Id', 'desc')
    expect(await set.query(options)).toMatchObject([{ Id: 3 }, { Id: 2 }])
    expect(await set.find({ Fornavn: 'Kari' })).toMatchObject([{ Id: 1 }])
    expect(await set.retrieve(2)).toMatchObject({ Fornavn: 'Ola' })
    expect(await set.retrieve(1, client().newOptions().expand('Avdeling'))).toMatchObject({
      Avdeling: { Navn: 'Byggevarer' },
    })
    expect(await set.count()).toBe(3)
    expect(await set.count({ AvdelingId: '10' })).toBe(2)
    const departments = client().getEntitySet('Avdeling')
    expect(await departments.retrieve('20')).toMatchObject({ Id: '20' })
  })

  test('sends a batch as multipart and as JSON', async () => {
    const service = client()
    const requests = () => [
      service.newBatchRequest<object>({ collection: 'Ansatt', id: 1, method: 'GET' }),
      service.newBatchRequest<object>({ collection: 'Avdeling', method: 'GET', params: service.newOptions().top(1) }),
    ]
    for (const replies of [
      await service.execBatchRequests(requests()),
      await service.execBatchRequestsJson(requests()),
    ]) {
      const [first, second] = await Promise.all(replies.map((one) => one.json()))
      expect(first).toMatchObject({ Fornavn: 'Kari' })
      expect(second).toMatchObject({ value: [{ Id: '10' }] })
    }
  })

  test('deletes in a change set', async () => {
    const service = client('omsetning')
    const revenue = service.getEntitySet<{ InntektsPlanId: number }>('Omsetning')
    const [first] = await revenue.query()
    const request = service.newBatchRequest({
      collection: 'Omsetning',
      id: first?.InntektsPlanId ?? 0,
      method: 'DELETE',
    })
    const [reply] = await service.execBatchRequests([request])
    expect(reply?.status).toBe(204)
    expect(await revenue.count()).toBe(2)
  })
})
