// Anomalies of waiting lines appear and disappear with each kind of change, on both databases.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory, type Directory } from '../support/directory.ts'
import { newMaterialClient, usage } from '../support/material-client.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSessionAs } from './session-client.ts'

const overview = '/app/data/uttak/oversikt'
const decide = '/app/data/uttak/beslutt'
const edit = '/app/data/uttak/rett'
const transaction = '/prosjekt/Transaksjon'

const [noProject, noPrice, duplicate, unusual, future, unknownProject, unknownDepartment] = [1, 2, 4, 8, 16, 32, 64]

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-anomalies')
  /** Ten minutes before midnight in Oslo. */
  const clock = useClock(server, Date.UTC(2026, 10, 16, 22, 50) * 1000)

  const open = async (directory: Directory) => {
    const client = await newMaterialClient(server)
    const { company } = client
    await fillDirectory(server, company, directory)
    const session = await openSessionAs(server, company, 'admin')
    const accept = async (method: string, path: string, json?: unknown) => {
      const reply = await client.call(method, path, { json })
      expect([200, 201, 204], reply.text).toContain(reply.status)
      return reply.status === 204 ? null : reply.json
    }
    const send = async (path: string, body: object) => {
      const reply = await session.send('POST', path, body)
      expect(reply.status, reply.text).toBe(200)
    }
    /** The flags of each anomaly by id; checks that the counts agree with the list in every grouping. */
    const flags = async () => {
      const replies = await Promise.all(
        ['none', 'project', 'employee', 'department', 'day'].map((group) => session.get(overview, { group })),
      )
      const anomalies: { id: number; anomalyFlags: number }[] = replies[0]?.json.anomalies
      const totals = (await session.get('/app/data/uttak/antall')).json
      for (const { json } of replies) {
        const grouped = json.groups.reduce((sum: number, one: { anomalyCount: number }) => sum + one.anomalyCount, 0)
        expect([json.anomalyCount, grouped, totals.anomalyCount]).toEqual(Array(3).fill(anomalies.length))
        expect(json.groups.reduce((sum: number, one: { count: number }) => sum + one.count, 0)).toBe(totals.count)
      }
      return Object.fromEntries(anomalies.map(({ id, anomalyFlags }) => [id, anomalyFlags]))
    }
    return {
      company,
      flags,
      accept,
      register: async (...rows: readonly object[]): Promise<number[]> => {
        const sent = rows.map((row) => ({ ...usage, AvdelingId: null, ProsjektId: 'P1', ...row }))
        return (await accept('POST', `${transaction}/Batch`, sent)).resultater.map(({ id }: { id: number }) => id)
      },
      change: (id: number | undefined, values: object) => accept('PATCH', `${transaction}(${id})`, values),
      remove: (id: number | undefined) => accept('DELETE', `${transaction}(${id})`),
      decide: (action: string, id: number | undefined) => send(decide, { action, ids: String(id), reason: 'feil' }),
      edit: (id: number | undefined, values: object) => send(edit, { ids: String(id), ...values }),
    }
  }

  test('no project, no price and a date in the future follow corrections, and the day', async () => {
    const { register, flags, change, edit, decide, remove } = await open({ projects: [{ id: 'P1' }] })
    const [a, b, c] = await register(
      { VareId: 'a', ProsjektId: null },
      { VareId: 'b', Salgspris: null },
      { VareId: 'c', Dato: '2026-11-17' },
    )
    expect(await flags()).toEqual({ [a!]: noProject, [b!]: noPrice, [c!]: future })
    await edit(a, { projectId: 'P1' })
    await change(b, { Salgspris: 3 })
    expect(await flags()).toEqual({ [c!]: future })
    await change(b, { Salgspris: null, ProsjektId: null })
    expect(await flags()).toEqual({ [b!]: noProject + noPrice, [c!]: future })
    await decide('approve', b)
    expect(await flags()).toEqual({ [c!]: future })
    await decide('withdraw', b)
    await change(c, { Salgspris: null })
    expect(await flags()).toEqual({ [b!]: noProject + noPrice, [c!]: noPrice + future })
    await decide('reject', b)
    const before = clock.now
    clock.now += 600_000_000
    expect(await flags()).toEqual({ [c!]: noPrice })
    clock.now = before
    // A rejected line waits again with its new content.
    await change(b, { Salgspris: 4 })
    expect(await flags()).toEqual({ [b!]: noProject, [c!]: noPrice + future })
    await remove(b)
    await remove(c)
    expect(await flags()).toEqual({})
  })

  test('duplicates are flagged from the second line on, and no longer when one is left', async () => {
    const { register, flags, change, decide, remove } = await open({ projects: [{ id: 'P1' }, { id: 'P2' }] })
    const [a] = await register({ AnsattId: 1 })
    expect(await flags()).toEqual({})
    const [b, c] = await register({ AnsattId: 1 }, { AnsattId: 1, ProsjektId: 'P2' })
    expect(await flags()).toEqual({ [a!]: duplicate, [b!]: duplicate })
    await change(c, { ProsjektId: 'P1' })
    expect(await flags()).toEqual({ [a!]: duplicate, [b!]: duplicate, [c!]: duplicate })
    await change(a, { Antall: -2 })
    expect(await flags()).toEqual({ [b!]: duplicate, [c!]: duplicate })
    await decide('approve', b)
    expect(await flags()).toEqual({ [c!]: duplicate })
    await decide('reject', c)
    await decide('withdraw', b)
    expect(await flags()).toEqual({})
    await change(c, { Merknad: 'likevel' })
    expect(await flags()).toEqual({ [b!]: duplicate, [c!]: duplicate })
    await remove(c)
    expect(await flags()).toEqual({})
    // One of the list repeats another of it, and a stored one; the employee and the item count.
    const more = await register(
      { AnsattId: 1, Antall: 9 },
      { AnsattId: 1, Antall: 9 },
      { AnsattId: null },
      { VareId: 'B' },
    )
    expect(await flags()).toEqual({ [more[0]!]: duplicate, [more[1]!]: duplicate })
  })

  test('a quantity is unusual compared with the other lines of its item, decided ones too, but not rejected ones', async () => {
    const { register, flags, change, decide, remove } = await open({ projects: [{ id: 'P1' }] })
    const of = (Antall: number, more: object = {}) => ({ VareId: 'x', Antall, ...more })
    const [large] = await register(of(600))
    const [a, b] = await register(of(2), of(-3))
    expect(await flags()).toEqual({})
    const [c] = await register(of(4, { VareId: 'X' }))
    expect(await flags()).toEqual({})
    await change(c, { VareId: 'x' })
    expect(await flags()).toEqual({ [large!]: unusual })
    await decide('approve', a)
    expect(await flags()).toEqual({ [large!]: unusual })
    await decide('reject', b)
    expect(await flags()).toEqual({})
    await change(b, { Antall: 5 })
    expect(await flags()).toEqual({ [large!]: unusual })
    await remove(c)
    expect(await flags()).toEqual({})
    // With more like it, it is usual.
    const more = await register(of(1), of(550))
    expect(await flags()).toEqual({})
    await change(more[1], { Antall: 6 })
    expect(await flags()).toEqual({ [large!]: unusual })
    await decide('approve', large)
    expect(await flags()).toEqual({})
    await decide('withdraw', large)
    expect(await flags()).toEqual({ [large!]: unusual })
  })

  test('once an item has many lines, its limit follows the average', async () => {
    const { register, flags } = await open({ projects: [{ id: 'P1' }] })
    const of = (count: number, Antall: number) =>
      register(...Array.from({ length: count }, (_, index) => ({ VareId: 'y', Antall, AnsattId: index + 1 })))
    await of(40, 1)
    const [large] = await register({ VareId: 'y', Antall: 30 })
    expect(await flags()).toEqual({ [large!]: unusual })
    await of(40, 9)
    expect(await flags()).toEqual({})
    await of(300, 1.5)
    expect(await flags()).toEqual({ [large!]: unusual })
  })

  test('unknown projects and departments follow the directory, of which the first record makes all others unknown', async () => {
    const { register, flags, accept } = await open({})
    const [a, b, c] = await register(
      { VareId: 'a', ProsjektId: 'P1' },
      { VareId: 'b', ProsjektId: 'P2', AvdelingId: '10' },
      { VareId: 'c', ProsjektId: 'P2', AvdelingId: '20' },
    )
    expect(await flags()).toEqual({})
    const project = '/prosjekt/Prosjekt'
    await accept('POST', project, { Id: 'P9', Navn: 'Ny' })
    expect(await flags()).toEqual({ [a!]: unknownProject, [b!]: unknownProject, [c!]: unknownProject })
    await accept('POST', project, { Id: 'P2', Navn: 'To' })
    await accept('POST', '/ansatt/avdeling', { Id: '20', Navn: 'Jern' })
    expect(await flags()).toEqual({ [a!]: unknownProject, [b!]: unknownDepartment })
    await accept('PATCH', `${transaction}(${a})`, { ProsjektId: 'P9', AvdelingId: '10' })
    expect(await flags()).toEqual({ [a!]: unknownDepartment, [b!]: unknownDepartment })
    await accept('PATCH', `${transaction}(${c})`, { AvdelingId: null })
    await accept('DELETE', "/ansatt/avdeling('20')")
    expect(await flags()).toEqual({})
  })
})
