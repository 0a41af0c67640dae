// Names of the fields of a transaction and its line in both languages, for every screen that shows them.
import { defineTexts } from './define-texts.ts'

export const materialFields = defineTexts({
  date: ['Dato', 'Date'],
  employee: ['Ansatt', 'Employee'],
  employeeId: ['Ansattnr.', 'Employee no.'],
  department: ['Avdeling', 'Department'],
  departmentId: ['Avdelingskode', 'Department code'],
  project: ['Prosjekt', 'Project'],
  projectId: ['Prosjektnr.', 'Project no.'],
  site: ['Anlegg', 'Site'],
  item: ['Vare', 'Item'],
  itemId: ['Varenr.', 'Item no.'],
  quantity: ['Antall', 'Quantity'],
  unit: ['Enhet', 'Unit'],
  price: ['Pris', 'Price'],
  amount: ['Beløp', 'Amount'],
  billable: ['Faktureres', 'Billable'],
  remark: ['Merknad', 'Remark'],
  source: ['Kilde', 'Source'],
  exportKey: ['Eksportnøkkel', 'Export key'],
  receiverId: ['Hos mottakeren', 'At the receiver'],
})
