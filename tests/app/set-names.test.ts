// The sets and fields that the explorer offers: no more than its user may read.
import { describe, expect, test } from 'vitest'
import type { Role } from '../../src/auth/roles.ts'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { openSessionAs } from './session-client.ts'

interface Named {
  readonly name: string
  readonly fields: readonly { readonly name: string; readonly type: string }[]
  readonly relations: readonly string[]
  readonly hasXml: boolean
}

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'set-names')

  const setsOf = async (
    role: Role,
  ): Promise<{ sets: Named[]; get: (path: string, query: Record<string, string>) => Promise<number> }> => {
    const session = await openSessionAs(server, server.tenantA, role)
    return {
      sets: (await session.get('/app/data/sett')).json.sets,
      get: async (path, query) => (await session.get(path, query)).status,
    }
  }

  test.each(['registrant', 'viewer', 'admin'] as const)('every name offered to a %s can be requested', async (role) => {
    const { sets, get } = await setsOf(role)
    expect(sets.length).toBeGreaterThan(3)
    for (const { name, fields, relations } of sets) {
      const requested = {
        $select: fields.map((field) => field.name).join(','),
        ...(relations.length === 0 ? {} : { $expand: relations.join(',') }),
      }
      const status = await get(`/app/les/${name}`, requested)
      expect([name, status]).toEqual([name, 200])
    }
  })

  test('personal fields are offered only to users who may read them', async () => {
    const fieldsOf = async (role: Role) =>
      (await setsOf(role)).sets.find(({ name }) => name === 'Ansatt')?.fields.map((field) => field.name)
    expect(await fieldsOf('viewer')).not.toContain('Adresse')
    expect(await fieldsOf('admin')).toContain('Adresse')
  })

  test('a set is offered as XML exactly where XML is supported, and as Finn writes it', async () => {
    const session = await openSessionAs(server, server.tenantA, 'admin')
    const asXml = { as: null, headers: { cookie: session.cookie, accept: 'application/xml' } }
    await server.call('POST', '/dev/Omsetning/Lagre', {
      json: { Dato: '2026-05-04', AvdelingID: '20', Omsetning: 5, Merknad: 'a<b>' },
    })
    const { sets } = (await session.get('/app/data/sett')).json as { sets: Named[] }
    for (const { name, hasXml, relations } of sets) {
      const { status, headers } = await server.call('GET', `/app/les/${name}`, asXml)
      expect([name, status]).toEqual([name, hasXml ? 200 : 406])
      expect(headers['content-type']).toContain('application/xml')
      const [relation] = relations
      if (relation === undefined) continue
      const within = await server.call('GET', `/app/les/${name}?$expand=${relation}`, asXml)
      expect([name, within.status]).toEqual([name, 406])
    }
    const finn = await server.call('GET', '/dev/Omsetning/Finn', { headers: { accept: 'application/xml' } })
    expect(finn.text).toContain('a&lt;b')
    expect((await server.call('GET', '/app/les/Omsetning', asXml)).text).toBe(finn.text)
  })
})
