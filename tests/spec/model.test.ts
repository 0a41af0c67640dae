// Random operations on revenue against a small reference model: stored records, leading records, references.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { seed } from '../support/random.ts'

interface Row {
  readonly Dato: string
  readonly AvdelingID: string
  readonly Omsetning: number
}

interface Stored extends Row {
  readonly InntektsPlanId: number
}

/** Amounts are integers of 1/10,000, so that the model needs no decimals. */
class Model {
  readonly records = new Map<number, Stored>()
  readonly #references = new Map<string, number>()
  #last = 0

  /** Checks that the service assigned a new key. */
  insert(key: number, { Dato, AvdelingID, Omsetning }: Row): void {
    expect(key).toBeGreaterThan(this.#last)
    this.#last = key
    this.records.set(key, { InntektsPlanId: key, Dato, AvdelingID, Omsetning })
  }

  update(key: number, values: Partial<Row>): void {
    const record = this.records.get(key)
    if (record !== undefined) this.records.set(key, { ...record, ...values })
  }

  /** The record with the lowest key of the cell. */
  leader({ Dato, AvdelingID }: Row): Stored | undefined {
    return [...this.records.values()]
      .filter((one) => one.Dato === Dato && one.AvdelingID === AvdelingID)
      .toSorted((one, other) => one.InntektsPlanId - other.InntektsPlanId)[0]
  }

  set(key: number, row: Row, amountOf: (before: number) => number): void {
    const leader = this.leader(row)
    if (leader === undefined) return this.insert(key, { ...row, Omsetning: amountOf(0) })
    expect(key).toBe(leader.InntektsPlanId)
    this.update(key, { Omsetning: amountOf(leader.Omsetning) })
  }

  /** The amount with which the reference was used in this cell, or undefined. */
  used(row: Row, reference: string): number | undefined {
    return this.#references.get(JSON.stringify([row.Dato, row.AvdelingID, reference]))
  }

  use(row: Row, reference: string): void {
    this.#references.set(JSON.stringify([row.Dato, row.AvdelingID, reference]), row.Omsetning)
  }
}

interface Act {
  readonly name: string
  readonly take: (revenueClient: RevenueClient, model: Model) => Promise<void>
}

function inUnits({ Omsetning, ...rest }: Row): Row {
  return { ...rest, Omsetning: Omsetning / 10_000 }
}
function dayOf(text: string): string {
  return `${text}T00:00:00`
}

const row: fc.Arbitrary<Row> = fc.record({
  Dato: fc.constantFrom('2024-05-01', '2024-05-02'),
  AvdelingID: fc.constantFrom('20', '21', 'Å'),
  Omsetning: fc.integer({ min: -10_000_000, max: 10_000_000 }),
})
const rows = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(row, { minLength: 20, maxLength: 70, size: 'max' }) },
)
/** One of the existing records; sometimes one that does not exist. */
const pick = fc.nat(200)
function picked(model: Model, turn: number): number {
  return [...model.records.keys()][turn % (model.records.size + Number(turn > 190))] ?? 99_999
}

const setPerDate = rows.map((list): Act => ({
  name: `setPerDate ${JSON.stringify(list)}`,
  take: async (revenueClient, model) => {
    const reply = await revenueClient.setPerDate(list.map(inUnits))
    expect(reply.status, reply.text).toBe(200)
    list.forEach((one, index) => model.set(reply.json[index].InntektsPlanId, one, () => one.Omsetning))
  },
}))

/** Rows with a key update, and may move their record to another cell; rows without a key insert. */
const saveList = fc.array(fc.tuple(row, fc.option(pick)), { maxLength: 30 }).map((list): Act => ({
  name: `saveList ${JSON.stringify(list)}`,
  take: async (revenueClient, model) => {
    const keys = list.map(([, turn]) => (turn === null ? null : picked(model, turn)))
    const sent = list.map(([values], index) => ({ ...inUnits(values), InntekstplanId: keys[index] }))
    const reply = await revenueClient.saveList(sent)
    if (keys.some((key) => key !== null && !model.records.has(key))) return expect(reply.status).toBe(404)
    expect(reply.status, reply.text).toBe(200)
    list.forEach(([values], index) => {
      const { InntektsPlanId } = reply.json[index]
      const key = keys[index] ?? null
      if (key === null) return model.insert(InntektsPlanId, values)
      expect(InntektsPlanId).toBe(key)
      model.update(key, values)
    })
  },
}))

const accumulate = fc.array(fc.tuple(row, fc.constantFrom(undefined, 'a', 'b')), { maxLength: 8 }).map((list): Act => ({
  name: `accumulate ${JSON.stringify(list)}`,
  take: async (revenueClient, model) => {
    const sent = list.map(([values, Referanse]) => ({ ...inUnits(values), Referanse }))
    const reply = await revenueClient.accumulate(sent, { atomic: 'false' })
    for (const [index, [values, reference]] of list.entries()) {
      const used = reference === undefined ? undefined : model.used(values, reference)
      const code = reply.status === 200 ? reply.json.resultater[index].code : reply.json.error.details[index].code
      if (used !== undefined && used !== values.Omsetning) expect(code).toBe('ReferenceReused')
      else if (used !== undefined) expect(code).toBe(model.leader(values) ? 'unchanged' : 'NotFound')
      else {
        const { InntektsPlanId } = reply.json.resultater[index].record
        model.set(InntektsPlanId, values, (before) => before + values.Omsetning)
        if (reference !== undefined) model.use(values, reference)
      }
    }
  },
}))

const remove = pick.map((turn): Act => ({
  name: `remove ${turn}`,
  take: async (revenueClient, model) => {
    const key = picked(model, turn)
    expect((await revenueClient.delete(key)).status).toBe(model.records.delete(key) ? 204 : 404)
  },
}))

const act = fc.oneof(setPerDate, { weight: 2, arbitrary: saveList }, accumulate, remove)

const numRuns = 60 * Number(process.env['RUNS'] ?? 1)

describe.each(databases)('random operations on $name', (database) => {
  const server = useTestServer(database, 'model')

  test('4.1, 4.2 the stored records equal the reference model after every operation', async () => {
    const property = fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 12, size: 'max' }), async (acts) => {
      const revenueClient = await newRevenueClient(server)
      const model = new Model()
      for (const { take } of acts) {
        await take(revenueClient, model)
        const expected = [...model.records.values()].map((one) => ({
          ...inUnits(one),
          InntektsPlanId: one.InntektsPlanId,
          Dato: dayOf(one.Dato),
        }))
        expect(await revenueClient.records({ $select: 'InntektsPlanId,Dato,AvdelingID,Omsetning' })).toEqual(
          expected.toSorted((one, other) => one.InntektsPlanId - other.InntektsPlanId),
        )
      }
    })
    const details = await fc.check(property, { numRuns, seed })
    if (details.failed)
      throw new Error(`SEED=${details.seed}\n${fc.defaultReportMessage(details)}`, { cause: details.errorInstance })
  })
})
