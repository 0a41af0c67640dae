// Names of the fields of a transaction and its line in both languages, for every screen that shows them.
import type { TranslationShape } from './define-section.ts'

const nb = {
  date: 'Dato',
  employee: 'Ansatt',
  department: 'Avdeling',
  project: 'Prosjekt',
  site: 'Anlegg',
  item: 'Vare',
  quantity: 'Antall',
  price: 'Pris',
  amount: 'Beløp',
  billable: 'Faktureres',
  remark: 'Merknad',
  source: 'Kilde',
  exportKey: 'Eksportnøkkel',
  externalId: 'Hos mottakeren',
}

const en: TranslationShape<typeof nb> = {
  date: 'Date',
  employee: 'Employee',
  department: 'Department',
  project: 'Project',
  site: 'Site',
  item: 'Item',
  quantity: 'Quantity',
  price: 'Price',
  amount: 'Amount',
  billable: 'Billable',
  remark: 'Remark',
  source: 'Source',
  exportKey: 'Export key',
  externalId: 'At the receiver',
}

export const materialFields = { nb, en }
