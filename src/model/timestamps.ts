// Timestamps that the service sets on each record.
import type { Field } from '../engine/model/resource.ts'

export const timestamps = {
  changedAt: {
    wire: 'SistEndretDato',
    description: 'Last change, distinct and rising within a company',
    type: 'timestamp',
    readOnly: true,
  },
  createdAt: { wire: 'OpprettetDato', description: 'Insert', type: 'timestamp', readOnly: true },
} as const satisfies Record<string, Field>
