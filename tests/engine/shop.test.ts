// Query engine on another model: random reads and expressions against a reference implementation.
import * as fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { resolvePath } from '../../src/api/odata/resource-url.ts'
import type { CompanyId } from '../../src/engine/model/resource.ts'
import { relationsOf } from '../../src/engine/model/schema.ts'
import { odata2Dialect } from '../../src/engine/odata/dialect.ts'
import { routeParameters, parseQuery } from '../../src/engine/odata/options/query.ts'
import { defaultRecordFormat } from '../../src/engine/planner/record-format.ts'
import { planResourcePath, planRead, setOptions, type PlanContext } from '../../src/engine/planner/plan-read.ts'
import { rowStatement } from '../../src/store/read.ts'
import { collectionStart } from '../../src/engine/formats/write/envelope.ts'
import { jsonArraySerializer } from '../../src/engine/formats/write/row-serializer.ts'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { now, relatedTo, randomTerms, type RecordsInScope } from './expressions.ts'
import { expectedRows, queryOptionsOf, randomReads, sorted, type RandomRead } from './reader.ts'
import { customer, shopData, createShopTables, shop, insertShopData } from './shop.ts'
import { seed } from '../support/random.ts'

const parameters = routeParameters(setOptions, 'ignored')

function reading(companyId: number): PlanContext {
  return {
    schema: shop,
    companyId: companyId as CompanyId,
    grantedScopes: new Set(['directory:read']),
    zone: 'Europe/Oslo',
    clock: () => now,
    dialect: odata2Dialect,
    dates: 'date',
    naming: 'declared',
    recordFormat: { ...defaultRecordFormat, root: 'https://shop.example/s' },
  }
}

function queryOf(options: Readonly<Record<string, string>>) {
  return parseQuery(new URLSearchParams(options).toString(), parameters)
}

describe.each(databases)('the query engine on $name', (database) => {
  const server = useTestServer(database, 'engine')
  beforeAll(async () => {
    await createShopTables(server)
    await insertShopData(server, server.tenantA)
    await insertShopData(server, server.tenantB, { Customer: (shopData['Customer'] ?? []).slice(0, 1) })
  })

  const read = async (wire: string, options: Readonly<Record<string, string>>) => {
    const resource = shop.resources.find((one) => one.wire === wire) ?? customer
    const plan = planRead(resource, queryOf(options), reading(server.tenantA.id))
    const rows = await server.store.readRows(plan, 'json')
    if (!('whole' in rows)) throw new Error('more than a page')
    return {
      plan,
      text: jsonArraySerializer.start + jsonArraySerializer.rows(rows.whole, true) + jsonArraySerializer.end,
    }
  }

  test('random nested reads return what the reference implementation computes', async () => {
    await fc.assert(
      fc.asyncProperty(randomReads(shop), async (ask: RandomRead) => {
        const { text } = await read(ask.wire, queryOptionsOf(ask))
        expect(JSON.parse(text)).toEqual(expectedRows(shop, shopData, ask))
      }),
      { seed, numRuns: 300 },
    )
  })

  test('random expressions in $filter, $orderby and $compute evaluate as in the standard', async () => {
    const requests = fc.constantFrom(...shop.resources).chain((resource) => {
      const terms = randomTerms(shop, shopData, resource)
      return fc.tuple(fc.constant(resource), terms.bool, terms.whole, terms.decimal)
    })
    await fc.assert(
      fc.asyncProperty(requests, async ([resource, filter, order, value]) => {
        const { text } = await read(resource.wire, {
          $filter: filter.text,
          $orderby: `${order.text} desc`,
          $compute: `${value.text} as Worked,${order.text} as Order1`,
          $select: 'Worked,Order1',
        })
        const expected = sorted(
          resource,
          (shopData[resource.wire] ?? []).filter((record) => filter.evaluate({ '': record }) === true),
          (record) => order.evaluate({ '': record }),
        )
        expect(JSON.parse(text)).toEqual(
          expected.map((record) => {
            const worked = value.evaluate({ '': record })
            return { Worked: worked === null ? null : worked / 10_000, Order1: order.evaluate({ '': record }) }
          }),
        )
      }),
      { seed, numRuns: Number(process.env['RUNS'] ?? 300), endOnFailure: true },
    )
  })

  test('random expressions in $expand are evaluated for each related record', async () => {
    const many = shop.relations.filter(({ isMany }) => isMany === true)
    const requests = fc.constantFrom(...many).chain((relation) => {
      const inner = randomTerms(shop, shopData, relation.to)
      const outer = randomTerms(shop, shopData, relation.of)
      return fc.tuple(fc.constant(relation), outer.whole, inner.bool, inner.whole)
    })
    await fc.assert(
      fc.asyncProperty(requests, async ([relation, outerOrder, filter, order]) => {
        const { text } = await read(relation.of.wire, {
          $orderby: `${outerOrder.text} desc`,
          $select: 'None',
          $compute: `${outerOrder.text} as None`,
          $expand: `${relation.wire}($filter=${filter.text};$orderby=${order.text} desc;$compute=${order.text} as Worked;$select=Worked;$count=true)`,
        })
        const by = (term: typeof order) => (record: RecordsInScope[string]) => term.evaluate({ '': record })
        const records = sorted(relation.of, shopData[relation.of.wire] ?? [], by(outerOrder))
        expect(JSON.parse(text)).toEqual(
          records.map((record) => {
            const passed = relatedTo(shopData, relation, record).filter(
              (other) => filter.evaluate({ '': other }) === true,
            )
            return {
              None: outerOrder.evaluate({ '': record }),
              [`${relation.wire}@odata.count`]: passed.length,
              [relation.wire]: sorted(relation.to, passed, by(order)).map((other) => ({
                Worked: order.evaluate({ '': other }),
              })),
            }
          }),
        )
      }),
      { seed, numRuns: Number(process.env['RUNS'] ?? 100), endOnFailure: true },
    )
  })

  test('relations on composite keys work both ways', async () => {
    const { text, plan } = await read('Order', {
      $select: 'Number',
      $filter: "Region eq 'N' and Number eq 2",
      $expand: 'Lines($select=Position;$orderby=Position desc;$expand=Order($select=Region))',
    })
    expect(JSON.parse(text)).toEqual([
      { Number: 2, Lines: [3, 2, 1].map((Position) => ({ Position, Order: { Region: 'N' } })) },
    ])
    expect(collectionStart(plan, 7)).toBe(
      '{"@odata.context":"https://shop.example/s/$metadata#Order(Number,Lines(Position,Order(Region)))","@odata.count":7,"value":',
    )
  })

  test('a composite key predicate may list its names in any order', async () => {
    const of = async (key: string) => {
      const address = resolvePath(shop, `/shop/Order(${key})`)
      if (address === null) return null
      const plan = planResourcePath(address, queryOf({ $select: 'Number' }), reading(server.tenantA.id))
      if (plan === null) return null
      const rows = await server.store.readRows(plan, 'json')
      return 'whole' in rows ? rows.whole : null
    }
    expect(await of("Region='N',Number=2")).toEqual([['{"Number":2}']])
    expect(await of("number=2, region='O'''")).toEqual([['{"Number":2}']])
    expect(await of("Region='X',Number=2")).toEqual([])
    for (const key of ["'N'", "Region='N'", "Region='N',Number='2'", "Region='N',CustomerId=2"])
      expect(await of(key), key).toBe(null)
  })

  test('related records never belong to another company', async () => {
    const plan = planRead(customer, queryOf({ $expand: 'Orders/$count,Invited' }), reading(server.tenantB.id))
    const rows = await server.store.readRows(plan, 'json')
    expect('whole' in rows && rows.whole.map(([row]) => JSON.parse(String(row)))).toEqual([
      expect.objectContaining({ Id: 1, 'Orders@odata.count': 0, Invited: [] }),
    ])
  })

  test('the size of the SQL grows linearly with nesting', () => {
    const nests: readonly ((levels: number) => string)[] = [
      (levels) => `${'contains(case('.repeat(levels)}Id eq 1${":Name),'x')".repeat(levels)}`,
      (levels) => `${'(('.repeat(levels)}Id eq 2${') eq (Id eq 1))'.repeat(levels)}`,
      (levels) => `${'case(('.repeat(levels)}Id${') ne null:1)'.repeat(levels)} eq 1`,
      (levels) => `${'(1 add '.repeat(levels)}Id${')'.repeat(levels)} gt 1`,
      (levels) => `${'substring('.repeat(levels)}Name${',1,2)'.repeat(levels)} eq 'x'`,
    ]
    const planned = (filter: string) => {
      const plan = planRead(customer, queryOf({ $filter: filter }), reading(1))
      const text = rowStatement(plan, 'json').compiled(server.store.dialect)
      return { values: plan.values.length, characters: text.sql.length }
    }
    for (const nest of nests) {
      const [one, two, eight] = [planned(nest(1)), planned(nest(2)), planned(nest(8))]
      expect(eight.values - one.values).toBe((two.values - one.values) * 7)
      expect(eight.characters - one.characters).toBeLessThanOrEqual((two.characters - one.characters) * 7 + 100)
    }
  })

  test('literals of expressions, searches and aliases are bind parameters', () => {
    const shapes: readonly ((number: number, text: string) => Readonly<Record<string, string>>)[] = [
      (number, text) => ({ $filter: `length(concat(Name,'${text}')) add ${number} gt ${number}` }),
      (number, text) => ({ $filter: `indexof(Name,'${text}') mul -${number} le Id div ${number}` }),
      (number, text) => ({ $filter: `substring(Name,${number}) in ('${text}','${text}x',null)` }),
      (number, text) => ({ $filter: `Orders/any(o:o/Number gt ${number} or o/Region eq '${text}')` }),
      (number) => ({ $filter: `Orders/$count($filter=Number eq ${number}) ge ${number}` }),
      (number, text) => ({ $filter: `case(Id eq ${number}:'${text}',true:Name) eq '${text}'` }),
      (number, text) => ({ $search: `${text} OR "${text} ${number}"` }),
      (number) => ({ $filter: 'Id in @a', '@a': `[${number},${number + 1}]` }),
      (number) => ({ $orderby: `Id mod ${number} desc,Since add duration'P${number}D'` }),
      (number, text) => ({ $compute: `concat(InvitedBy/Name,'${text}') as A,Id divby ${number} as B` }),
      (number, text) => ({
        $expand: `Orders($search=${text};$compute=Number add ${number} as N;$filter=N gt ${number})`,
      }),
      (number) => ({ $filter: `date(now()) gt 20${number}0-01-01` }),
    ]
    const textOf = (options: Readonly<Record<string, string>>) =>
      rowStatement(planRead(customer, queryOf(options), reading(1)), 'json').compiled(server.store.dialect).sql
    for (const shape of shapes) {
      const text = textOf(shape(1, 'a'))
      expect(textOf(shape(3, 'dropped')), text).toBe(text)
      expect(text).not.toContain('dropped')
    }
  })

  test('the SQL text depends on no literal and no spelling of names', async () => {
    const statements = ['Name', 'NAME', 'name'].map((name, index) =>
      rowStatement(
        planRead(
          customer,
          queryOf({
            $select: name,
            $filter: `${name} eq 'x${index}'`,
            $expand: `ORDERS($filter=Number gt ${index};$top=${index};$select=${name === 'Name' ? 'Number' : 'number'})`,
          }),
          { ...reading(index), naming: 'requested' },
        ),
        'json',
      ),
    )
    expect(new Set(statements.map((one) => one.compiled(server.store.dialect).sql)).size).toBe(1)
    expect(relationsOf(shop, customer)).toHaveLength(3)
  })
})
