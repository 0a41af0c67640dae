// Test model: a shop with composite keys, complex types, enumerations and relations both ways.
import { sql } from 'kysely'
import {
  defineComplexType,
  defineResource,
  complexFields,
  type CompanyId,
  type Enumeration,
} from '../../src/engine/model/resource.ts'
import type { Schema } from '../../src/engine/model/schema.ts'
import { insertRecords } from '../../src/store/directory/directory-records.ts'
import { columnTypeOf } from '../../src/store/tables/field-columns.ts'
import { withSchemaConnection } from '../../src/store/open-store.ts'
import type { TestCompany, TestServer } from '../support/server.ts'

export const trustLevels: Enumeration = {
  wire: 'Standing',
  description: 'How much a customer is trusted',
  members: { Unknown: 0, Regular: 1, Trusted: 2, Banned: -1 },
}

export const channels: Enumeration = {
  wire: 'Channels',
  isFlags: true,
  members: { None: 0, Shop: 1, Phone: 2, Web: 4, Remote: 6 },
}

const country = defineComplexType({
  wire: 'Country',
  fields: {
    code: { wire: 'Code', type: 'text', optional: true, lengthMax: 2 },
    isNear: { wire: 'IsNear', type: 'boolean', optional: true },
  },
})

const place = defineComplexType({
  wire: 'Place',
  description: 'Where somebody lives',
  fields: {
    street: { wire: 'Street', type: 'text', optional: true },
    movedInOn: { wire: 'MovedInOn', type: 'date', optional: true },
    ...complexFields('country', 'Country', country),
  },
})

const delivery = defineComplexType({
  wire: 'Delivery',
  fields: {
    fee: { wire: 'Fee', type: 'decimal' },
    takes: { wire: 'Takes', type: 'duration', optional: true },
    from: { wire: 'From', type: 'timeOfDay', optional: true },
  },
})

export const customer = defineResource({
  table: 'shopCustomer',
  wire: 'Customer',
  key: ['id'],
  readScope: 'directory:read',
  fields: {
    id: { wire: 'Id', type: 'integer' },
    name: { wire: 'Name', type: 'text', optional: true },
    isTrusted: { wire: 'IsTrusted', type: 'boolean', optional: true },
    since: { wire: 'Since', type: 'date', optional: true },
    standing: { wire: 'Standing', type: trustLevels, optional: true },
    ...complexFields('home', 'Home', place),
    invitedById: { wire: 'InvitedById', type: 'integer', optional: true },
  },
})

const order = defineResource({
  table: 'shopOrder',
  wire: 'Order',
  key: ['region', 'number'],
  readScope: 'directory:read',
  fields: {
    region: { wire: 'Region', type: 'text' },
    number: { wire: 'Number', type: 'integer' },
    customerId: { wire: 'CustomerId', type: 'integer', optional: true },
    placedAt: { wire: 'PlacedAt', type: 'timestamp', optional: true },
    isGift: { wire: 'IsGift', type: 'boolean', optional: true },
    cameBy: { wire: 'CameBy', type: channels, optional: true },
    ...complexFields('delivery', 'Delivery', delivery),
  },
})

const line = defineResource({
  table: 'shopLine',
  wire: 'Line',
  key: ['region', 'number', 'position'],
  readScope: 'directory:read',
  fields: {
    region: { wire: 'Region', type: 'text' },
    number: { wire: 'Number', type: 'integer' },
    position: { wire: 'Position', type: 'integer' },
    price: { wire: 'Price', type: 'decimal', optional: true },
    note: { wire: 'Note', type: 'text', optional: true },
  },
})

export const shop: Schema = {
  namespace: 'Shop',
  resources: [customer, order, line],
  relations: [
    { of: customer, wire: 'Orders', to: order, isMany: true, on: { id: 'customerId' } },
    { of: customer, wire: 'InvitedBy', to: customer, on: { invitedById: 'id' } },
    { of: customer, wire: 'Invited', to: customer, isMany: true, on: { id: 'invitedById' } },
    { of: order, wire: 'Customer', to: customer, on: { customerId: 'id' } },
    { of: order, wire: 'Lines', to: line, isMany: true, on: { region: 'region', number: 'number' } },
    { of: line, wire: 'Order', to: order, on: { region: 'region', number: 'number' } },
  ],
}

export type ShopRecord = Readonly<Record<string, string | number | boolean | null>>

/** Test data by resource name; values as the store represents them. */
export type ShopData = Readonly<Record<string, readonly ShopRecord[]>>

/** Texts with characters that JSON, `format` or SQL treat specially. */
const texts = ['', 'a', 'A', 'å', '"', "'", '%s', '%%', '\\', '\n', '{"x":1}', 'ß€😀', null]

function pick<T>(list: readonly T[], index: number): T {
  return list[index % list.length] as T
}

export const shopData: ShopData = {
  Customer: Array.from({ length: 12 }, (_, index) => ({
    id: index + 1,
    name: pick(texts, index),
    isTrusted: pick([true, false, null], index),
    since: pick(['1999-12-31', null, '2024-02-29'], index),
    invitedById: index % 4 === 0 ? null : Math.floor(index / 2) + 1,
    standing: pick([null, 0, 1, 2, -1, 7], index),
    homeStreet: pick([null, null, ...texts], index),
    homeMovedInOn: pick([null, null, '1969-07-20'], index),
    homeCountryCode: pick([null, 'NO', null, 'SE'], index),
    homeCountryIsNear: pick([null, true, null, false], index),
  })),
  Order: Array.from({ length: 30 }, (_, index) => ({
    region: pick(['N', 'S', "O'"], index),
    number: Math.floor(index / 3) + 1,
    customerId: index % 5 === 0 ? null : (index % 7) + 1,
    placedAt: pick([null, 0, 1_700_000_000_123_456, -1_000_000], index),
    isGift: pick([null, true, false], index),
    cameBy: pick([null, 0, 1, 3, 6, 7, 9], index),
    deliveryFee: pick([0, 495_000, 1], index),
    deliveryTakes: pick([null, 0, 3_600_000_000, -90_500_000, 1], index),
    deliveryFrom: pick([0, null, 86_399_999_999], index),
  })),
  Line: Array.from({ length: 60 }, (_, index) => ({
    region: pick(['N', 'S', "O'"], index),
    number: (Math.floor(index / 3) % 8) + 1,
    position: Math.floor(index / 24) + 1,
    price: pick([null, 0, 1, -12_345, 999_999_999_999_999, 10_000], index),
    note: pick(texts, index + 5),
  })),
}

/** Creates the tables in the test database. */
export async function createShopTables(server: TestServer): Promise<void> {
  await withSchemaConnection(server.url, async (db, dialect) => {
    const text = sql.raw(dialect === 'sqlite' ? 'text' : 'text collate "C"')
    for (const { table, fields, key } of shop.resources) {
      const columns = Object.entries(fields).map(
        ([name, { type }]) => sql`${sql.id(name)} ${columnTypeOf(type) === 'text' ? text : sql.raw('bigint')}`,
      )
      const keys = sql.join(['companyId', ...key].map((name) => sql.id(name)))
      await sql`create table ${sql.table(table)} ("companyId" bigint, ${sql.join(columns)}, primary key (${keys}))`.execute(
        db,
      )
    }
  })
}

/** Inserts the data for a company. */
export function insertShopData(server: TestServer, company: TestCompany, data: ShopData = shopData): Promise<void> {
  return server.store.inTransaction(company.id as CompanyId, async (transaction) => {
    for (const resource of shop.resources) await insertRecords(transaction, resource, data[resource.wire] ?? [])
  })
}
