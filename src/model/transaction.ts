// Material transaction (interface 2.3) and its export line.
import { defineResource, optionalText, type Field, type Row } from '../engine/model/resource.ts'

/** The states of a transaction, as on the wire. */
export const transactionStates = {
  registered: 'Registrert',
  approved: 'Godkjent',
  rejected: 'Avvist',
  exported: 'Eksportert',
} as const

export type TransactionState = (typeof transactionStates)[keyof typeof transactionStates]

/** Whether a line is the transaction itself, or a correction of what was exported. */
export const lineKinds = {
  original: 'Original',
  reversal: 'Reversering',
  replacement: 'Erstatning',
} as const

export type LineKind = (typeof lineKinds)[keyof typeof lineKinds]

const price = { type: 'decimal', optional: true } as const satisfies Omit<Field, 'wire'>

/** The fields that the sender sets; copied to the export line on approval. */
export const transactionContent = {
  date: { wire: 'Dato', type: 'date' },
  employeeId: { wire: 'AnsattId', type: 'integer', optional: true },
  departmentId: optionalText('AvdelingId', 50),
  projectId: optionalText('ProsjektId', 50),
  siteId: optionalText('AnleggId', 50),
  itemId: optionalText('VareId', 50),
  itemName: optionalText('Varenavn', 200),
  quantity: { wire: 'Antall', type: 'decimal' },
  unit: optionalText('Enhet', 20),
  costPrice: { wire: 'Kostpris', ...price },
  salesPrice: { wire: 'Salgspris', ...price },
  /** Quantity times sales price, with two decimal places. */
  amount: { wire: 'Belop', ...price, readOnly: true },
  isBillable: { wire: 'Faktureres', type: 'boolean', optional: true },
  remark: optionalText('Merknad', 4000),
  source: { wire: 'Kilde', type: 'text', lengthMax: 50 },
  externalId: optionalText('EksternId', 100),
} as const satisfies Record<string, Field>

const lifecycle = {
  state: { wire: 'Status', type: 'text', readOnly: true },
  rejectionReason: { wire: 'AvvistGrunn', type: 'text', optional: true, readOnly: true },
  approvedAt: { wire: 'GodkjentDato', type: 'timestamp', optional: true, readOnly: true },
  approvedBy: { wire: 'GodkjentAv', type: 'text', optional: true, readOnly: true },
  exportedAt: { wire: 'EksportertDato', type: 'timestamp', optional: true, readOnly: true },
  changedAt: { wire: 'SistEndretDato', type: 'timestamp', readOnly: true },
  createdAt: { wire: 'OpprettetDato', type: 'timestamp', readOnly: true },
} as const satisfies Record<string, Field>

export const materialTransaction = defineResource({
  table: 'material',
  wire: 'Transaksjon',
  key: ['id'],
  etagField: 'changedAt',
  indexes: [
    ['state'],
    ['state', 'date'],
    ['projectId'],
    ['departmentId'],
    ['employeeId'],
    ['siteId'],
  ],
  description: 'Material that was picked or used',
  readScope: 'material:read',
  writeScope: 'material:write',
  fields: {
    id: { wire: 'Id', type: 'integer', readOnly: true },
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
    transactionId: { wire: 'TransaksjonId', type: 'integer', readOnly: true },
    revision: { wire: 'Revisjon', type: 'integer', readOnly: true },
    lineKind: { wire: 'Linjetype', type: 'text', readOnly: true },
    reversesId: { wire: 'ReversererId', type: 'integer', optional: true, readOnly: true },
    replacesId: { wire: 'ErstatterId', type: 'integer', optional: true, readOnly: true },
    exportKey: { wire: 'Eksportnokkel', type: 'text', readOnly: true },
    postingDate: { wire: 'PosteringsDato', type: 'date', readOnly: true },
    claimedBy: { wire: 'HoldesAv', type: 'text', optional: true, readOnly: true },
    claimedUntil: { wire: 'HoldesTil', type: 'timestamp', optional: true, readOnly: true },
    /** Reported failures since it became exportable; a line with too many is parked. */
    failures: { wire: 'AntallFeil', type: 'integer', readOnly: true, onlyWhenSelected: true },
    parkedAt: {
      wire: 'ParkertDato',
      type: 'timestamp',
      optional: true,
      readOnly: true,
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
