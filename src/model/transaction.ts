// Material transaction (interface 2.3) and its export line.
import { defineResource, optionalField, optionalText, type Field, type Row } from '../engine/model/resource.ts'
import { timestamps } from './timestamps.ts'

/** The states of a transaction, as on the wire. */
export const transactionStates = {
  registered: 'Registrert',
  approved: 'Godkjent',
  rejected: 'Avvist',
  exported: 'Eksportert',
} as const

export type TransactionState = (typeof transactionStates)[keyof typeof transactionStates]

/** Whether a line is the transaction itself, or a correction of what was exported. */
export const lineKinds = { original: 'Original', reversal: 'Reversering', replacement: 'Erstatning' } as const

export type LineKind = (typeof lineKinds)[keyof typeof lineKinds]

/** A field that only the service sets. */
function readOnly<const F extends Field>(field: F) {
  return { ...field, readOnly: true } as const
}

/** The fields that the sender sets; copied to the export line on approval. */
export const transactionContent = {
  date: { wire: 'Dato', description: 'Day of use', type: 'date' },
  employeeId: optionalField('AnsattId', 'integer', 'Employee, by the number'),
  departmentId: optionalText('AvdelingId', 50, 'Department, by its key'),
  projectId: optionalText('ProsjektId', 50, 'Project, by its key'),
  siteId: optionalText('AnleggId', 50, 'Site, by its key'),
  itemId: optionalText('VareId', 50, 'Number of the item'),
  itemName: optionalText('Varenavn', 200, 'Name of the item'),
  quantity: { wire: 'Antall', description: 'Quantity, not 0; negative for returns', type: 'decimal' },
  unit: optionalText('Enhet', 20, 'Unit of the quantity'),
  costPrice: optionalField('Kostpris', 'decimal', 'Cost price of one unit'),
  salesPrice: optionalField('Salgspris', 'decimal', 'Sales price of one unit'),
  amount: readOnly(optionalField('Belop', 'decimal', 'Quantity times sales price, with two decimal places')),
  isBillable: optionalField('Faktureres', 'boolean', 'Whether it is invoiced to the customer'),
  remark: optionalText('Merknad', 4000, 'Remark'),
  source: { wire: 'Kilde', description: 'System that sent it', type: 'text', lengthMax: 50, assigned: true },
  externalId: optionalText('EksternId', 100, 'Key in the sending system, unique with Kilde'),
} as const satisfies Record<string, Field>

const lifecycle = {
  state: {
    wire: 'Status',
    description: 'State: Registrert, Godkjent, Avvist or Eksportert',
    type: 'text',
    readOnly: true,
  },
  rejectionReason: readOnly(optionalField('AvvistGrunn', 'text', 'Reason of the rejection')),
  approvedAt: readOnly(optionalField('GodkjentDato', 'timestamp', 'Approval')),
  approvedBy: readOnly(optionalField('GodkjentAv', 'text', 'Approver')),
  exportedAt: readOnly(optionalField('EksportertDato', 'timestamp', 'Acknowledged export')),
  changedAt: timestamps.changedAt,
  createdAt: { ...timestamps.createdAt, description: 'Registration' },
} as const satisfies Record<string, Field>

export const materialTransaction = defineResource({
  table: 'material',
  wire: 'Transaksjon',
  key: ['id'],
  etagField: 'changedAt',
  indexes: [['state'], ['state', 'date'], ['projectId'], ['departmentId'], ['employeeId'], ['siteId']],
  description: 'Material that was picked or used',
  readScope: 'material:read',
  writeScope: 'material:write',
  fields: {
    id: { wire: 'Id', description: 'Key, never reused', type: 'integer', readOnly: true },
    ...transactionContent,
    ...lifecycle,
  },
})

export type MaterialTransaction = Row<typeof materialTransaction>

/** The writable fields, and those computed from them. */
export type MaterialContent = Pick<MaterialTransaction, keyof typeof transactionContent>

/** Internal names, in the order of the description. */
export const contentFields = Object.keys(transactionContent)

/** An export line for the caller's destination: an approved transaction as it was approved. */
export const exportable = defineResource({
  table: 'exportable',
  wire: 'TransaksjonsEksport',
  type: 'Eksportlinje',
  description: 'Material that was approved and is not exported yet',
  isReadLogged: true,
  key: ['id'],
  readScope: 'material:export',
  fields: {
    ...materialTransaction.fields,
    transactionId: { wire: 'TransaksjonId', description: 'Transaction, by its key', type: 'integer', readOnly: true },
    revision: { wire: 'Revisjon', description: 'Revision of the transaction', type: 'integer', readOnly: true },
    lineKind: { wire: 'Linjetype', description: 'Original, Reversering or Erstatning', type: 'text', readOnly: true },
    reversesId: readOnly(optionalField('ReversererId', 'integer', 'Line that this one reverses, by its key')),
    replacesId: readOnly(optionalField('ErstatterId', 'integer', 'Line that this one replaces, by its key')),
    exportKey: {
      wire: 'Eksportnokkel',
      description: 'Key for receivers that store each line once',
      type: 'text',
      readOnly: true,
    },
    postingDate: { wire: 'PosteringsDato', description: 'Posting date', type: 'date', readOnly: true },
    claimedBy: readOnly(optionalField('HoldesAv', 'text', 'Receiver that has claimed the line')),
    claimedUntil: readOnly(optionalField('HoldesTil', 'timestamp', 'End of the claim')),
    failures: {
      wire: 'AntallFeil',
      description: 'Reported failures since it became exportable',
      type: 'integer',
      readOnly: true,
      onlyWhenSelected: true,
    },
    parkedAt: {
      ...readOnly(optionalField('ParkertDato', 'timestamp', 'When it was parked after too many failures')),
      onlyWhenSelected: true,
    },
  },
})

/** Wire names in the request bodies and results of actions on transactions. */
export const materialNames = {
  transactions: 'transaksjoner',
  reason: 'grunn',
  reasonCode: 'kode',
  /** Who changed the transaction before, and when. */
  by: 'Av',
  at: 'Tid',
} as const

/** Wire names of a claim. */
export const claimNames = {
  id: 'BatchId',
  /** Fencing token: increases with every claim and every closing of one, so the lower is the older. */
  fencingToken: 'Sperrenummer',
  state: 'Tilstand',
  count: 'AntallLinjer',
  quantity: 'SumAntall',
  amount: 'SumBelop',
  hash: 'Kontrollsum',
} as const

/** Wire names of a line's history, and of a reconciliation with the receiver's list. */
export const historyNames = {
  at: 'Tid',
  action: 'Hendelse',
  by: 'Av',
  request: 'ForesporselId',
  generation: 'Generasjon',
  retrieval: 'Uthenting',
  both: 'begge',
  onlyOurs: 'bareHer',
  onlyTheirs: 'bareDer',
  acknowledgedAt: 'EksportertDato',
  number: 'Nummer',
  alert: 'Varsel',
  firstBy: 'ForstAv',
  firstExternalId: 'ForsteEksternId',
  after: 'etter',
} as const
