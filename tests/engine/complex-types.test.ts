// Complex types, enumerations and durations over HTTP: in queries, paths and metadata, on both databases.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { createShopTables, shop, insertShopData, type ShopData } from './shop.ts'

function at(street: string | null, code: string | null, isNear: boolean | null) {
  return { homeStreet: street, homeMovedInOn: null, homeCountryCode: code, homeCountryIsNear: isNear }
}

const data: ShopData = {
  Customer: [
    { id: 1, name: 'Kari', standing: 2, ...at('Storgata 1', 'NO', true) },
    { id: 2, name: 'Ola', standing: null, ...at(null, null, null) },
    { id: 3, name: '100 %', standing: 7, ...at('Kirkegata', null, null) },
  ].map((one) => ({ ...one, isTrusted: null, since: null, invitedById: 1 })),
  Order: [0, 3, 6, null].map((cameBy, index) => ({
    region: 'N',
    number: index + 1,
    customerId: 1,
    placedAt: null,
    isGift: null,
    cameBy,
    deliveryFee: 495_000,
    deliveryTakes: cameBy === null ? null : cameBy * 60_000_000,
    deliveryFrom: cameBy === null ? null : 30_600_000_000,
  })),
}

describe.each(databases)('complex types on $name', (database) => {
  const server = useTestServer(database, 'complex-types', { services: [{ schema: shop, roots: ['shop'] }] })
  beforeAll(async () => {
    await createShopTables(server)
    await insertShopData(server, server.tenantA, data)
  })

  const get = (path: string, headers: Record<string, string> = {}) =>
    server.call('GET', `/shop/${path}`, { headers: { 'OData-MaxVersion': '4.0', ...headers } })

  const idsOf = async (filter: string): Promise<unknown> => {
    const { json } = await get(`Customer?$select=Id&$filter=${encodeURIComponent(filter)}`)
    return json.value?.map(({ Id }: { Id: number }) => Id) ?? json.error
  }

  test('complex values are nested objects, and null where all their fields are null', async () => {
    const { text } = await get('Customer?$select=Id,Home&$expand=Orders/$count')
    expect(text).toContain(
      '"value":[{"Id":1,"Home":{"Street":"Storgata 1","MovedInOn":null,"Country":{"Code":"NO","IsNear":true}},"Orders@odata.count":4},' +
        '{"Id":2,"Home":null,"Orders@odata.count":0},' +
        '{"Id":3,"Home":{"Street":"Kirkegata","MovedInOn":null,"Country":null},"Orders@odata.count":0}]',
    )
    const some = await get('Customer?$select=Home/Country/Code,Id,Home($select=Street)&$top=1')
    expect(some.text).toContain(
      '#Customer(Home/Country/Code,Id,Home/Street)","value":[{"Home":{"Country":{"Code":"NO"},"Street":"Storgata 1"},"Id":1}]',
    )
    const without = await get('Customer?$select=Id,Home', { Prefer: 'omit-values=nulls' })
    expect(without.json.value).toEqual([
      { Id: 1, Home: { Street: 'Storgata 1', Country: { Code: 'NO', IsNear: true } } },
      { Id: 2 },
      { Id: 3, Home: { Street: 'Kirkegata' } },
    ])
  })

  test('their fields can be compared, sorted by, computed with and searched', async () => {
    expect(await idsOf("Home/Country/Code eq 'NO'")).toEqual([1])
    expect(await idsOf('InvitedBy/Home/Country/IsNear and Home/Street ne null')).toEqual([1, 3])
    const ordered = await get('Customer?$select=Id&$orderby=Home/Street desc')
    expect(ordered.json.value).toEqual([{ Id: 1 }, { Id: 3 }, { Id: 2 }])
    const computed = await get('Customer?$compute=length(Home/Street) as Long&$select=Long&$search=STORGATA')
    expect(computed.json.value).toEqual([{ Long: 10 }])
  })

  test('complex values can be compared with null, with each other and with an object', async () => {
    expect(await idsOf('Home eq null')).toEqual([2])
    expect(await idsOf('null ne Home')).toEqual([1, 3])
    expect(await idsOf('Home/Country eq null')).toEqual([2, 3])
    expect(await idsOf('Home eq InvitedBy/Home')).toEqual([1])
    expect(await idsOf('{"Street":"Kirkegata"} eq Home')).toEqual([3])
    expect(await idsOf('Home ne {"street":"Storgata 1","Country":{"Code":"NO","IsNear":true}}')).toEqual([2, 3])
    for (const filter of ['Home gt null', 'Home eq 1', 'Home eq Id', 'Home eq {"Town":"x"}', 'Home'])
      expect(await idsOf(filter), filter).toMatchObject({ code: 'InvalidFilter' })
    expect(await idsOf("Home/Streat eq 'x'")).toMatchObject({
      code: 'UnknownProperty',
      target: '$filter:6',
      message: expect.stringContaining('Street'),
    })
    expect(await idsOf("Name/Street eq 'x'")).toMatchObject({ code: 'InvalidFilter' })
  })

  test('complex values and their fields can be addressed by a path', async () => {
    const replies = await Promise.all(
      [
        'Customer(1)/Home',
        'Customer(1)/HOME/country?$select=Code',
        'Customer(1)/Home/Country/Code',
        'Customer(1)/Home/Country/IsNear/$value',
        'Customer(2)/Home',
        'Customer(2)/Home/Country',
        'Customer(3)/Home/Country/Code',
        'Customer(3)/Home/Street/$value',
        'Customer(1)/Home/$value',
        'Customer(1)/Home/Town',
        'Customer(9)/Home',
      ].map(async (path) => {
        const { status, text } = await get(path)
        return [status, status === 200 ? text.replace(/^.*\$metadata/, '') : '']
      }),
    )
    expect(replies).toEqual([
      [200, '#Customer(1)/Home","Street":"Storgata 1","MovedInOn":null,"Country":{"Code":"NO","IsNear":true}}'],
      [200, '#Customer(1)/Home/Country(Code)","Code":"NO"}'],
      [200, '#Customer(1)/Home/Country/Code","value":"NO"}'],
      [200, 'true'],
      [204, ''],
      [204, ''],
      [204, ''],
      [200, 'Kirkegata'],
      [400, ''],
      [404, ''],
      [404, ''],
    ])
  })

  test('enumeration values are member names, or numbers where there is no member', async () => {
    const { json } = await get('Customer?$select=Standing')
    expect(json.value).toEqual([{ Standing: 'Trusted' }, { Standing: null }, { Standing: '7' }])
    const orders = await get('Order?$select=CameBy,Delivery')
    const delivery = (Takes: string | null, From: string | null) => ({ Fee: 49.5, Takes, From })
    expect(orders.json.value).toEqual([
      { CameBy: 'None', Delivery: delivery('PT0S', '08:30:00.000000') },
      { CameBy: 'Shop,Phone', Delivery: delivery('PT180S', '08:30:00.000000') },
      { CameBy: 'Remote', Delivery: delivery('PT360S', '08:30:00.000000') },
      { CameBy: null, Delivery: delivery(null, null) },
    ])
  })

  test('filters on enumeration members, flags and durations', async () => {
    expect(await idsOf("Standing eq Shop.Standing'Trusted'")).toEqual([1])
    expect(await idsOf("Standing in ('trusted','7')")).toEqual([1, 3])
    expect(await idsOf("Standing gt 'Regular'")).toEqual([1, 3])
    expect(await idsOf("Orders/any(o:o/CameBy has Shop.Channels'Phone,Web')")).toEqual([1])
    expect(await idsOf("Orders/$count($filter=CameBy has 'Phone') eq 2")).toEqual([1])
    expect(await idsOf("Orders/any(o:o/Delivery/Takes gt duration'PT5M')")).toEqual([1])
    expect(await idsOf("Standing eq 'Trusty'")).toMatchObject({
      code: 'InvalidFilter',
      message: expect.stringContaining('Trusted'),
    })
    for (const filter of [
      "Standing eq Shop.Channels'Shop'",
      "Standing eq Other.Standing'Trusted'",
      'Standing eq 1',
      "Standing has Shop.Channels'Shop'",
      'Id has 1',
      "Standing eq 'Trusted,Regular'",
    ])
      expect(await idsOf(filter), filter).toMatchObject({ code: 'InvalidFilter' })
  })

  test('$apply groups by complex fields and sums durations', async () => {
    const { text } = await get(
      'Order?$apply=groupby((Customer/Home/Country/Code,CameBy),aggregate(Delivery/Takes with sum as Sum))&$top=2',
    )
    expect(text).toContain(
      '#Order(Customer(Home(Country(Code))),CameBy,Sum)","value":[{"Customer":{"Home":{"Country":{"Code":"NO"}}},"CameBy":null,"Sum@odata.type":"#Duration","Sum":null},{"Customer":{"Home":{"Country":{"Code":"NO"}}},"CameBy":"None","Sum@odata.type":"#Duration","Sum":"PT0S"}]',
    )
  })

  test('$metadata declares the types, and metadata=full names them in each record', async () => {
    const xml = await get('$metadata')
    for (const part of [
      '<EnumType Name="Standing"><Member Name="Unknown" Value="0"/>',
      '<EnumType Name="Channels" IsFlags="true">',
      '<ComplexType Name="Country"><Property Name="Code" Type="Edm.String" MaxLength="2"/>',
      '<Property Name="Home" Type="Shop.Place"/>',
      '<Property Name="Country" Type="Shop.Country"/>',
      '<Property Name="Delivery" Type="Shop.Delivery" Nullable="false"/>',
      '<Property Name="Takes" Type="Edm.Duration" Precision="6"/>',
    ])
      expect(xml.text).toContain(part)
    const { json } = await get('$metadata?$format=json')
    expect(json.Shop).toMatchObject({
      Standing: { $Kind: 'EnumType', Banned: -1 },
      Channels: { $Kind: 'EnumType', $IsFlags: true, Web: 4 },
      Place: { $Kind: 'ComplexType', Country: { $Type: 'Shop.Country', $Nullable: true } },
      Customer: { Home: { $Type: 'Shop.Place', $Nullable: true } },
    })
    const full = await get('Order(Region=%27N%27,Number=2)?$select=CameBy,Delivery/Takes', {
      Accept: 'application/json;odata.metadata=full',
    })
    expect(full.json).toMatchObject({
      'CameBy@odata.type': '#Shop.Channels',
      Delivery: { '@odata.type': '#Shop.Delivery', 'Takes@odata.type': '#Duration', Takes: 'PT180S' },
    })
  })
})
