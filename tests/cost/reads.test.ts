// Cost of reads, without a clock: the SQL statements that SQLite executes, and the values they bind.
import { beforeAll, describe, expect, test } from 'vitest'
import type { Field } from '../../src/engine/model/resource.ts'
import type { Query } from '../../src/engine/odata/options/query.ts'
import { PlanCache } from '../../src/engine/planner/plan-cache.ts'
import type { PlanContext } from '../../src/engine/planner/plan-read.ts'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'
import { revenue } from '../../src/model/revenue.ts'
import { sqlite } from '../support/databases.ts'
import { days, departments, employees, insertPolledData, literal, type PolledData } from '../support/polled-data.ts'
import { newMaterialClient } from '../support/material-client.ts'
import { addressOf, type Options } from '../support/revenue-client.ts'
import { useTestServer, type TestCompany } from '../support/server.ts'
import { recordStatementsOf, type RecordedStatement } from '../support/statement-recorder.ts'

type ReadName = 'point' | 'page100' | 'expand100' | 'changes100' | 'exportList'

/** SQL statements per request: with the question whether credentials may have changed, and the transaction around the reads. */
const statementsMax: Readonly<Record<ReadName, number>> = {
  point: 4,
  page100: 4,
  expand100: 4,
  changes100: 6,
  // One of them finds whether the list is so long that it needs a commit of its own.
  exportList: 21,
}

/** Values bound per request, by all of its statements. */
const valuesMax: Readonly<Record<ReadName, number>> = {
  point: 8,
  page100: 6,
  expand100: 6,
  changes100: 22,
  exportList: 59,
}

/** SQL statements of 32 point reads that arrive together, and share one look-up of the credential and one transaction. */
const statementsOf32PointsMax = 35

/** SQL texts that are compiled for 100 requests that differ only in their literals. */
const textsOf100RequestsMax = 1

/** Plans that are made for them, and not found in the cache. */
const plansOf100RequestsMax = 1

const waitingLines = 1400
/** Requests of each kind, one after another. */
const requests = 20

describe('a read on SQLite', () => {
  const server = useTestServer(sqlite, 'cost-reads')
  let data: PolledData
  beforeAll(async () => {
    // The use of a credential is stored once a minute.
    const now = server.clock.now()
    server.clock.now = () => now
    data = await insertPolledData(server, waitingLines)
  })

  const cases: Readonly<Record<ReadName, ReadCase>> = {
    point: { records: 1, addressAt: point },
    page100: {
      records: 100,
      addressAt: (at) => finn({ $filter: `Dato ge ${literal(at)}`, $orderby: 'Dato,AvdelingID', $top: '100' }),
    },
    expand100: {
      records: 100,
      addressAt: (at) =>
        addressOf('/ansatt/Ansatt', {
          $select: 'Id,Fornavn,Etternavn',
          $expand: 'Avdeling($select=Id,Navn)',
          $filter: `Id ge ${1 + (at % (employees - 100))}`,
          $orderby: 'Id',
          $top: '100',
        }),
    },
    changes100: {
      records: 100,
      addressAt: (at) =>
        finn({
          $filter: `SistEndretDato gt ${new Date(Date.parse(data.lastStamp) - at).toISOString()}`,
          $orderby: 'SistEndretDato',
          $top: '100',
        }),
    },
    exportList: { records: waitingLines, addressAt: () => '/prosjekt/TransaksjonsEksport' },
  }

  const read = async (company: TestCompany, address: string): Promise<unknown[]> => {
    const { status, text, json } = await server.call('GET', address, { as: company })
    expect(status, text).toBe(200)
    return Array.isArray(json) ? json : json.value
  }

  /** The statements of requests that are sent one after another, each with literals of its own. */
  const statementsOf = async (name: ReadName): Promise<readonly RecordedStatement[]> => {
    const { records, addressAt } = cases[name]
    const { revenueClient, materialClient } = data
    const { company } = name === 'exportList' ? materialClient : revenueClient
    expect(await read(company, addressAt(0))).toHaveLength(records)
    const { executed } = await recordStatementsOf(async () => {
      for (let at = 1; at <= requests; at++) await read(company, addressAt(at))
    })
    return executed.filter(isOfRequest)
  }

  test.each(Object.keys(cases) as ReadName[])(
    '%s: executes few statements, which bind few values, on the connections of the server',
    async (name) => {
      const statements = await statementsOf(name)
      const values = statements.flatMap((one) => one.values)
      const texts = statements.slice(0, statements.length / requests).map(({ sql }) => sql)
      expect(statements.length / requests, texts.join('\n')).toBeLessThanOrEqual(statementsMax[name])
      expect(values.length / requests).toBeLessThanOrEqual(valuesMax[name])
      // The writer and the reader: what runs elsewhere is not counted.
      expect(server.store.load().connectionsOpen).toBe(2)
    },
  )

  test('a record of a page is written by one function where none of its values is null', async () => {
    const [page = ''] = (await statementsOf('page100'))
      .map(({ sql }) => sql)
      .filter((sql) => sql.includes('page(record)'))
    // An integer or boolean that may be null is text for the format.
    const fields = Object.values<Field>(revenue.fields).filter((one) => one.optional && !one.onlyWhenSelected)
    const numbers = fields.filter(({ type }) => type === 'integer' || type === 'boolean')
    const direct = /iif\([^?]*?, (format\(\+\?, .*?), format\(\+\?/.exec(page)?.[1] ?? page
    expect(direct).toContain('"amount"')
    expect(direct.match(/format\(|coalesce|\|\|/g), direct).toEqual(['format(', ...numbers.map(() => 'coalesce')])
  })

  test('point reads that arrive together share the look-up of the credential, and the transaction', async () => {
    const { company } = data.revenueClient
    const { executed } = await recordStatementsOf(() =>
      Promise.all(Array.from({ length: 32 }, (_, at) => read(company, point(at)))),
    )
    const texts = executed.filter(isOfRequest).map(({ sql }) => sql)
    expect(texts.length, texts.join('\n')).toBeLessThanOrEqual(statementsOf32PointsMax)
  })

  test.each([
    ['is a page', 1000],
    ['is the longest page', 2000],
    ['is a stream', 2001],
  ])('a full retrieval that %s reads each of its lines once for its log, and once for its reply', async (_, count) => {
    const client = await newMaterialClient(server)
    await client.approve(...(await client.register(count)))
    const { executed } = await recordStatementsOf(async () => {
      expect(await read(client.company, '/prosjekt/TransaksjonsEksport')).toHaveLength(count)
    })
    const texts = executed.map(({ sql }) => sql)
    const loggingTexts = texts.filter(
      (text) => text.includes('from "destinationLine"') && !text.startsWith('select 1 '),
    )
    const replyingTexts = texts.filter((text) => text.includes('from "exportable"'))
    // The log sums chunks of 2,000, until one is not full.
    expect(loggingTexts, loggingTexts.join('\n')).toHaveLength(count < 2000 ? 1 : 2)
    expect(replyingTexts, replyingTexts.join('\n')).toHaveLength(1)
    expect(replyingTexts[0]?.includes('page(record)')).toBe(count <= 2000)
    // `date` and `time` together take a quarter of it.
    expect(replyingTexts.join('\n')).not.toContain('strftime')
  })

  test.each<[name: ReadName, more: (at: number) => string]>([
    ['point', (at) => `&$select=Omsetning&$top=${1 + at}`],
    ['page100', (at) => `&$select=Omsetning&$skip=${1 + at}`],
    ['expand100', (at) => `&$skip=${1 + at}`],
    ['changes100', (at) => `&$select=Omsetning&$skip=${1 + at}`],
  ])('%s: requests that differ only in literals are one plan, and one SQL text', async (name, more) => {
    const { company } = data.revenueClient
    let plans = 0
    const { compiled } = await recordStatementsOf(async () => {
      plans = await countPlans(async () => {
        for (let at = 0; at < 100; at++) await read(company, cases[name].addressAt(at) + more(at))
      })
    })
    const texts = new Set(compiled.filter((text) => text.includes('page(record)')))
    expect(texts.size, [...texts].join('\n')).toBeLessThanOrEqual(textsOf100RequestsMax)
    expect(plans).toBeLessThanOrEqual(plansOf100RequestsMax)
  })
})

interface ReadCase {
  /** In the reply. */
  readonly records: number
  readonly addressAt: (at: number) => string
}

function point(at: number): string {
  const department = at % departments
  return finn({ $filter: `Dato eq ${literal(at % days)} and ipType eq 'I' and AvdelingID eq '${department}'` })
}

function finn(query: Options): string {
  return addressOf('/dev/Omsetning/Finn', query)
}

/** Checkpoints of the write-ahead log run between commits at any time. */
function isOfRequest({ sql }: RecordedStatement): boolean {
  return !sql.startsWith('pragma wal_checkpoint')
}

type GetPlan = (
  this: PlanCache,
  path: string,
  query: Query,
  context: PlanContext,
  build: (context: PlanContext) => ReadPlan | null,
) => ReadPlan | null

/** How often the work makes a plan. */
async function countPlans(work: () => Promise<unknown>): Promise<number> {
  const get = Reflect.get(PlanCache.prototype, 'get') as GetPlan
  let plans = 0
  const counting: GetPlan = function (path, query, context, build) {
    return get.call(this, path, query, context, (used) => {
      plans += 1
      return build(used)
    })
  }
  Reflect.set(PlanCache.prototype, 'get', counting)
  try {
    await work()
  } finally {
    Reflect.set(PlanCache.prototype, 'get', get)
  }
  return plans
}
