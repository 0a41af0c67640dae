// CORS: pages of other origins (Fetch standard, 3.2).
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'

const app = 'https://app.example'
const preflight = {
  'access-control-request-method': 'PATCH',
  'access-control-request-headers': 'content-type,if-match,tb-key',
}

describe.each(databases)('requests of other origins on $name', (database) => {
  const closed = useTestServer(database, 'cors_off')
  const named = useTestServer(database, 'cors', { settings: { corsOrigins: `${app} http://localhost:8081` } })
  const open = useTestServer(database, 'cors_any', { settings: { corsOrigins: '*' } })

  type Headers = Readonly<Record<string, string>>

  const call = (method: string, path: string, headers: Headers, server = named) =>
    server.call(method, path, { headers, ...(method === 'OPTIONS' ? { as: null } : {}) })

  const corsHeaders = (headers: Readonly<Record<string, string | undefined>>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control-'))

  test('without the setting no reply has a CORS header, and a preflight is 405', async () => {
    const read = await call('GET', '/odata/Ansatt', { origin: app }, closed)
    expect([read.status, corsHeaders(read.headers)]).toEqual([200, []])
    expect(read.headers['vary']).not.toContain('Origin')
    const preflightReply = await call('OPTIONS', '/odata/Ansatt', { origin: app, ...preflight }, closed)
    expect([preflightReply.status, corsHeaders(preflightReply.headers)]).toEqual([405, []])
  })

  test.each(['/odata/Ansatt', "/ansatt/avdeling('x')", '/dev/Omsetning/Finn', '/odata/$batch'])(
    'a preflight of a named origin for %s is 204 without a credential',
    async (path) => {
      const reply = await call('OPTIONS', path, { origin: app, ...preflight })
      expect([reply.status, reply.text]).toEqual([204, ''])
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': app,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': 'content-type,if-match,tb-key',
        'access-control-max-age': '3600',
        vary: 'Access-Control-Request-Headers, Origin',
      })
    },
  )

  test.each([
    ['a read', 'GET', '/odata/Ansatt', 200],
    ['an unknown path', 'GET', '/odata/Ukjent', 404],
    ['a refused method', 'DELETE', '/dev/Omsetning/Finn', 405],
    ['a write without a body', 'POST', '/odata/Ansatt', 400],
    ['the batch', 'POST', '/odata/$batch', 415],
    ['the description', 'GET', '/openapi.json', 200],
  ])('%s of a named origin can be read by its page, and never with credentials', async (_, method, path, status) => {
    const reply = await expectStatus(call(method, path, { origin: app }), status)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': app, 'access-control-expose-headers': '*' })
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(reply.headers['vary']).toMatch(/(^|, )Origin$/)
  })

  test('the 401 of a refused credential has the CORS headers too', async () => {
    const reply = await named.call('GET', '/odata/Ansatt', { as: null, headers: { origin: app } })
    expect([reply.status, reply.headers['access-control-allow-origin']]).toEqual([401, app])
  })

  test.each([
    'https://app.example.evil',
    'https://app.example:444',
    'http://app.example',
    'null',
    'HTTPS://APP.EXAMPLE',
    '',
  ])('another origin gets no permission: %s', async (origin) => {
    const reply = await call('GET', '/odata/Ansatt', { origin })
    expect([reply.status, corsHeaders(reply.headers)]).toEqual([200, []])
    expect(reply.headers['vary']).toContain('Origin')
    const preflightReply = await call('OPTIONS', '/odata/Ansatt', { origin, ...preflight })
    expect([preflightReply.status, corsHeaders(preflightReply.headers)]).toEqual([405, []])
  })

  test('replies to callers without an origin say that they depend on it', async () => {
    const reply = await call('GET', '/odata/Ansatt', {})
    expect([corsHeaders(reply.headers), reply.headers['vary']]).toEqual([[], expect.stringContaining('Origin')])
  })

  test('the pages and the endpoints of the browser app are not for other origins', async () => {
    for (const path of ['/', '/setup', '/livez', '/app/session']) {
      const reply = await call('GET', path, { origin: app }, open)
      expect([path, corsHeaders(reply.headers)]).toEqual([path, []])
    }
  })

  test('with * pages of every origin may call, and replies do not vary by origin', async () => {
    const reply = await call('GET', '/odata/Ansatt', { origin: 'https://any.example' }, open)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': '*' })
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
    expect(reply.headers['vary']).not.toContain('Origin')
    const preflightReply = await call('OPTIONS', '/odata/Ansatt', { origin: app, ...preflight }, open)
    expect([preflightReply.status, preflightReply.headers['access-control-allow-origin']]).toEqual([204, '*'])
  })

  test('OPTIONS that is no preflight is 405', async () => {
    expectError(await call('OPTIONS', '/odata/Ansatt', { origin: app }), 405, 'MethodNotAllowed')
  })
})
