// Material transactions, and the items that they name, as Kysely sees them.
import type { State } from '../../model/transaction.ts'

/** What the one who registered a transaction says of it. */
export interface MaterialContentColumns {
  date: string
  employeeId: number | null
  departmentId: string | null
  projectId: string | null
  siteId: string | null
  itemId: string | null
  itemName: string | null
  /** Ten-thousandths, like the prices and the amount. */
  quantity: number
  unit: string | null
  costPrice: number | null
  salesPrice: number | null
  amount: number | null
  isBillable: number | null
  remark: string | null
  source: string
  externalId: string | null
}

/** A transaction as it is now. */
export interface MaterialTable extends MaterialContentColumns {
  companyId: number
  id: number
  /** Of the content: raised by every change of it. */
  revision: number
  state: State
  rejectionReason: string | null
  approvedAt: number | null
  approvedBy: string | null
  exportedAt: number | null
  registeredBy: string
  /** Of the last approval, rejection or withdrawal. */
  decidedAt: number | null
  decidedBy: string | null
  changedAt: number
  createdAt: number
}

/** What a transaction said before it was changed. */
export interface MaterialRevisionTable {
  companyId: number
  materialId: number
  revision: number
  /** JSON of the columns. */
  content: string
  replacedAt: number
  replacedBy: string
  requestId: string
}

/** An item that material was registered with; unit and price are those of its latest line. */
export interface ItemTable {
  companyId: number
  /** Empty where it has only a number, and the other way round. */
  itemName: string
  itemId: string
  unit: string | null
  /** Ten-thousandths. */
  salesPrice: number | null
  /** Name and number in lower case. */
  searched: string
}

/** An item that somebody put a star on. */
export interface FavouriteItemTable {
  companyId: number
  userId: number
  itemName: string
  itemId: string
}
