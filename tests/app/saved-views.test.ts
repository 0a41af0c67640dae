// Saved views: per user and company, on every database.
import { describe, expect, test } from 'vitest'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { listSavedViews } from '../../src/store/accounts/saved-views.ts'
import { eraseUser } from '../../src/store/accounts/users.ts'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { openSession } from './session-client.ts'

const views = '/app/data/visninger'
const odd = { screen: 'godkjenning', name: 'Avvik i Bergen', search: '?avvik=true&avd=20' }

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'saved-views')

  const person = () =>
    server.addUser([
      { company: server.tenantA, role: 'approver' },
      { company: server.tenantB, role: 'viewer' },
    ])

  const viewsOf = async (session: Awaited<ReturnType<typeof openSession>>) => (await session.get(views)).json.views

  test('a view is saved under its name, replaced under the same name, and deleted', async () => {
    const session = await openSession(server, await person(), server.tenantA.name)
    expect((await session.send('POST', views, odd)).json.views).toEqual([odd])
    const changed = { ...odd, search: '?avvik=true' }
    await session.send('POST', views, { ...odd, name: 'A' })
    expect((await session.send('POST', views, changed)).json.views).toEqual([{ ...odd, name: 'A' }, changed])
    const { search: _, ...named } = odd
    expect((await session.send('DELETE', views, named)).status).toBe(204)
    expect(await viewsOf(session)).toEqual([{ ...odd, name: 'A' }])
  })

  test('nobody else sees it, and neither does the same user in another company', async () => {
    const kari = await person()
    await (await openSession(server, kari, server.tenantA.name)).send('POST', views, odd)
    expect(await viewsOf(await openSession(server, kari, server.tenantB.name))).toEqual([])
    const ola = await openSession(server, await person(), server.tenantA.name)
    expect(await viewsOf(ola)).toEqual([])
    await ola.send('DELETE', views, odd)
    expect(await viewsOf(await openSession(server, kari, server.tenantA.name))).toEqual([odd])
  })

  test.each([
    [{ ...odd, screen: 'ukjent' }, 'InvalidValue', 'screen'],
    [{ ...odd, name: ' ' }, 'MissingField', 'name'],
    [{ ...odd, name: '' }, 'MissingField', 'name'],
    [{ ...odd, name: 'x'.repeat(61) }, 'ValueTooLong', 'name'],
    [{ ...odd, search: 'x'.repeat(1_001) }, 'ValueTooLong', 'search'],
  ])('%j is rejected, and nothing is stored', async (view, code, target) => {
    const session = await openSession(server, await person(), server.tenantA.name)
    const reply = await session.send('POST', views, view)
    expect([reply.status, reply.json.error.code]).toEqual([400, code])
    expect(reply.json.error.target).toBe(target)
    expect(await viewsOf(session)).toEqual([])
  })

  test('a user has at most a hundred views', async () => {
    const session = await openSession(server, await person(), server.tenantA.name)
    for (let number = 0; number < 100; number += 1)
      expect((await session.send('POST', views, { ...odd, name: `${number}` })).status).toBe(200)
    expect((await session.send('POST', views, odd)).json.error.code).toBe('InvalidValue')
    expect((await session.send('POST', views, { ...odd, name: '7' })).status).toBe(200)
    expect(await viewsOf(session)).toHaveLength(100)
  })

  test('the views of an erased user are deleted', async () => {
    const kari = await person()
    await (await openSession(server, kari, server.tenantA.name)).send('POST', views, odd)
    await server.store.inSystemTransaction((writer) => eraseUser(writer, kari.id, 1))
    const owner = { companyId: server.tenantA.id as CompanyId, userId: kari.id }
    expect(await listSavedViews(server.store, owner)).toEqual([])
  })
})
