// Texts of the receipt in both languages.
import { defineSection, type Translation } from '../../i18n/translation.ts'
import { materialFields } from '../../i18n/material-fields.ts'

export const receiptTexts = defineSection({
  download: ['Last ned kvittering', 'Download receipt'],
  title: (id: number) => [`Kvittering for uthenting ${id}`, `Receipt for retrieval ${id}`],
  company: ['Firma', 'Company'],
  destination: ['Mottaker', 'Receiver'],
  at: ['Hentet', 'Fetched'],
  by: ['Hentet av', 'Fetched by'],
  query: ['Spørring', 'Query'],
  request: ['Forespørsel', 'Request'],
  claim: ['Reservasjon', 'Claim'],
  made: ['Kvitteringen laget', 'Receipt created'],
  count: ['Linjer', 'Lines'],
  sum: (currency: string) => [`Sum i ${currency}`, `Sum in ${currency}`],
  quantity: ['Antall til sammen', 'Total quantity'],
  ids: ['Første og siste id', 'First and last id'],
  acknowledged: ['Meldt bokført', 'Reported as booked'],
  perDepartment: ['Per avdeling', 'By department'],
  perProject: ['Per prosjekt', 'By project'],
  without: ['Uten', 'None'],
  code: ['Kode', 'Code'],
  lines: ['Linjene', 'The lines'],
  columns: { ...materialFields, id: ['Id', 'Id'], state: ['Status', 'Status'], acknowledgedAt: ['Meldt', 'Reported'] },
  incomplete: (shown: string, all: string) => [
    `${shown} av ${all} linjer står her. De andre er lagt klar på nytt siden, eller levert av en tidligere uthenting, så kontrollsummen kan ikke regnes ut av denne filen.`,
    `This receipt has ${shown} of ${all} lines. The others have been requeued since, or belong to an earlier retrieval, so the checksum cannot be computed from this file.`,
  ],
  check: ['Kontroll', 'Check'],
  checkText: [
    'Kontrollsummen er SHA-256 av teksten nederst: id og revisjon for hver linje som ble hentet, i stigende rekkefølge. Den ble ført da linjene ble hentet. Regn den ut på nytt slik, og sammenlign:',
    'The checksum is SHA-256 of the text at the bottom: id and revision of each line that was fetched, ascending. It was recorded when the lines were fetched. Compute it like this, and compare:',
  ],
  hash: ['Kontrollsum (base64url)', 'Checksum (base64url)'],
  hex: ['Kontrollsum (heksadesimalt)', 'Checksum (hexadecimal)'],
  matches: ['Teksten gir den kontrollsummen som ble ført.', 'The text matches the recorded checksum.'],
  differs: ['Teksten gir en annen kontrollsum enn den som ble ført.', 'The text does not match the recorded checksum.'],
})

export type ReceiptTexts = Translation<typeof receiptTexts>
