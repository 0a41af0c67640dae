// Every request of docs/conformance.md, sent as it is written there.
import { describe, expect, test } from 'vitest'
import { useListeningTestServer } from '../clients/server.ts'
import { databases } from '../support/databases.ts'
import { textOf } from '../support/repository.ts'

const rows = [...textOf('docs/conformance.md').matchAll(/^\|.*\| `(?<request>[^`]+)` \| (?<status>\d{3}) \|$/gm)].map(
  ({ groups }) => ({ request: groups?.request ?? '', status: Number(groups?.status) }),
)

describe.each(databases)('docs/conformance.md on $name', (database) => {
  const served = useListeningTestServer(database, 'conformance')

  test('the page contains requests', () => {
    expect(rows.length).toBeGreaterThan(60)
  })

  test.each(rows)('$status $request', async ({ request, status }) => {
    const [, method = 'GET', url = '', json] = /^(?:(POST|PUT|PATCH|DELETE) )?(.*?)(?: (\{.*\}))?$/.exec(request) ?? []
    const body = json === undefined ? {} : { json: JSON.parse(json) }
    for (const version of ['4.0', '4.01']) {
      const path = `/odata/${url.replace(/^\//, '')}`
      const headers = { 'odata-maxversion': version }
      const reply = await served.server.call(method, path, { ...body, headers })
      expect([version, reply.status, reply.headers['odata-version']]).toEqual([version, status, version])
    }
  })
})
