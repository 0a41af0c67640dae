// Texts of the receipt in both languages.
import { materialFields } from '../../i18n/material-fields.ts'

const nb = {
  download: 'Last ned kvittering',
  title: (id: number) => `Kvittering for uthenting ${id}`,
  company: 'Firma',
  destination: 'Mottaker',
  at: 'Hentet',
  by: 'Hentet av',
  query: 'Spørring',
  request: 'Forespørsel',
  claim: 'Reservasjon',
  made: 'Kvitteringen laget',
  count: 'Linjer',
  sum: (currency: string) => `Sum i ${currency}`,
  quantity: 'Antall til sammen',
  ids: 'Første og siste id',
  acknowledged: 'Meldt bokført',
  perDepartment: 'Per avdeling',
  perProject: 'Per prosjekt',
  without: 'Uten',
  code: 'Kode',
  lines: 'Linjene',
  columns: { ...materialFields.nb, id: 'Id', state: 'Tilstand', acknowledgedAt: 'Meldt' },
  incomplete: (shown: string, all: string) =>
    `${shown} av ${all} linjer står her. De andre er lagt klar på nytt siden, eller levert av en tidligere uthenting, så kontrollsummen kan ikke regnes ut av denne filen.`,
  check: 'Kontroll',
  checkText:
    'Kontrollsummen er SHA-256 av teksten nederst: id og revisjon for hver linje som ble hentet, i stigende rekkefølge. Den ble ført da linjene ble hentet. Regn den ut på nytt slik, og sammenlign:',
  hash: 'Kontrollsum (base64url)',
  hex: 'Kontrollsum (heksadesimalt)',
  matches: 'Teksten gir den kontrollsummen som ble ført.',
  differs: 'Teksten gir en annen kontrollsum enn den som ble ført.',
}

export type ReceiptTexts = typeof nb

const en: ReceiptTexts = {
  download: 'Download receipt',
  title: (id) => `Receipt for retrieval ${id}`,
  company: 'Company',
  destination: 'Destination',
  at: 'Fetched',
  by: 'Fetched by',
  query: 'Query',
  request: 'Request',
  claim: 'Claim',
  made: 'Receipt created',
  count: 'Lines',
  sum: (currency) => `Sum in ${currency}`,
  quantity: 'Total quantity',
  ids: 'First and last id',
  acknowledged: 'Reported as exported',
  perDepartment: 'By department',
  perProject: 'By project',
  without: 'None',
  code: 'Code',
  lines: 'The lines',
  columns: { ...materialFields.en, id: 'Id', state: 'Status', acknowledgedAt: 'Reported' },
  incomplete: (shown, all) =>
    `This receipt has ${shown} of ${all} lines. The others have been requeued since, or belong to an earlier retrieval, so the checksum cannot be computed from this file.`,
  check: 'Check',
  checkText:
    'The checksum is SHA-256 of the text at the bottom: id and revision of each line that was fetched, ascending. It was recorded when the lines were fetched. Compute it like this, and compare:',
  hash: 'Checksum (base64url)',
  hex: 'Checksum (hexadecimal)',
  matches: 'The text matches the recorded checksum.',
  differs: 'The text does not match the recorded checksum.',
}

export const receiptTexts = { nb, en } as const
