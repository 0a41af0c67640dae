// Revenue log resource: one entry per change of a revenue record, for incremental reads and audits.
import { defineResource, optionalField } from '../engine/model/resource.ts'
import { revenue } from './revenue.ts'

/** The action of an entry, as on the wire. */
export const revenueActions = { set: 'sett', add: 'legg til', delete: 'slett' } as const

export type RevenueAction = (typeof revenueActions)[keyof typeof revenueActions]

export const revenueLog = defineResource({
  table: 'revenueLog',
  wire: 'OmsetningLogg',
  description: 'Every change of revenue, deletions too',
  type: 'Omsetningsendring',
  key: ['id'],
  readScope: 'revenue:read',
  chains: {
    fields: ['date', 'departmentId', 'kind'],
    previous: 'previousId',
    ends: ['revenue', 'revenueDeparture'],
    last: 'logId',
  },
  fields: {
    id: { wire: 'Id', description: 'Key', type: 'integer' },
    at: { wire: 'Tid', description: 'Time of the change', type: 'timestamp' },
    revenueId: {
      wire: 'InntektsPlanId',
      description: 'Changed record, by its key',
      aliases: ['InntekstplanId'],
      type: 'integer',
    },
    date: revenue.fields.date,
    departmentId: revenue.fields.departmentId,
    kind: { wire: 'ipType', description: 'Type of record', type: 'text' },
    action: { wire: 'Handling', description: 'Action: sett (set), legg til (add) or slett (delete)', type: 'text' },
    amount: optionalField('Belop', 'decimal', 'Amount that was set or added'),
    before: optionalField('For', 'decimal', 'Amount before'),
    after: optionalField('Etter', 'decimal', 'Amount after'),
    reference: optionalField('Referanse', 'text', 'Identifier of the addition'),
    actor: { wire: 'Av', description: 'Credential that changed it', type: 'text' },
    requestId: { wire: 'ForesporselId', description: 'Request that changed it', type: 'text' },
  },
})
