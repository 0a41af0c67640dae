// What writes keep of waiting lines is what all lines say: random writes, compared with a plain computation.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { randomFrom, seed } from '../support/random.ts'
import { useClock, useTestServer } from '../support/server.ts'
import { openSessionAs } from './session-client.ts'

interface Line {
  readonly Id: number
  readonly Status: string
  readonly Dato: string
  readonly AnsattId: number | null
  readonly AvdelingId: string | null
  readonly ProsjektId: string | null
  readonly VareId: string
  readonly Antall: number
  readonly Salgspris: number | null
  readonly Belop: number | null
}

interface Directory {
  readonly projects: ReadonlySet<string>
  readonly departments: ReadonlySet<string>
}

const steps = 60
const today = '2026-11-16'

/** The flags of a waiting line, by the definition. */
function flagsOf(line: Line, lines: readonly Line[], { projects, departments }: Directory): number {
  const others = lines.filter((one) => one.Id !== line.Id && one.Status !== 'Avvist' && one.VareId === line.VareId)
  const size = ({ Antall }: Line) => Math.abs(Antall)
  const isSame = (one: Line) =>
    (['Dato', 'AnsattId', 'Antall', 'ProsjektId'] as const).every((name) => one[name] === line[name])
  const isUnknown = (code: string | null, known: ReadonlySet<string>) =>
    code !== null && known.size > 0 && !known.has(code)
  const average = others.reduce((sum, one) => sum + size(one), 0) / others.length
  return [
    line.ProsjektId === null,
    line.Salgspris === null,
    others.some(isSame),
    others.length >= 3 && size(line) >= 10 * average,
    line.Dato > today,
    isUnknown(line.ProsjektId, projects),
    isUnknown(line.AvdelingId, departments),
  ].reduce((flags, isSet, bit) => flags + (isSet ? 2 ** bit : 0), 0)
}

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'kept-anomalies')
  useClock(server, Date.UTC(2026, 10, 16, 7) * 1000)

  test('after any writes, flags, counts and sums are those of all lines', async () => {
    const random = randomFrom(seed)
    const client: MaterialClient = await newMaterialClient(server)
    const { company } = client
    const session = await openSessionAs(server, company, 'admin')
    await client.exportList()
    await client.setDestination({ corrections: 'lines' })
    const directory = { projects: new Set<string>(), departments: new Set<string>() }
    const content = () => ({
      Dato: `2026-11-${14 + random.below(4)}`,
      VareId: random.pick(['a', 'b', 'c']),
      // Items have few lines, so that their limit is exact.
      Antall: random.pick([1, -1, 2, 40, 900]),
      Salgspris: random.pick([null, 10.5, 3.3333]),
      ProsjektId: random.pick([null, 'P1', 'P2', 'P3']),
      AvdelingId: random.pick([null, '10', '20']),
      AnsattId: random.pick([null, 1]),
    })
    const listed = async (): Promise<Line[]> => client.transactions()
    const someIds = async (count: number) => {
      const lines = await listed()
      return lines.length === 0 ? [] : [...new Set(Array.from({ length: count }, () => random.pick(lines).Id))]
    }
    const decide = async (action: string) =>
      session.send('POST', '/app/data/uttak/beslutt', {
        action,
        ids: (await someIds(4)).join(',') || '1',
        reason: action === 'reject' ? 'feil' : null,
      })
    const record = async (set: Set<string>, path: string, key: string) => {
      if (set.has(key)) {
        const { status } = await client.call('DELETE', `${path}('${key}')`)
        if (status < 300) set.delete(key)
      } else if ((await client.call('POST', path, { json: { Id: key, Navn: key } })).status < 300) set.add(key)
    }
    const acts: Readonly<Record<string, () => Promise<unknown>>> = {
      register: () => client.registerBatch([{ ...usage, ...content() }]),
      registerMany: () =>
        client.registerBatch(
          Array.from({ length: 1 + random.below(4) }, () => ({
            ...usage,
            ...content(),
            Kilde: 'kasse',
            EksternId: random.pick([null, null, '1', '2', '3']),
          })),
        ),
      change: async () => {
        for (const id of await someIds(1)) {
          const name = random.pick(Object.keys(usage).concat('ProsjektId', 'AnsattId', 'AvdelingId'))
          const json = Object.fromEntries(Object.entries(content()).filter(([one]) => one === name))
          await client.call('PATCH', `/prosjekt/Transaksjon(${id})`, { json })
        }
      },
      remove: async () => {
        for (const id of await someIds(1)) await client.call('DELETE', `/prosjekt/Transaksjon(${id})`)
      },
      edit: async () =>
        session.send('POST', '/app/data/uttak/rett', {
          ids: (await someIds(3)).join(',') || '1',
          projectId: random.pick(['', 'P1', 'P2']),
        }),
      approve: () => decide('approve'),
      reject: () => decide('reject'),
      withdraw: () => decide('withdraw'),
      acknowledge: async () => client.acknowledge({ ids: (await client.listedIds()).slice(0, 2) }),
      // The receiver has what was changed after its retrieval.
      acknowledgeLate: async () => {
        const ids = await client.listedIds()
        await decide('withdraw')
        await acts['change']?.()
        await client.acknowledge({ ids: ids.slice(0, 3) })
      },
      undo: async () =>
        client.post('/prosjekt/TransaksjonsEksport/Angre', { ids: (await someIds(2)).concat(1), grunn: 'feil' }),
      project: () => record(directory.projects, '/prosjekt/Prosjekt', random.pick(['P1', 'P2', 'P9'])),
      department: () => record(directory.departments, '/ansatt/avdeling', random.pick(['10', '90'])),
    }

    const check = async (after: string) => {
      const lines = await listed()
      const waiting = lines.filter(({ Status }) => Status === 'Registrert')
      const expected = waiting.map((line) => [line.Id, flagsOf(line, lines, directory)] as const)
      const { json } = await session.get('/app/data/uttak/oversikt', { group: 'project' })
      const flags = json.anomalies.map((one: { id: number; anomalyFlags: number }) => [one.id, one.anomalyFlags])
      expect(new Map(flags), after).toEqual(new Map(expected.filter(([, flag]) => flag > 0)))
      for (const [group, member] of [
        ['project', 'ProsjektId'],
        ['department', 'AvdelingId'],
        ['day', 'Dato'],
        ['employee', 'AnsattId'],
      ] as const) {
        const { groups } = (await session.get('/app/data/uttak/oversikt', { group })).json
        const found = groups.map((one: object) => ({ ...one, name: null }))
        const byKey = Map.groupBy(waiting, (line) => String(line[member] ?? ''))
        const computed = [...byKey].map(([key, its]) => ({
          key,
          name: null,
          count: its.length,
          amount: its.reduce((sum, { Belop }) => sum + Math.round((Belop ?? 0) * 10_000), 0),
          anomalyCount: expected.filter(([id, flag]) => flag > 0 && its.some(({ Id }) => Id === id)).length,
          from: its.map(({ Dato }) => Dato.slice(0, 10)).reduce((one, other) => (one < other ? one : other)),
          to: its.map(({ Dato }) => Dato.slice(0, 10)).reduce((one, other) => (one > other ? one : other)),
        }))
        expect(found, `${after}, by ${group}`).toEqual(
          computed.toSorted((one, other) => (one.key < other.key ? -1 : 1)),
        )
      }
    }

    const done: string[] = []
    for (let step = 0; step < steps; step += 1) {
      // While there are few lines, more come.
      const names =
        (await listed()).length < 24 ? Object.keys(acts) : Object.keys(acts).filter((one) => !one.startsWith('reg'))
      const name = random.pick(names)
      await acts[name]?.()
      done.push(name)
      await check(`SEED=${seed}, after ${done.slice(-5).join(', ')}`)
    }
  })
})
