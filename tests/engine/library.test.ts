// Tutorial test: docs/custom-models.md, executed step by step.
import { beforeAll, describe, expect, test } from 'vitest'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import { sql } from 'kysely'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { textOf } from '../support/repository.ts'
import { library } from './library.ts'

const page = textOf('docs/custom-models.md')

/** The code blocks of the page in one language, in order. */
function blocks(language: string): string[] {
  return [...page.matchAll(/^```(?<language>\w+)\n(?<text>.*?)^```$/gms)].flatMap(({ groups }) =>
    groups?.language === language ? [groups.text ?? ''] : [],
  )
}

test('the page contains the model file verbatim', () => {
  expect(blocks('ts')).toContain(textOf('tests/engine/library.ts').replace(/^.*\n/, ''))
})

describe.each(databases)('custom model on $name', (database) => {
  const server = useTestServer(database, 'library', { services: [{ schema: library, roots: ['library'] }] })
  beforeAll(async () => {
    await withSchemaConnection(server.url, async (db) => {
      const statements = blocks('sql').join('').replaceAll(':company', String(server.tenantA.id))
      for (const one of statements.split(';').filter((text) => text.trim() !== '')) await sql.raw(one).execute(db)
    })
  })

  test('the documented requests return the documented responses', async () => {
    const requests = blocks('http').map((text) => text.trim().replace('GET ', ''))
    const replies = blocks('json').map((text): unknown => JSON.parse(text))
    expect([requests.length, replies.length]).toEqual([5, 5])
    for (const [index, request] of requests.entries()) {
      const reply = await server.call('GET', request.replaceAll('ø', '%C3%B8'))
      expect([request, reply.json]).toEqual([request, replies[index]])
    }
    const metadata = await server.call('GET', '/library/$metadata')
    expect(metadata.text).toContain('<EntitySet Name="Book" EntityType="Library.Book">')
    expect((await server.call('GET', '/library/Book', { as: server.tenantB })).json.value).toEqual([])
    expect((await server.call('GET', '/library/Book', { as: null })).status).toBe(401)
    expect(
      (
        await server.call('POST', '/library/$batch', {
          json: { requests: [{ id: '1', method: 'GET', url: 'Book/$count' }] },
        })
      ).json.responses,
    ).toMatchObject([{ status: 200, body: '3' }])
  })
})
