// Revenue log resource: one entry per change of a revenue record, for incremental reads and audits.
import { defineResource } from '../engine/model/resource.ts'
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
  indexes: [['actor']],
  chains: {
    fields: ['date', 'departmentId', 'kind'],
    previous: 'previousId',
    ends: ['revenue', 'revenueDeparture'],
    last: 'logId',
  },
  fields: {
    id: { wire: 'Id', type: 'integer' },
    at: { wire: 'Tid', type: 'timestamp' },
    revenueId: { wire: 'InntektsPlanId', aliases: ['InntekstplanId'], type: 'integer' },
    date: revenue.fields.date,
    departmentId: revenue.fields.departmentId,
    kind: { wire: 'ipType', type: 'text' },
    action: { wire: 'Handling', type: 'text' },
    /** The new amount, or the added amount. */
    amount: { wire: 'Belop', type: 'decimal', optional: true },
    before: { wire: 'For', type: 'decimal', optional: true },
    after: { wire: 'Etter', type: 'decimal', optional: true },
    reference: { wire: 'Referanse', type: 'text', optional: true },
    actor: { wire: 'Av', type: 'text' },
    requestId: { wire: 'ForesporselId', type: 'text' },
  },
})
