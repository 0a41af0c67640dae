// Concurrent managers and integrations: every interleaving equals a serial order, and random walks keep
// invariants I1 to I7. DAGSVERK_TEST_WALKS=100000 sets the number of walks per database; DAGSVERK_TEST_SEED
// repeats a run.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { states } from '../../src/model/transaction.ts'
import { databases } from '../support/databases.ts'
import { newDepot, usage, type Depot } from '../support/material-client.ts'
import { buildHouse, type Answer, type Company, type House } from '../support/server.ts'
import { diceOf, seededDice, type Dice } from '../support/random.ts'
import { fresh, perform, type Act, type Material } from './material-model.ts'

const walks = Number(process.env['DAGSVERK_TEST_WALKS'] ?? 1000)
const stepsOfWalk = 8
const walkers = 16

const acts: readonly Act[] = [
  { act: 'approve' },
  { act: 'reject' },
  { act: 'withdraw' },
  { act: 'edit', quantity: 7 },
  { act: 'delete' },
  { act: 'mark' },
  { act: 'list' },
]

describe.each(databases)('concurrent material actions on $name', (database) => {
  let house: House
  let twin: House
  beforeAll(async () => {
    house = await buildHouse(database, 'material')
    // An SQLite file has one server.
    twin = database.name === 'PostgreSQL' ? await house.twin() : house
  })
  afterAll(async () => {
    if (twin !== house) await twin.close()
    await house.close()
  })

  /**
   * Sends an action over HTTP to one of the two servers; returns the reply in terms of the model.
   */
  const doing = async (
    server: House,
    { company }: Depot,
    id: number,
    action: Act,
  ): Promise<string> => {
    const call = (method: string, address: string, json?: unknown) =>
      server.call(method, address, { as: company, ...(json === undefined ? {} : { json }) })
    const one = `/prosjekt/Transaksjon(${id})`
    const decided = async (path: string, reason = {}) =>
      codeOf(await call('POST', `/prosjekt/Transaksjon/${path}`, { ids: [id], ...reason }))
    const doings: Record<Act['act'], () => Promise<string>> = {
      approve: () => decided('Godkjenn'),
      reject: () => decided('Avvis', { grunn: 'nei' }),
      withdraw: () => decided('TrekkGodkjenning'),
      edit: async () => {
        const Antall = action.act === 'edit' ? action.quantity : 0
        return String((await call('PATCH', one, { Antall })).status)
      },
      delete: async () => String((await call('DELETE', one)).status),
      mark: async () =>
        codeOf(await call('POST', '/prosjekt/Transaksjonseksport/Eksportert', { ids: [id] })),
      list: async () => {
        const path = `/prosjekt/TransaksjonsEksport?$filter=Id eq ${id}&$select=Id`
        const answer = await call('GET', path)
        expect(answer.status, answer.text).toBe(200)
        return String(answer.json.value.length === 1)
      },
    }
    return doings[action.act]()
  }

  /** The state of a transaction as a reader sees it. */
  const seen = async (depot: Depot, id: number) => {
    const [found] = await depot.all({ $filter: `Id eq ${id}`, $select: 'Status,Antall' })
    return found === undefined ? { state: '–' } : { state: found.Status, quantity: found.Antall }
  }
  const expected = ({ state, quantity }: Material) =>
    state === '–' ? { state } : { state: states[state], quantity }

  describe('every two actions from every state', () => {
    const ways: readonly (readonly Act['act'][])[] = [
      [],
      ['approve'],
      ['approve', 'list'],
      ['approve', 'list', 'withdraw'],
      ['approve', 'list', 'withdraw', 'delete'],
      ['approve', 'withdraw'],
      ['reject'],
      ['approve', 'mark'],
    ]
    test.each(ways.map((way) => [way.join(', ') || 'register', way] as const))(
      'after %s have the replies and the state of one of their serial orders',
      async (_, way) => {
        const depot = await newDepot(house)
        for (const first of acts)
          for (const second of acts) {
            const [id = 0] = await depot.register(1)
            let before = fresh(usage.Antall)
            for (const action of way.map((name) => ({ act: name }) as Act)) {
              const { after, answer } = perform(before, action)
              expect(await doing(house, depot, id, action)).toBe(answer)
              before = after
            }
            const answers = await Promise.all([
              doing(house, depot, id, first),
              doing(twin, depot, id, second),
            ])
            const met = [...answers, await seen(depot, id)]
            const orders = [
              inOrder(before, first, second),
              inOrder(before, second, first, 'turned'),
            ].map(({ answers, after }) => [...answers, expected(after)])
            expect(orders, `${first.act} and ${second.act}`).toContainEqual(met)
          }
      },
      60_000,
    )
  })

  test(
    'random walks: the list equals what is approved, nothing is newly exported twice, and nothing is lost',
    async () => {
      const dice = seededDice()
      const other = await newDepot(house)
      let left = walks
      await Promise.all(
        Array.from({ length: walkers }, async () => {
          const depot = await newDepot(house)
          while (left-- > 0) await walk(depot, other.company, diceOf(dice.below(2 ** 31)))
        }),
      )
    },
    60_000 + walks * 100,
  )

  const walk = async (depot: Depot, stranger: Company, dice: Dice): Promise<void> => {
    const ids = await depot.register(3)
    const models = new Map<number, Material>(ids.map((id) => [id, fresh(usage.Antall)]))
    const news = new Map<number, number>()
    const told: string[] = []
    const note = (id: number, action: Act, answer: string) => {
      told.push(`${id} ${action.act} → ${answer}`)
      if (action.act === 'mark' && answer === 'exported') news.set(id, (news.get(id) ?? 0) + 1)
    }
    const why = () => `seed ${dice.seed}: ${told.join('; ')}`
    for (let step = 0; step < stepsOfWalk; step++) {
      const id = dice.pick(ids)
      const before = models.get(id) ?? fresh(0)
      const action = randomAct(dice)
      const kind = dice.below(10)
      if (kind === 0) {
        // The caller disconnects before the reply: it reads the state, and repeats.
        await doing(dice.pick([house, twin]), depot, id, action)
        const { after, answer } = perform(before, action)
        note(id, action, answer)
        models.set(id, after)
        expect(await seen(depot, id), why()).toEqual(expected(after))
        if (action.act === 'mark' && after.state === 'exported')
          expect(await doing(house, depot, id, action), why()).toBe('already_exported')
      } else if (kind < 4) {
        const second = randomAct(dice)
        const answers = await Promise.all([
          doing(house, depot, id, action),
          doing(twin, depot, id, second),
        ])
        const met = [...answers, await seen(depot, id)]
        const orders = [inOrder(before, action, second), inOrder(before, second, action, 'turned')]
        const order = orders.find((one) => isAlike([...one.answers, expected(one.after)], met))
        note(id, action, answers[0])
        note(id, second, answers[1])
        expect(order, `${why()} then ${JSON.stringify(met)}`).toBeDefined()
        models.set(id, order?.after ?? before)
      } else if (kind === 4) {
        // Ids of another company are unknown (I7).
        const answer = await house.call('POST', '/prosjekt/Transaksjonseksport/Eksportert', {
          as: stranger,
          json: { ids: [id] },
        })
        expect(codeOf(answer)).toBe('not_found')
        expect(await seen(depot, id), why()).toEqual(expected(before))
      } else {
        const answer = await doing(dice.pick([house, twin]), depot, id, action)
        const { after, answer: foretold } = perform(before, action)
        note(id, action, answer)
        expect(answer, why()).toBe(foretold)
        models.set(id, after)
      }
      for (const count of news.values()) expect(count, why()).toBe(1)
    }
    // The list has all approved lines and nothing else; an acknowledged line is gone.
    const ready = ids.filter((id) => models.get(id)?.state === 'approved')
    const listed = await depot.listed({ $select: 'Id' })
    expect(listed, why()).toEqual(ready)
    await depot.mark({ ids: ready })
    expect(await depot.listed({ $select: 'Id' }), why()).toEqual([])
  }
})

function randomAct(dice: Dice): Act {
  const action = dice.pick(acts)
  return action.act === 'edit' ? { act: 'edit', quantity: 1 + dice.below(3) } : action
}

/**
 * Two actions in sequence; `turned`: the replies are returned as if the second had been sent first.
 */
function inOrder(before: Material, one: Act, other: Act, turned?: 'turned') {
  const first = perform(before, one)
  const second = perform(first.after, other)
  const answers = [first.answer, second.answer]
  return { answers: turned === undefined ? answers : answers.toReversed(), after: second.after }
}

function isAlike(one: unknown, other: unknown) {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The code of the only result, or of the error of the whole request. */
function codeOf({ json }: Answer): string {
  return (json.error ?? json).resultater?.[0].code ?? 'refused'
}
