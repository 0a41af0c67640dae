// Revenue resource (interface 2.1), and the row types of its other operations.
import { defineResource, optionalField, optionalText, type Row } from '../engine/model/resource.ts'
import { timestamps } from './timestamps.ts'

/** The interface document's spelling of the key in request bodies (interface 2.1). */
const keyInBodies = 'InntekstplanId'
const mistakenKeyNames = { id: keyInBodies }

export const revenue = defineResource({
  table: 'revenue',
  wire: 'Omsetning',
  description: 'Revenue of a department on a date',
  type: 'Omsetningspost',
  key: ['id'],
  etagField: 'changedAt',
  readScope: 'revenue:read',
  writeScope: 'revenue:write',
  clusteredBy: ['date', 'departmentId', 'kind'],
  clusteredKeyColumn: 'cellRank',
  indexes: [['changedAt']],
  unique: ['changedAt'],
  changeLog: { table: 'revenueLog', field: 'changedAt', last: 'logId', at: 'at', recordKey: 'revenueId' },
  mistakenKeyNames,
  fields: {
    id: { wire: 'InntektsPlanId', description: 'Key, never reused', aliases: [keyInBodies], type: 'integer' },
    date: { ...optionalField('Dato', 'date', 'Calendar date'), blankWhenNull: true },
    kind: { wire: 'ipType', description: 'Type of record; I is revenue', type: 'text', default: 'I', lengthMax: 10 },
    departmentId: { ...optionalText('AvdelingID', 50, 'Code of the department'), blankWhenNull: true },
    amount: optionalField('Omsetning', 'decimal', 'Amount'),
    remark: optionalText('Merknad', 4000, 'Remark'),
    changedAt: { ...timestamps.changedAt, onlyWhenSelected: true },
    createdAt: { ...timestamps.createdAt, onlyWhenSelected: true },
  },
})

export type Revenue = Row<typeof revenue>

/** As the reply to a write has it. */
export type WrittenRevenue = Omit<Revenue, 'createdAt'>

/** What a record says of its cell: all but its key, its cell and its timestamps. */
export type RevenueValues = Omit<Revenue, 'id' | 'date' | 'kind' | 'departmentId' | 'changedAt' | 'createdAt'>

export const revenueValueNames = Object.keys(revenue.fields).filter(
  (name) => !['id', 'date', 'kind', 'departmentId', 'changedAt', 'createdAt'].includes(name),
) as (keyof RevenueValues)[]

/** The values besides the amount. */
export const otherValueNames = revenueValueNames.filter((name) => name !== 'amount')

/** A row of the per-date upsert (interface 4.1.1): the cell identifies the record, and a key is ignored. */
export const revenuePerDate = defineResource({
  ...revenue,
  wire: 'LagreEllerOppdaterOmsetningPrDato',
  fields: { ...revenue.fields, id: { ...revenue.fields.id, readOnly: true } },
})

/** A row of `AggsertOmsetning` (interface 4.2): the amount to add to a cell, and the client's reference. */
export const revenueAddition = defineResource({
  table: 'revenue',
  wire: 'AggsertOmsetning',
  key: ['id'],
  readScope: 'revenue:read',
  mistakenKeyNames,
  fields: {
    date: revenue.fields.date,
    kind: revenue.fields.kind,
    departmentId: revenue.fields.departmentId,
    amount: revenue.fields.amount,
    remark: revenue.fields.remark,
    reference: optionalText('Referanse', 255, 'Identifier of the addition, unique in its cell'),
  },
})
