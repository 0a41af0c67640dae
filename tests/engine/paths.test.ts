// Paths in expressions: keys, $root, $it, aliases, aggregates, $apply and join, on both databases.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { createShopTables, shop, insertShopData, type ShopData } from './shop.ts'

const nobody = {
  isTrusted: null,
  since: null,
  standing: null,
  homeStreet: null,
  homeMovedInOn: null,
  homeCountryCode: null,
  homeCountryIsNear: null,
}

const plain = { placedAt: null, isGift: null, cameBy: null, deliveryTakes: null, deliveryFrom: null }

const data: ShopData = {
  Customer: ['Kari', 'Ola', 'Per'].map((name, index) => ({
    ...nobody,
    id: index + 1,
    name,
    invitedById: index === 0 ? null : 1,
  })),
  Order: [1, 1, 2, null].map((customerId, index) => ({
    ...plain,
    region: 'N',
    number: index + 1,
    customerId,
    deliveryFee: (index + 1) * 10_000,
  })),
  Line: [1, 1, 1, 2, 3].map((number, index) => ({
    region: 'N',
    number,
    position: index + 1,
    price: index === 2 ? null : (index + 1) * 5000,
    note: index % 2 === 0 ? 'a' : 'b',
  })),
}

describe.each(databases)('paths in expressions on $name', (database) => {
  const server = useTestServer(database, 'paths', { services: [{ schema: shop, roots: ['shop'] }] })
  beforeAll(async () => {
    await createShopTables(server)
    await insertShopData(server, server.tenantA, data)
    await insertShopData(server, server.tenantB, { Customer: (data['Customer'] ?? []).slice(0, 1) })
  })

  const reply = async (path: string, options: Readonly<Record<string, string>>) => {
    const search = new URLSearchParams(options).toString()
    const { json } = await server.call('GET', `/shop/${path}?${search}`, { headers: { 'OData-MaxVersion': '4.0' } })
    return json.value ?? json.error
  }

  const idsOf = async (filter: string, company: Readonly<Record<string, string>> = {}) => {
    const value = await reply('Customer', { $select: 'Id', $filter: filter, ...company })
    return Array.isArray(value) ? value.map(({ Id }: { Id: number }) => Id) : value
  }

  test('$root/Set addresses all records of a set, and with a key one record', async () => {
    expect(await idsOf('$root/Customer(2)/Name lt Name')).toEqual([3])
    expect(await idsOf("$root/Order(Region='N',Number=3)/Customer/Name eq Name")).toEqual([2])
    expect(await idsOf('$root/Customer(9)/Name eq null')).toEqual([1, 2, 3])
    expect(await idsOf('$root/Order/$count eq 4 and $root/Line/any(l:l/Position eq 2)')).toEqual([1, 2, 3])
    expect(await idsOf('$root/Customer/all(c:c/Id ge 1) and Id lt 2')).toEqual([1])
    const one = { $filter: '$root/Customer(@k)/Id eq Id', '@k': '3', $select: 'Id' }
    expect(await reply('Customer', one)).toEqual([{ Id: 3 }])
    const computed = { $compute: '$root/Customer(1)/Name as First', $select: 'First', $top: '1' }
    expect(await reply('Customer', computed)).toEqual([{ First: 'Kari' }])
    for (const filter of [
      '$root/Nothing(1)/Id eq 1',
      "$root/Customer('x')/Id eq 1",
      '$root/Customer(1)',
      '$root/Customer/Id eq 1',
    ])
      expect(await idsOf(filter), filter).toMatchObject({ code: 'InvalidFilter' })
    const other = await server.call('GET', `/shop/Customer/$count?$filter=${encodeURIComponent('$root/Order/any()')}`, {
      as: server.tenantB,
    })
    expect(other.text).toBe('0')
  })

  test('a $root/Set expression may not use outer records', async () => {
    for (const filter of [
      '$root/Customer/any(c:c/Id gt Id)',
      '$root/Customer/any(c:c/Id gt $it/Id)',
      '$root/Customer/$count($filter=Id gt $it/Id) gt 1',
      '$root/Customer/aggregate(Id mul $it/Id with max) gt 1',
      '$root/Customer/any(c:$root/Customer/any(d:d/Id gt c/Id))',
      '$root/Customer/any(c:c/Id gt $root/Customer(1)/Id)',
      'Orders/any(o:$root/Order/any(p:p/Number gt o/Number))',
      '$root/Customer/any(c:Orders/any())',
    ])
      expect(await idsOf(filter), filter).toMatchObject({ code: 'NotSupported' })
    expect(await idsOf('Orders/any(o:$root/Order/any(p:p/Number gt 3))')).toBeInstanceOf(Array)
    const $apply = 'filter($root/Customer/any(c:$these/$count gt c/Id))'
    expect(await reply('Customer', { $apply })).toMatchObject({ code: 'NotSupported' })
  })

  test('collections nest at most three deep', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'true' : `o${depth}/Customer/Orders/any(o${depth - 1}:${nested(depth - 1)})`
    expect(await idsOf(`Orders/any(o2:${nested(2)})`)).toEqual([1, 2])
    expect(await idsOf(`Orders/any(o3:${nested(3)})`)).toMatchObject({ code: 'FilterTooComplex' })
  })

  test('a key after a relation selects one related record', async () => {
    expect(await idsOf("Orders(Region='N',Number=3)/Delivery/Fee eq 3")).toEqual([2])
    expect(await idsOf("Invited(2)/Name eq 'Ola' or Invited(3)/Orders/any()")).toEqual([1])
    const fees = { $select: 'Number', $orderby: 'Lines(2)/Price desc,Number', $top: '1' }
    expect(await reply('Order', fees)).toEqual([{ Number: 1 }])
    expect(await idsOf("InvitedBy(1)/Name eq 'Kari'")).toMatchObject({ code: 'InvalidFilter' })
  })

  test('an alias in nested options may stand for the enclosing record', async () => {
    const $expand =
      'InvitedBy(@me=$this;$select=Name;$expand=Invited($select=Name;$filter=Name gt @me/Name and Id ne $it/Id))'
    expect(await reply('Customer', { $select: 'Id', $filter: 'Id eq 2', $expand })).toEqual([
      { Id: 2, InvitedBy: { Name: 'Kari', Invited: [{ Name: 'Per' }] } },
    ])
    expect(await idsOf('@me/Name eq 1')).toMatchObject({ code: 'NotSupported' })
  })

  test('aggregate in an expression aggregates the related records', async () => {
    const $compute =
      'Orders/aggregate(Delivery/Fee with sum) as Fees,Orders/aggregate($count) as N,Orders/aggregate(Delivery/Fee mul $it/Id with max) as Most,Orders/aggregate(Lines/Price with sum) as Sum'
    expect(await reply('Customer', { $compute, $select: 'Fees,N,Most,Sum' })).toEqual([
      { Fees: 3, N: 2, Most: 2, Sum: 3.5 },
      { Fees: 3, N: 1, Most: 6, Sum: 2.5 },
      { Fees: null, N: 0, Most: null, Sum: null },
    ])
    expect(await idsOf('Orders/aggregate(Delivery/Fee with average) gt 2')).toEqual([2])
    expect(await idsOf('$root/Customer/any(c:c/Orders/aggregate(Delivery/Fee with sum) gt 3)')).toEqual([])
    for (const filter of [
      'Orders/aggregate(Number) gt 1',
      'Orders/aggregate(Region with sum) gt 1',
      'Name/aggregate($count) gt 1',
    ])
      expect(await idsOf(filter), filter).toMatchObject({ code: 'InvalidFilter' })
  })

  test('$all returns the records of every set, each with its type', async () => {
    const all = await reply('$all', { $search: 'kari OR a', $count: 'true' })
    expect(
      all.map((one: Record<string, unknown>) => [one['@odata.type'], one['@odata.id'], one['Name'] ?? one['Note']]),
    ).toEqual([
      ['#Shop.Customer', 'http://localhost/shop/Customer(1)', 'Kari'],
      ['#Shop.Customer', 'http://localhost/shop/Customer(2)', 'Ola'],
      ...[1, 3, 5].map((position) => [
        '#Shop.Line',
        `http://localhost/shop/Line(Region='N',Number=${position === 5 ? 3 : 1},Position=${position})`,
        'a',
      ]),
    ])
    const { text } = await server.call('GET', '/shop/$all?$top=2&$skip=2&$count=true')
    expect(text).toMatch(/#Collection\(Edm.EntityType\)","@odata.count":12,"value":\[\{"@odata.type"/)
    expect(text).toContain('Customer(3)')
    expect(text).toContain("Order(Region='N',Number=1)")
    const typed = await reply('$all/Shop.Customer', { $filter: 'Id eq 2', $select: 'Name' })
    expect(typed).toEqual([{ Name: 'Ola' }])
    expect((await server.call('GET', '/shop/$all/Shop.Nothing')).status).toBe(404)
    expect((await server.call('GET', '/shop/$all/$count')).status).toBe(404)
    const other = await server.call('GET', '/shop/$all?$count=true', { as: server.tenantB })
    expect(other.json['@odata.count']).toBe(1)
  })

  test('$apply in $expand transforms the related records of each record', async () => {
    const sums = 'Orders($apply=groupby((IsGift),aggregate(Delivery/Fee with sum as Fees,$count as N));$count=true)'
    const { text } = await server.call('GET', `/shop/Customer?$select=Id&$expand=${sums}`, {
      headers: { 'OData-MaxVersion': '4.0' },
    })
    expect(text).toContain('#Customer(Id,Orders(IsGift,Fees,N))","value":[')
    const one = (Id: number, rows: object[]) => ({ Id, 'Orders@odata.count': rows.length, Orders: rows })
    expect(JSON.parse(text).value).toEqual([
      one(1, [{ IsGift: null, Fees: 3, N: 2 }]),
      one(2, [{ IsGift: null, Fees: 3, N: 1 }]),
      one(3, []),
    ])
    const $expand =
      'Lines($apply=compute(Price divby $these/aggregate(Price with sum) as Part)/concat(topcount(1,Price)/groupby((Position,Part)),aggregate(Price with sum as Sum)))'
    expect(await reply('Order', { $select: 'Number', $expand, $top: '2' })).toEqual([
      { Number: 1, Lines: [{ Position: 2, Part: 0.6667 }, { Sum: 1.5 }] },
      { Number: 2, Lines: [{ Position: 4, Part: 1 }, { Sum: 2 }] },
    ])
    const whole = 'Orders($apply=filter(Number gt 1);$select=Number;$expand=Lines/$count;$orderby=Number desc)'
    expect(await reply('Customer', { $select: 'Id', $expand: whole, $filter: 'Id lt 3' })).toEqual([
      { Id: 1, Orders: [{ Number: 2, 'Lines@odata.count': 1 }] },
      { Id: 2, Orders: [{ Number: 3, 'Lines@odata.count': 1 }] },
    ])
    for (const [wrong, target] of [
      ['InvitedBy($apply=aggregate($count as N))', '$expand:1'],
      ['Orders($apply=aggregate(Nothing with sum as N))', '$expand:25'],
      ['Orders($apply=aggregate(Region with sum as N))', '$expand:25'],
    ] as const)
      expect(await reply('Customer', { $expand: wrong }), wrong).toMatchObject({ target })
  })

  test('join returns a row per related record, and outerjoin also rows without one', async () => {
    const applied = (set: string, $apply: string) => reply(set, { $apply })
    const rows = 'join(Orders as Sale)/groupby((Name,Sale/Number,Sale/Delivery/Fee))'
    expect(await applied('Customer', rows)).toEqual([
      { Name: 'Kari', Sale: { Number: 1, Delivery: { Fee: 1 } } },
      { Name: 'Kari', Sale: { Number: 2, Delivery: { Fee: 2 } } },
      { Name: 'Ola', Sale: { Number: 3, Delivery: { Fee: 3 } } },
    ])
    const outer = await applied('Customer', 'outerjoin(Orders as Sale,filter(Number gt 1))')
    expect(outer.map(({ Name, Sale }: { Name: string; Sale?: { Number: number } }) => [Name, Sale?.Number])).toEqual([
      ['Kari', 2],
      ['Ola', 3],
      ['Per', undefined],
    ])
    const totals =
      'join(Orders as Totals,aggregate(Delivery/Fee with sum as Fees,$count as N))/compute(Totals/N add 1 as M)'
    const totalled = await reply('Customer', { $apply: totals, $select: 'Name,Totals,M' })
    expect(totalled).toEqual([
      { Name: 'Kari', Totals: { Fees: 3, N: 2 }, M: 3 },
      { Name: 'Ola', Totals: { Fees: 3, N: 1 }, M: 2 },
      { Name: 'Per', Totals: { Fees: null, N: 0 }, M: 1 },
    ])
    expect(await applied('Order', 'join(Lines as L,topcount(1,Price))/aggregate(L/Price with sum as S)')).toEqual([
      { S: 5.5 },
    ])
    for (const [wrong, code] of [
      ['join(InvitedBy as X)', 'InvalidApply'],
      ['join(Nothing as X)', 'UnknownProperty'],
      ['join(Orders as Name)', 'InvalidApply'],
      ['join(Orders)', 'InvalidApply'],
    ] as const)
      expect(await applied('Customer', wrong), wrong).toMatchObject({ code })
  })

  test('grouping by a complex property or a relation groups by all its fields', async () => {
    const rows = await reply('Order', { $apply: 'groupby((Delivery,Customer),aggregate($count as N))' })
    expect(rows).toHaveLength(4)
    expect(rows[0]).toEqual({
      Delivery: { Fee: 1, Takes: null, From: null },
      Customer: {
        Id: 1,
        Name: 'Kari',
        IsTrusted: null,
        Since: null,
        Standing: null,
        Home: { Street: null, MovedInOn: null, Country: { Code: null, IsNear: null } },
        InvitedById: null,
      },
      N: 1,
    })
  })

  test('$apply supports $these, aggregates over collections, and groups that a filter empties', async () => {
    const applied = ($apply: string) => reply('Order', { $apply })
    expect(
      await applied(
        'compute(Delivery/Fee divby $these/aggregate(Delivery/Fee with sum) as Part)/groupby((Number,Part))',
      ),
    ).toEqual([1, 2, 3, 4].map((Number) => ({ Number, Part: Number / 10 })))
    expect(
      await applied('groupby((CustomerId),filter($these/$count gt 1)/aggregate($count as N,Number with sum as Sum))'),
    ).toEqual([
      { CustomerId: null, N: 0, Sum: null },
      { CustomerId: 1, N: 2, Sum: 3 },
      { CustomerId: 2, N: 0, Sum: null },
    ])
    expect(await applied('aggregate(Lines/Price with sum as Sum,Lines/Price with min as Least)')).toEqual([
      { Sum: 6, Least: 0.5 },
    ])
    expect(await applied('aggregate(Customer/Id with sum as Sum,Customer/Id with average as Mean)')).toEqual([
      { Sum: 3, Mean: 1.5 },
    ])
    expect(await applied('topcount($these/$count div 2,Number)/aggregate(Number with min as Least)')).toEqual([
      { Least: 3 },
    ])
    expect(await applied('topcount(Number,Number)')).toMatchObject({ code: 'NotSupported' })
    expect(await idsOf('$these/$count gt 1')).toMatchObject({ code: 'NotSupported' })
  })
})
