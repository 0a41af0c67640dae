// The export overview in the app: stages with count and sum, retrievals and acknowledgements.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { useTestServer } from '../support/server.ts'
import { openSessionAs } from './session-client.ts'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'app-export')

  const open = async () => {
    const materialClient = await newMaterialClient(server)
    const session = await openSessionAs(server, materialClient.company, 'auditor')
    return { materialClient, overview: async () => (await session.get('/app/data/eksport')).json }
  }

  test('approved lines are ready, acknowledged lines are exported, and both are counted and summed', async () => {
    const { materialClient, overview } = await open()
    const [a = 0, b = 0, c = 0] = await materialClient.register(3)
    await materialClient.approve(a, b)
    expect(await overview()).toMatchObject({
      stages: [{ stage: 'ready', count: 2, amount: 420_000, oldestAt: expect.any(Number) }],
      retrievals: [],
      ledgerSummaries: [],
    })
    await materialClient.exportList()
    await materialClient.acknowledge({ ids: [a] })
    await materialClient.approve(c)
    const { stages, retrievals, ledgerSummaries } = await overview()
    const counts = stages.map(({ stage, count }: { stage: string; count: number }) => [stage, count])
    expect(new Map(counts)).toEqual(
      new Map([
        ['ready', 2],
        ['exported', 1],
      ]),
    )
    expect(retrievals).toMatchObject([{ count: 2, actor: expect.stringMatching(/^key:/) }])
    expect(ledgerSummaries).toMatchObject([{ action: 'acknowledged', count: 1, firstLineId: a, lastLineId: a }])
  })

  test('exported lines are counted for the last thirty days; waiting lines whatever their age', async () => {
    const { materialClient, overview } = await open()
    const stages = async () =>
      (await overview()).stages.map(({ stage, count }: { stage: string; count: number }) => ({ [stage]: count }))
    const { now } = server.clock
    server.clock.now = () => now() - 31 * 24 * 3600 * 1_000_000
    const [exportedLine = 0, waiting = 0, late = 0] = await materialClient.register(3)
    await materialClient.approve(exportedLine, waiting)
    await materialClient.acknowledge({ ids: [exportedLine] })
    server.clock.now = now
    expect(await stages()).toEqual([{ ready: 1 }])
    await materialClient.approve(late)
    await materialClient.acknowledge({ ids: [late] })
    expect(await stages()).toEqual(expect.arrayContaining([{ ready: 1 }, { exported: 1 }]))
  })

  test('nothing of another company is included', async () => {
    const mine = await open()
    const theirs = await open()
    const ids = await theirs.materialClient.register(2)
    await theirs.materialClient.approve(...ids)
    await theirs.materialClient.exportList()
    await theirs.materialClient.acknowledge({ ids })
    expect(await mine.overview()).toEqual({
      suspendedSince: null,
      destinations: [{ id: 1, name: 'default', corrections: 'block' }],
      claims: [],
      overdue: [],
      stages: [],
      alerts: [],
      retrievals: [],
      ledgerSummaries: [],
    })
  })
})
