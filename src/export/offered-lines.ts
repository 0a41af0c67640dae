// The lines that are offered, with what a reader is not told: to whom, and since when.
import { describe } from '../engine/model/resource.ts'
import { exportable } from '../model/transaction.ts'

export const offered = describe({
  ...exportable,
  indexes: [['destinationId']],
  fields: {
    ...exportable.fields,
    destinationId: { wire: 'destinationId', type: 'integer', readOnly: true },
    readyAt: { wire: 'readyAt', type: 'stamp', readOnly: true },
  },
})
