// Concurrent calls on hot cells: the history of every cell is linearizable. DAGSVERK_TEST_CELLS=2000 sets the
// number of cells per database; four are hot at a time.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openClient, type Answered, type Client } from './client.ts'
import { seededDice, type Dice } from '../support/random.ts'
import { prepareGround, type Ground } from './server-cluster.ts'
import { isLinearizable, type Event, type Model } from './linearize.ts'

const cells = Number(process.env['DAGSVERK_TEST_CELLS'] ?? 20)
const callsPerCell = 100
const hotAtOnce = 4
const callers = 16

describe.each(databases)('concurrent calls on the cells of $name', (database) => {
  // Several processes can share PostgreSQL; an SQLite file has one.
  const servers = database.name === 'PostgreSQL' ? 2 : 1
  let ground: Ground
  beforeEach(async () => {
    ground = await prepareGround(database, 'linearizable')
  })
  afterEach(() => ground.clear())

  test(
    'are linearizable',
    async () => {
      expect(await findBroken(ground, servers, cells)).toEqual([])
    },
    60_000 + cells * 2000,
  )

  test('the test detects a server that reads before it has the lock', async () => {
    const broken = await findBroken(ground, servers, hotAtOnce, 'stale-reads')
    expect(broken.length).toBeGreaterThan(0)
  })
})

/** The cells whose histories are not linearizable, and impossible replies. */
async function findBroken(
  ground: Ground,
  servers: number,
  count: number,
  planted?: string,
): Promise<string[]> {
  const dice = seededDice()
  const running = await Promise.all(Array.from({ length: servers }, () => ground.start(planted)))
  const clients = Array.from({ length: callers }, (_, caller) =>
    openClient(ground.key, () => running[caller % servers]?.address ?? ''),
  )
  const broken: string[] = []
  for (let first = 0; first < count; first += hotAtOnce) {
    const hot = Array.from({ length: hotAtOnce }, (_, index) => new Cell(`C${first + index}`))
    const callsEach = (hotAtOnce * callsPerCell) / callers
    await Promise.all(
      clients.map(async (client) => {
        for (let call = 0; call < callsEach; call++) {
          const cell = dice.pick(hot)
          await cell.callAtRandom(client, dice).catch((error) => broken.push(String(error)))
        }
      }),
    )
    for (const { name, history } of hot) if (!isLinearizable(cellModel, history)) broken.push(name)
  }
  for (const client of clients) client.close()
  return broken
}

/** The records of a cell in the order of their keys; the first leads it. */
type State = readonly Entry[]

type Entry = readonly [id: number, amount: number]

type Call =
  | { readonly kind: 'set'; readonly amount: number; readonly id: number }
  | { readonly kind: 'insert'; readonly amount: number; readonly id: number }
  | { readonly kind: 'add'; readonly amount: number; readonly id: number; readonly total: number }
  | {
      readonly kind: 'update'
      readonly amount: number
      readonly id: number
      readonly isFound: boolean
    }
  | { readonly kind: 'delete'; readonly id: number; readonly isFound: boolean }
  | { readonly kind: 'find'; readonly found: State }

const cellModel: Model<State, Call> = {
  initial: [],
  step: (state, call) => {
    if (call.kind === 'find') return String(call.found) === String(state) ? state : null
    const { id } = call
    if (call.kind === 'set') return onLeader(state, id, () => call.amount)
    if (call.kind === 'insert') return inserted(state, [id, call.amount])
    if (call.kind === 'add') {
      const next = onLeader(state, id, (amount) => amount + call.amount)
      return next?.[0]?.[1] === call.total ? next : null
    }
    if (call.isFound !== state.some(([one]) => one === id)) return null
    return call.kind === 'delete'
      ? state.filter(([one]) => one !== id)
      : state.map((entry): Entry => (entry[0] === id ? [id, call.amount] : entry))
  },
  key: String,
}

function onLeader(state: State, id: number, change: (amount: number) => number): State | null {
  const [leader, ...others] = state
  if (leader === undefined) return [[id, change(0)]]
  return leader[0] === id ? [[id, change(leader[1])], ...others] : null
}

/** Keys ascend in the order of the operations. */
function inserted(state: State, entry: Entry): State | null {
  return state.every(([id]) => id < entry[0]) ? [...state, entry] : null
}

class Cell {
  readonly name: string
  readonly history: Event<Call>[] = []
  /** Keys from replies, and one that no record has. */
  readonly #ids: number[] = [999_999_999]

  constructor(name: string) {
    this.name = name
  }

  async callAtRandom(client: Client, dice: Dice): Promise<void> {
    const start = performance.now()
    const call = await this.#call(client, dice)
    this.history.push({ call, start, end: performance.now() })
    if ('id' in call && !this.#ids.includes(call.id)) this.#ids.push(call.id)
  }

  async #call(client: Client, dice: Dice): Promise<Call> {
    const amount = 1 + dice.below(1000)
    const chance = dice.below(100)
    if (chance < 20) return this.#write(client, 'set', amount)
    if (chance < 55) return this.#write(client, 'add', amount)
    if (chance < 62) return this.#write(client, 'insert', amount)
    const id = dice.pick(this.#ids)
    if (chance < 74) {
      const json = { InntektsPlanId: id, Omsetning: amount }
      const answer = await client.call('POST', '/dev/Omsetning/Oppdater', { json })
      return { kind: 'update', id, amount, isFound: isFound('update', answer) }
    }
    if (chance < 80) {
      const answer = await client.call('DELETE', `/omsetning/Omsetning(${id})`)
      return { kind: 'delete', id, isFound: isFound('delete', answer) }
    }
    const records = await client.read('/dev/Omsetning/Finn', {
      $filter: `Dato eq 2024-05-01 and AvdelingID eq '${this.name}'`,
    })
    const found = records.map((record): Entry => [record.InntektsPlanId, record.Omsetning])
    return { kind: 'find', found }
  }

  async #write(client: Client, kind: keyof typeof paths, amount: number): Promise<Call> {
    const row = { Dato: '2024-05-01', AvdelingID: this.name, Omsetning: amount }
    const answer = await client.call('POST', paths[kind], { json: kind === 'insert' ? row : [row] })
    if (answer.status !== 200) throw new Unexpected(kind, answer)
    const [{ InntektsPlanId: id, Omsetning: total }] = [answer.json].flat()
    return kind === 'add' ? { kind, amount, id, total } : { kind, amount, id }
  }
}

function isFound(kind: Call['kind'], answer: Answered): boolean {
  if (answer.effect !== 'ok' && answer.status !== 404) throw new Unexpected(kind, answer)
  return answer.effect === 'ok'
}

/** A reply that no order of operations explains. */
class Unexpected extends Error {
  constructor(kind: Call['kind'], { status, text }: Answered) {
    super(`${kind} was answered ${status} ${text}`)
  }
}

const paths = {
  set: '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
  add: '/dev/Omsetning/AggsertOmsetning',
  insert: '/dev/Omsetning/Lagre',
}
