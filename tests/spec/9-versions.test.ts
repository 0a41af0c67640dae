// Interface 9: /dev is permanent; insecure use of it is marked as deprecated.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'

const finn = '/dev/Omsetning/Finn'

describe.each(databases)('versions on $name', (database) => {
  const server = useTestServer(database, '9-versions')
  let pair: string
  beforeAll(() => {
    pair = `firma=${server.tenantA.name}&passord=${server.tenantA.password}`
  })

  test('9.1 the revenue endpoints are available under /dev/', async () => {
    expect((await server.call('GET', finn)).status).toBe(200)
    for (const path of ['/Omsetning/Finn', '/v3/Omsetning/Finn', '/api/dev/Omsetning/Finn'])
      expect((await server.call('GET', path)).status).toBe(404)
  })

  test('9 a reply to a password in the query has Deprecation, and Link to the safer methods', async () => {
    const replies = [
      await server.call('GET', `${finn}?${pair}`, { as: null }),
      await server.call('POST', `/dev/Omsetning/LagreEllerOppdaterListe?${pair}`, { as: null, json: [] }),
      await server.call('GET', `/omsetning/Omsetning?${pair}`, { as: null }),
      await server.call('GET', `${finn}?key=${server.tenantA.key}`, { as: null }),
    ]
    for (const { status, headers } of replies) {
      expect(status).toBe(200)
      expect(headers['deprecation']).toBe('@1767225600')
      expect(headers['link']).toMatch(/^<[^>]*\/docs[^>]*>; rel="deprecation"$/)
    }
  })

  test('9 a reply to any other credential has neither', async () => {
    const { name, password, key } = server.tenantA
    const basic = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    for (const headers of [
      { 'tb-key': key },
      { authorization: basic },
      { 'x-firma': name, 'x-passord': password },
      { authorization: `Bearer ${key}` },
    ]) {
      const reply = await server.call('GET', finn, { as: null, headers })
      expect(reply.status).toBe(200)
      expect(reply.headers['deprecation']).toBeUndefined()
      expect(reply.headers['link']).toBeUndefined()
    }
  })

  test('9 no reply under /dev is a redirect', async () => {
    for (const path of ['/dev/Omsetning/Finn/', '//dev/omsetning/finn', '/DEV/OMSETNING/FINN'])
      expect((await server.call('GET', `${path}?${pair}`, { as: null })).status).toBe(200)
  })

  test('9 the version header of newer clients changes nothing under /dev', async () => {
    await server.call('POST', '/dev/Omsetning/Lagre', { json: { Omsetning: 1 } })
    const plain = await server.call('GET', finn)
    const asking = await server.call('GET', finn, { headers: { 'x-api-version': '3.0' } })
    expect(asking.text).toBe(plain.text)
  })

  test('9 every reply has the remaining rate limit of the minute', async () => {
    const { headers } = await server.call('GET', finn)
    expect(headers['ratelimit']).toBeDefined()
    expect(headers['ratelimit-policy']).toBeDefined()
  })
})
