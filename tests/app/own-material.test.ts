// Registering material in the app: users see, correct and delete their own lines.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { materialClientFor } from '../support/material-client.ts'
import { fillDirectory } from '../support/directory.ts'
import { useTestServer } from '../support/server.ts'
import { openSessionAs, useSession } from './session-client.ts'

const mine = '/app/data/uttak/mine'
const line = { date: '2026-11-12', itemName: 'Gips', quantity: '2.5', unit: 'stk' }

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-own')

  const { company, session } = useSession(server, 'registrant')
  const materialClient = materialClientFor(server, company)

  test("a line is registered as through the API, and is the user's own", async () => {
    await materialClient.register(1)
    const { status, json } = await session.send('POST', mine, line)
    expect(status).toBe(200)
    const own = (await session.get(mine)).json
    expect(own.rows).toMatchObject([{ id: json.id, quantity: 25_000, state: 'Registrert' }])
    expect(own.items.map(({ itemName }: { itemName: string }) => itemName)).toContain('Gips')
    expect(await materialClient.transactions()).toMatchObject([{}, { Varenavn: 'Gips', Antall: 2.5, Kilde: 'app' }])
  })

  test('a rejected line shows the reason, and awaits approval again once it is corrected', async () => {
    const { id } = (await session.send('POST', mine, line)).json
    await materialClient.post(`/prosjekt/Transaksjon(${id})/Avvis`, { grunn: 'Feil antall' })
    expect((await session.get(mine)).json.rows).toMatchObject([{ state: 'Avvist', rejectionReason: 'Feil antall' }])
    await expectStatus(session.send('POST', `${mine}/${id}`, { ...line, quantity: '3' }))
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Registrert', Antall: 3 }])
  })

  test.each([
    [{ projectId: 'Nybygg' }, 'projectId'],
    [{ departmentId: 'Lager' }, 'departmentId'],
    [{ projectId: 'P1', departmentId: 'x' }, 'departmentId'],
  ])('a code that the directory does not have is rejected: %j', async (place, target) => {
    await fillDirectory(server, company, {
      departments: [{ id: '10', name: 'Lager' }],
      projects: [{ id: 'P1', name: 'Nybygg' }],
    })
    const refused = { code: 'ReferenceNotFound', target }
    const reply = await session.send('POST', mine, { ...line, ...place })
    expect([reply.status, reply.json.error]).toMatchObject([422, refused])
    expect(await materialClient.transactions()).toEqual([])
    const known = { ...line, projectId: 'P1', departmentId: '10' }
    const { id } = (await session.send('POST', mine, known)).json
    const changed = await session.send('POST', `${mine}/${id}`, { ...known, ...place })
    expect([changed.status, changed.json.error]).toMatchObject([422, refused])
    expect(await materialClient.transactions()).toMatchObject([{ ProsjektId: 'P1', AvdelingId: '10' }])
    // An integration may send any code.
    const sent = { Dato: '2026-11-12', VareId: 'a', Antall: 1, ProsjektId: 'Nybygg' }
    expect((await materialClient.registerBatch([sent])).status).toBe(200)
  })

  test('any code is accepted if the directory has no records of its kind', async () => {
    await expectStatus(session.send('POST', mine, { ...line, projectId: 'A', departmentId: 'B' }))
    expect(await materialClient.transactions()).toMatchObject([{ ProsjektId: 'A', AvdelingId: 'B' }])
  })

  test('an approved line is locked: it is neither changed nor deleted', async () => {
    const { id } = (await session.send('POST', mine, line)).json
    await materialClient.approve(id)
    expect((await session.send('POST', `${mine}/${id}`, line)).json.error.code).toBe('StateConflict')
    expect((await session.send('DELETE', `${mine}/${id}`)).json.error.code).toBe('StateConflict')
    expect(await materialClient.transactions()).toMatchObject([{ Status: 'Godkjent', Antall: 2.5 }])
  })

  test('nobody changes or deletes the lines of others', async () => {
    const theirs = await openSessionAs(server, company, 'registrant')
    const { id } = (await theirs.send('POST', mine, line)).json
    for (const reply of [
      await session.send('POST', `${mine}/${id}`, { ...line, quantity: '9' }),
      await session.send('DELETE', `${mine}/${id}`),
      await session.send('DELETE', `${mine}/999`),
      await session.send('DELETE', `${mine}/x`),
    ])
      expect(reply.status).toBe(404)
    expect((await session.get(mine)).json.rows).toEqual([])
    expect(await materialClient.transactions()).toMatchObject([{ Antall: 2.5 }])
    expect((await theirs.send('DELETE', `${mine}/${id}`)).status).toBe(204)
    expect(await materialClient.transactions()).toEqual([])
  })

  test.each([
    [{ quantity: '0' }, 'InvalidValue'],
    [{ quantity: 'to' }, 'InvalidNumber'],
    [{ quantity: '' }, 'MissingField'],
    [{ date: '12.11.2026' }, 'InvalidDate'],
    [{ itemName: '' }, 'MissingField'],
    [{ itemName: 'x'.repeat(201) }, 'ValueTooLong'],
  ])('%j is rejected with %s, and nothing is stored', async (change, code) => {
    expectError(await session.send('POST', mine, { ...line, ...change }), 400, code)
    expect(await materialClient.transactions()).toEqual([])
  })
})
