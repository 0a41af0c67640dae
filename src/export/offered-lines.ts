// Export lines as a resource for queries, with two internal fields: destination and ready time.
import { defineResource } from '../engine/model/resource.ts'
import { exportable } from '../model/transaction.ts'

export const offeredLines = defineResource({
  ...exportable,
  indexes: [['destinationId']],
  fields: {
    ...exportable.fields,
    destinationId: { wire: 'destinationId', type: 'integer', readOnly: true },
    readyAt: { wire: 'readyAt', type: 'timestamp', readOnly: true },
  },
})
