// Concurrent managers and integrations: every interleaving equals a serial order, and random walks keep
// invariants I1 to I7. DAGSVERK_TEST_WALKS=100000 sets the number of walks per database; SEED
// repeats a run.
import { beforeAll, describe, expect, test } from 'vitest'
import { transactionStates } from '../../src/model/transaction.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { useTestServer, type TestReply, type TestCompany, type TestServer } from '../support/server.ts'
import { randomFrom, seededRandom, type SeededRandom } from '../support/random.ts'
import { newModelState, applyAction, type ModelAction, type ModelState } from './material-model.ts'

const walks = Number(process.env['DAGSVERK_TEST_WALKS'] ?? 1000)
const stepsOfWalk = 8
const walkers = 16

const actions: readonly ModelAction[] = [
  { kind: 'approve' },
  { kind: 'reject' },
  { kind: 'withdraw' },
  { kind: 'edit', quantity: 7 },
  { kind: 'delete' },
  { kind: 'acknowledge' },
  { kind: 'list' },
]

describe.each(databases)('concurrent material actions on $name', (database) => {
  const server = useTestServer(database, 'material')
  let secondInstance: TestServer
  beforeAll(async () => {
    // An SQLite file has one server.
    secondInstance = database.name === 'PostgreSQL' ? await server.secondInstance() : server
  })

  /**
   * Sends an action over HTTP to one of the two servers; returns the reply in terms of the model.
   */
  const sendAction = async (
    server: TestServer,
    { company }: MaterialClient,
    id: number,
    action: ModelAction,
  ): Promise<string> => {
    const call = (method: string, address: string, json?: unknown) =>
      server.call(method, address, { as: company, json })
    const one = `/prosjekt/Transaksjon(${id})`
    const decided = async (path: string, reason = {}) =>
      codeOf(await call('POST', `/prosjekt/Transaksjon/${path}`, { ids: [id], ...reason }))
    const requests: Record<ModelAction['kind'], () => Promise<string>> = {
      approve: () => decided('Godkjenn'),
      reject: () => decided('Avvis', { grunn: 'nei' }),
      withdraw: () => decided('TrekkGodkjenning'),
      edit: async () => {
        const Antall = action.kind === 'edit' ? action.quantity : 0
        return String((await call('PATCH', one, { Antall })).status)
      },
      delete: async () => String((await call('DELETE', one)).status),
      acknowledge: async () => codeOf(await call('POST', '/prosjekt/Transaksjonseksport/Eksportert', { ids: [id] })),
      list: async () => {
        const path = `/prosjekt/TransaksjonsEksport?$filter=Id eq ${id}&$select=Id`
        const reply = await call('GET', path)
        expect(reply.status, reply.text).toBe(200)
        return String(reply.json.value.length === 1)
      },
    }
    return requests[action.kind]()
  }

  /** The state of a transaction as a reader sees it. */
  const seen = async (materialClient: MaterialClient, id: number) => {
    const [found] = await materialClient.transactions({ $filter: `Id eq ${id}`, $select: 'Status,Antall' })
    return found === undefined ? { state: '–' } : { state: found.Status, quantity: found.Antall }
  }
  const expected = ({ state, quantity }: ModelState) =>
    state === '–' ? { state } : { state: transactionStates[state], quantity }

  describe('every two actions from every state', () => {
    const startPaths: readonly (readonly ModelAction['kind'][])[] = [
      [],
      ['approve'],
      ['approve', 'list'],
      ['approve', 'list', 'withdraw'],
      ['approve', 'list', 'withdraw', 'delete'],
      ['approve', 'withdraw'],
      ['reject'],
      ['approve', 'acknowledge'],
    ]
    test.each(startPaths.map((startPath) => [startPath.join(', ') || 'register', startPath] as const))(
      'after %s have the replies and the state of one of their serial orders',
      async (_, startPath) => {
        const materialClient = await newMaterialClient(server)
        for (const first of actions)
          for (const second of actions) {
            const [id = 0] = await materialClient.register(1)
            let before = newModelState(usage.Antall)
            for (const action of startPath.map((name) => ({ kind: name }) as ModelAction)) {
              const { after, reply } = applyAction(before, action)
              expect(await sendAction(server, materialClient, id, action)).toBe(reply)
              before = after
            }
            const replies = await Promise.all([
              sendAction(server, materialClient, id, first),
              sendAction(secondInstance, materialClient, id, second),
            ])
            const met = [...replies, await seen(materialClient, id)]
            const orders = [inOrder(before, first, second), inOrder(before, second, first, 'turned')].map(
              ({ replies, after }) => [...replies, expected(after)],
            )
            expect(orders, `${first.kind} and ${second.kind}`).toContainEqual(met)
          }
      },
      60_000,
    )
  })

  test(
    'random walks: the list equals what is approved, nothing is newly exported twice, and nothing is lost',
    async () => {
      const random = seededRandom()
      const other = await newMaterialClient(server)
      let left = walks
      await Promise.all(
        Array.from({ length: walkers }, async () => {
          const materialClient = await newMaterialClient(server)
          while (left-- > 0) await walk(materialClient, other.company, randomFrom(random.below(2 ** 31)))
        }),
      )
    },
    60_000 + walks * 100,
  )

  const walk = async (materialClient: MaterialClient, outsider: TestCompany, random: SeededRandom): Promise<void> => {
    const ids = await materialClient.register(3)
    const models = new Map<number, ModelState>(ids.map((id) => [id, newModelState(usage.Antall)]))
    const news = new Map<number, number>()
    const history: string[] = []
    const note = (id: number, action: ModelAction, reply: string) => {
      history.push(`${id} ${action.kind} → ${reply}`)
      if (action.kind === 'acknowledge' && reply === 'exported') news.set(id, (news.get(id) ?? 0) + 1)
    }
    const why = () => `seed ${random.seed}: ${history.join('; ')}`
    for (let step = 0; step < stepsOfWalk; step++) {
      const id = random.pick(ids)
      const before = models.get(id) ?? newModelState(0)
      const action = randomAction(random)
      const kind = random.below(10)
      if (kind === 0) {
        // The caller disconnects before the reply: it reads the state, and repeats.
        await sendAction(random.pick([server, secondInstance]), materialClient, id, action)
        const { after, reply } = applyAction(before, action)
        note(id, action, reply)
        models.set(id, after)
        expect(await seen(materialClient, id), why()).toEqual(expected(after))
        if (action.kind === 'acknowledge' && after.state === 'exported')
          expect(await sendAction(server, materialClient, id, action), why()).toBe('already_exported')
      } else if (kind < 4) {
        const second = randomAction(random)
        const replies = await Promise.all([
          sendAction(server, materialClient, id, action),
          sendAction(secondInstance, materialClient, id, second),
        ])
        const met = [...replies, await seen(materialClient, id)]
        const orders = [inOrder(before, action, second), inOrder(before, second, action, 'turned')]
        const order = orders.find((one) => isAlike([...one.replies, expected(one.after)], met))
        note(id, action, replies[0])
        note(id, second, replies[1])
        expect(order, `${why()} then ${JSON.stringify(met)}`).toBeDefined()
        models.set(id, order?.after ?? before)
      } else if (kind === 4) {
        // Ids of another company are unknown (I7).
        const reply = await server.call('POST', '/prosjekt/Transaksjonseksport/Eksportert', {
          as: outsider,
          json: { ids: [id] },
        })
        expect(codeOf(reply)).toBe('not_found')
        expect(await seen(materialClient, id), why()).toEqual(expected(before))
      } else {
        const reply = await sendAction(random.pick([server, secondInstance]), materialClient, id, action)
        const { after, reply: foretold } = applyAction(before, action)
        note(id, action, reply)
        expect(reply, why()).toBe(foretold)
        models.set(id, after)
      }
      for (const count of news.values()) expect(count, why()).toBe(1)
    }
    // The list has all approved lines and nothing else; an acknowledged line is gone.
    const ready = ids.filter((id) => models.get(id)?.state === 'approved')
    const listed = await materialClient.listedIds({ $select: 'Id' })
    expect(listed, why()).toEqual(ready)
    await materialClient.acknowledge({ ids: ready })
    expect(await materialClient.listedIds({ $select: 'Id' }), why()).toEqual([])
  }
})

function randomAction(random: SeededRandom): ModelAction {
  const action = random.pick(actions)
  return action.kind === 'edit' ? { kind: 'edit', quantity: 1 + random.below(3) } : action
}

/**
 * Two actions in sequence; `turned`: the replies are returned as if the second had been sent first.
 */
function inOrder(before: ModelState, one: ModelAction, other: ModelAction, turned?: 'turned') {
  const first = applyAction(before, one)
  const second = applyAction(first.after, other)
  const replies = [first.reply, second.reply]
  return { replies: turned === undefined ? replies : replies.toReversed(), after: second.after }
}

function isAlike(one: unknown, other: unknown) {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The code of the only result, or of the error of the whole request. */
function codeOf({ json }: TestReply): string {
  return (json.error ?? json).resultater?.[0].code ?? 'refused'
}
