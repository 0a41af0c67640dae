// The export overview in the app: lanes with count and sum, retrievals and acknowledgements.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newDepot } from '../support/material-client.ts'
import { buildHouse, type House } from '../support/server.ts'
import { visit } from './session-client.ts'

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-export')
  })
  afterAll(() => house.close())

  const open = async () => {
    const depot = await newDepot(house)
    const person = await house.person([{ company: depot.company, role: 'auditor' }])
    const visitor = await visit(house, person)
    return { depot, overview: async () => (await visitor.get('/app/data/eksport')).json }
  }

  test('approved lines are ready, acknowledged lines are exported, and both are counted and summed', async () => {
    const { depot, overview } = await open()
    const [a = 0, b = 0, c = 0] = await depot.register(3)
    await depot.approve(a, b)
    expect(await overview()).toMatchObject({
      lanes: [{ lane: 'ready', count: 2, amount: 420_000, oldestAt: expect.any(Number) }],
      handOuts: [],
      reports: [],
    })
    await depot.list()
    await depot.mark({ ids: [a] })
    await depot.approve(c)
    const { lanes, handOuts, reports } = await overview()
    const counts = lanes.map(({ lane, count }: { lane: string; count: number }) => [lane, count])
    expect(new Map(counts)).toEqual(
      new Map([
        ['ready', 2],
        ['exported', 1],
      ]),
    )
    expect(handOuts).toMatchObject([{ count: 2, actor: expect.stringMatching(/^key:/) }])
    expect(reports).toMatchObject([{ act: 'marked', count: 1, firstLineId: a, lastLineId: a }])
  })

  test('exported lines are counted for the last thirty days; waiting lines whatever their age', async () => {
    const { depot, overview } = await open()
    const lanes = async () =>
      (await overview()).lanes.map(({ lane, count }: { lane: string; count: number }) => ({
        [lane]: count,
      }))
    const { now } = house.clock
    house.clock.now = () => now() - 31 * 24 * 3600 * 1_000_000
    const [gone = 0, waiting = 0, late = 0] = await depot.register(3)
    await depot.approve(gone, waiting)
    await depot.mark({ ids: [gone] })
    house.clock.now = now
    expect(await lanes()).toEqual([{ ready: 1 }])
    await depot.approve(late)
    await depot.mark({ ids: [late] })
    expect(await lanes()).toEqual(expect.arrayContaining([{ ready: 1 }, { exported: 1 }]))
  })

  test('nothing of another company is included', async () => {
    const mine = await open()
    const theirs = await open()
    const ids = await theirs.depot.register(2)
    await theirs.depot.approve(...ids)
    await theirs.depot.list()
    await theirs.depot.mark({ ids })
    expect(await mine.overview()).toEqual({
      heldSince: null,
      destinations: [{ id: 1, name: 'default', corrections: 'block' }],
      claims: [],
      late: [],
      lanes: [],
      alarms: [],
      handOuts: [],
      reports: [],
    })
  })
})
