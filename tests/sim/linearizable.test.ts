// Concurrent calls on hot cells: the history of every cell is linearizable. DAGSVERK_TEST_CELLS=2000 sets the
// number of cells per database; four are hot at a time.
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimReply, type SimClient } from './client.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { useServerCluster, type ServerCluster } from './server-cluster.ts'
import { isLinearizable, type CallEvent, type SequentialModel } from './linearize.ts'

const cells = Number(process.env['DAGSVERK_TEST_CELLS'] ?? 20)
const callsPerCell = 100
const hotAtOnce = 4
const callers = 16

describe.each(databases)('concurrent calls on the cells of $name', (database) => {
  // Several processes can share PostgreSQL; an SQLite file has one.
  const servers = database.name === 'PostgreSQL' ? 2 : 1
  const cluster = useServerCluster(database, 'linearizable')

  test(
    'are linearizable',
    async () => {
      expect(await findBroken(cluster, servers, cells)).toEqual([])
    },
    60_000 + cells * 2000,
  )

  test('the test detects a server that reads before it has the lock', async () => {
    const broken = await findBroken(cluster, servers, hotAtOnce, 'stale-reads')
    expect(broken.length).toBeGreaterThan(0)
  })
})

/** The cells whose histories are not linearizable, and impossible replies. */
async function findBroken(
  cluster: ServerCluster,
  servers: number,
  count: number,
  injectedBug?: string,
): Promise<string[]> {
  const random = seededRandom()
  const running = await Promise.all(Array.from({ length: servers }, () => cluster.start(injectedBug)))
  const clients = Array.from({ length: callers }, (_, caller) =>
    openSimClient(cluster.key, () => running[caller % servers]?.address ?? ''),
  )
  const broken: string[] = []
  for (let first = 0; first < count; first += hotAtOnce) {
    const hot = Array.from({ length: hotAtOnce }, (_, index) => new Cell(`C${first + index}`))
    const callsEach = (hotAtOnce * callsPerCell) / callers
    await Promise.all(
      clients.map(async (client) => {
        for (let call = 0; call < callsEach; call++) {
          const cell = random.pick(hot)
          await cell.callAtRandom(client, random).catch((error) => broken.push(String(error)))
        }
      }),
    )
    for (const { name, history } of hot) if (!isLinearizable(cellModel, history)) broken.push(name)
  }
  return broken
}

/** The records of a cell in the order of their keys; the first leads it. */
type State = readonly Entry[]

type Entry = readonly [id: number, amount: number]

type Call =
  | { readonly kind: 'set'; readonly amount: number; readonly id: number }
  | { readonly kind: 'insert'; readonly amount: number; readonly id: number }
  | { readonly kind: 'add'; readonly amount: number; readonly id: number; readonly total: number }
  | { readonly kind: 'update'; readonly amount: number; readonly id: number; readonly isFound: boolean }
  | { readonly kind: 'delete'; readonly id: number; readonly isFound: boolean }
  | { readonly kind: 'find'; readonly found: State }

const cellModel: SequentialModel<State, Call> = {
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
  readonly history: CallEvent<Call>[] = []
  /** Keys from replies, and one that no record has. */
  readonly #ids: number[] = [999_999_999]

  constructor(name: string) {
    this.name = name
  }

  async callAtRandom(client: SimClient, random: SeededRandom): Promise<void> {
    const start = performance.now()
    const call = await this.#call(client, random)
    this.history.push({ call, start, end: performance.now() })
    if ('id' in call && !this.#ids.includes(call.id)) this.#ids.push(call.id)
  }

  async #call(client: SimClient, random: SeededRandom): Promise<Call> {
    const amount = 1 + random.below(1000)
    const chance = random.below(100)
    if (chance < 20) return this.#write(client, 'set', amount)
    if (chance < 55) return this.#write(client, 'add', amount)
    if (chance < 62) return this.#write(client, 'insert', amount)
    const id = random.pick(this.#ids)
    if (chance < 74) {
      const json = { InntektsPlanId: id, Omsetning: amount }
      const reply = await client.call('POST', '/dev/Omsetning/Oppdater', { json })
      return { kind: 'update', id, amount, isFound: isFound('update', reply) }
    }
    if (chance < 80) {
      const reply = await client.call('DELETE', `/omsetning/Omsetning(${id})`)
      return { kind: 'delete', id, isFound: isFound('delete', reply) }
    }
    const records = await client.read('/dev/Omsetning/Finn', {
      $filter: `Dato eq 2024-05-01 and AvdelingID eq '${this.name}'`,
    })
    const found = records.map((record): Entry => [record.InntektsPlanId, record.Omsetning])
    return { kind: 'find', found }
  }

  async #write(client: SimClient, kind: keyof typeof paths, amount: number): Promise<Call> {
    const row = { Dato: '2024-05-01', AvdelingID: this.name, Omsetning: amount }
    const reply = await client.call('POST', paths[kind], { json: kind === 'insert' ? row : [row] })
    if (reply.status !== 200) throw new Unexpected(kind, reply)
    const [{ InntektsPlanId: id, Omsetning: total }] = [reply.json].flat()
    return kind === 'add' ? { kind, amount, id, total } : { kind, amount, id }
  }
}

function isFound(kind: Call['kind'], reply: SimReply): boolean {
  if (reply.effect !== 'ok' && reply.status !== 404) throw new Unexpected(kind, reply)
  return reply.effect === 'ok'
}

/** A reply that no order of operations explains. */
class Unexpected extends Error {
  constructor(kind: Call['kind'], { status, text }: SimReply) {
    super(`${kind} was answered ${status} ${text}`)
  }
}

const paths = {
  set: '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
  add: '/dev/Omsetning/AggsertOmsetning',
  insert: '/dev/Omsetning/Lagre',
}
