// Two destinations of one company, whatever their settings: both end with what is approved.
// DAGSVERK_TEST_WALKS=10000 sets the number of random walks per database; SEED repeats a run.
import { describe, expect, test } from 'vitest'
import { assignCredential, insertDestination } from '../../src/store/export/destinations.ts'
import { databases } from '../support/databases.ts'
import { newMaterialClient, usage, type MaterialClient } from '../support/material-client.ts'
import { randomFrom, seededRandom, type SeededRandom } from '../support/random.ts'
import { useTestServer } from '../support/server.ts'

const walks = Number(process.env['DAGSVERK_TEST_WALKS'] ?? 20)
const stepsOfWalk = 16

interface Line {
  readonly Id: number
  readonly Eksportnokkel: string
  readonly Antall: number
}

/** A destination and what its receiver has. */
interface ReceivingSystem {
  readonly name: string
  readonly list: () => Promise<Line[]>
  /** The code of the only result. */
  readonly send: (action: string, line: Line) => Promise<string>
  readonly received: Map<number, Line>
  readonly booked: Map<number, Line>
  /** Of every line that was ever booked. */
  readonly keys: Set<string>
}

describe.each(databases)('two destinations on $name', (database) => {
  const server = useTestServer(database, 'destinations_walk')

  test(
    'after random walks, booked and waiting lines of each destination sum up to what is approved, and no key is booked twice',
    async () => {
      const random = seededRandom()
      for (let left = walks; left > 0; left--)
        await walk(await newMaterialClient(server), randomFrom(random.below(2 ** 31)))
    },
    60_000 + walks * 2000,
  )

  const addReceivingSystems = async (materialClient: MaterialClient, random: SeededRandom) => {
    const { id: companyId } = materialClient.company
    const key = await server.addCredential({ ...materialClient.company, key: '' })
    await server.store.inSystemTransaction(async (writer) => {
      await insertDestination(writer, { companyId, name: 'lønn', now: 1 })
      await assignCredential(writer, { companyId, id: key.id, destinationId: 2 })
    })
    for (const destinationId of [1, 2])
      await materialClient.setDestination(
        { corrections: random.pick(['block', 'lines', 'lines', 'lines']) },
        destinationId,
      )
    const ofSecond = { as: null, headers: { 'tb-key': key.secret } }
    return [{}, ofSecond].map((options, index): ReceivingSystem => {
      const address = '/prosjekt/TransaksjonsEksport'
      return {
        name: `destination ${index + 1}`,
        list: async () => {
          const reply = await materialClient.call('GET', address, options)
          expect(reply.status, reply.text).toBe(200)
          return reply.json.value
        },
        send: async (action, { Id }) => {
          const json = { ids: [Id], ...(action === 'Eksportert' ? {} : { grunn: 'feil' }) }
          const reply = await materialClient.call('POST', `${address}/${action}`, { ...options, json })
          return (reply.json.error ?? reply.json).resultater[0].code
        },
        received: new Map(),
        booked: new Map(),
        keys: new Set(),
      }
    })
  }

  const walk = async (materialClient: MaterialClient, random: SeededRandom): Promise<void> => {
    const history: string[] = []
    const why = () => `seed ${random.seed}: ${history.join('; ')}`
    const systems = await addReceivingSystems(materialClient, random)
    const [id = 0] = await materialClient.register(1)
    const change = async (method: string, action = '', json?: object) => {
      const path = `/prosjekt/Transaksjon(${id})${action}`
      const { status } = await materialClient.call(method, path, { json })
      history.push(`${method} ${action} ${status}`)
    }
    const current = async (): Promise<{ Status: string; Antall: number } | undefined> =>
      (await materialClient.transactions())[0]
    const actions = {
      edit: () => change('PATCH', '', { Antall: usage.Antall + random.below(3) }),
      approve: () => change('POST', '/Godkjenn'),
      withdraw: () => change('POST', '/TrekkGodkjenning'),
      reject: () => change('POST', '/Avvis', { grunn: 'feil' }),
      delete: () => change('DELETE'),
    }
    const receive = async (system: ReceivingSystem): Promise<Line[]> => {
      const waiting = await system.list()
      for (const line of waiting) system.received.set(line.Id, line)
      return waiting
    }
    const send = async (action: 'Eksportert' | 'Angre' | 'Lukk') => {
      const system = random.pick(systems)
      const { received, booked, keys, name } = system
      const lines = { Eksportert: received.values(), Angre: booked.values(), Lukk: await receive(system) }[action]
      const candidates = [...lines]
      if (candidates.length === 0) return
      const line = random.pick(candidates)
      const code = await system.send(action, line)
      history.push(`${name} ${action} ${line.Id} ${code}`)
      if (code === 'undone') {
        // The receiver deletes it.
        booked.delete(line.Id)
        received.delete(line.Id)
      } else if (code === 'closed' || code.startsWith('exported')) {
        expect(keys, why()).not.toContain(line.Eksportnokkel)
        keys.add(line.Eksportnokkel)
        booked.set(line.Id, line)
      }
    }
    const expectSums = async () => {
      const transaction = await current()
      const isSettled = transaction === undefined || ['Godkjent', 'Eksportert'].includes(transaction.Status)
      for (const system of systems) {
        const waiting = await receive(system)
        const sum = [...system.booked.values(), ...waiting].reduce((total, { Antall }) => total + Antall, 0)
        // While a change awaits approval, a destination may have what was approved before, or nothing.
        if (isSettled) expect(sum, `${why()}; ${system.name}`).toBe(transaction?.Antall ?? 0)
      }
    }
    for (let step = 0; step < stepsOfWalk; step++) {
      const action = random.pick([
        'edit',
        'edit',
        'approve',
        'approve',
        'approve',
        'withdraw',
        'reject',
        'export',
        'export',
        'export',
      ] as const)
      if (action !== 'export') await actions[action]()
      else await send(random.pick(['Eksportert', 'Eksportert', 'Eksportert', 'Angre', 'Lukk']))
      if (random.below(60) === 0) await actions.delete()
      await expectSums()
    }
    const { Status } = (await current()) ?? {}
    if (Status === 'Avvist') await actions.edit()
    if (Status === 'Avvist' || Status === 'Registrert') await actions.approve()
    await expectSums()
  }
})
