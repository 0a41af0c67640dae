// Spreadsheet column headers of directory and revenue fields, in Norwegian and English.
import { department, employee, project, site } from './directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenue } from './revenue.ts'

/** The header of a template in each language, and accepted alternatives. */
export type ColumnHeaders = readonly [nb: string, en: string, alternatives?: readonly string[]]

/** The headers of a resource's fields by internal name, in the order of a template. */
export function columnHeadersOf(resource: Resource): Readonly<Record<string, ColumnHeaders>> {
  return headersByResource.get(resource.wire) ?? {}
}

/** Columns added to a file of rejected rows; a corrected file may still have them. */
export const errorHeaders = { nb: ['Linje', 'Feil'], en: ['Line', 'Error'] } as const

const address: ColumnHeaders = ['Adresse', 'Address', ['Gateadresse', 'Street', 'Street address']]
const postalCode: ColumnHeaders = ['Postnummer', 'Postal code', ['Postnr', 'Zip', 'Zip code', 'Postcode']]
const postalTown: ColumnHeaders = ['Poststed', 'City', ['Sted', 'Town', 'Postal town', 'By']]
const email: ColumnHeaders = ['E-post', 'E-mail', ['Mail', 'E-postadresse', 'E-mail address']]
const externalId: ColumnHeaders = [
  'Ekstern id',
  'External id',
  ['Ekstern referanse', 'External reference', 'Eksternt nummer'],
]
const isActive: ColumnHeaders = ['Aktiv', 'Active']
const departmentNames = ['Avdelingsnummer', 'Avdelingsnr', 'Avd', 'Avd nr', 'Department number', 'Department id']
const departmentId: ColumnHeaders = ['Avdeling', 'Department', departmentNames]
const responsibleId: ColumnHeaders = [
  'Ansvarlig',
  'Responsible',
  ['Leder', 'Manager', 'Prosjektleder', 'Project manager', 'Manager id', 'Responsible id'],
]
const note: ColumnHeaders = ['Notat', 'Note', ['Merknad', 'Kommentar', 'Remark', 'Comment', 'Notes']]

const employeeHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: [
    'Ansattnummer',
    'Employee number',
    ['Ansattnr', 'Ansatt nr', 'Ansatt id', 'Employee id', 'Employee no', 'Nr', 'No'],
  ],
  firstName: ['Fornavn', 'First name', ['Given name', 'Forename']],
  lastName: ['Etternavn', 'Last name', ['Surname', 'Family name']],
  address,
  postalCode,
  postalTown,
  privatePhone: ['Telefon privat', 'Private phone', ['Telefon', 'Phone', 'Tlf']],
  mobile: ['Mobil', 'Mobile', ['Mobiltelefon', 'Mobile phone', 'Cell phone']],
  email,
  bornOn: ['Fødselsdato', 'Date of birth', ['Født', 'Birth date', 'Born']],
  title: ['Stilling', 'Title', ['Stillingstittel', 'Position', 'Job title']],
  hiredOn: ['Ansatt fra', 'Hired', ['Ansatt dato', 'Startdato', 'Hire date']],
  hasLeft: ['Sluttet', 'Has left', ['Left']],
  leftOn: ['Sluttdato', 'Left on', ['Sluttet dato', 'End date', 'Ansatt til']],
  departmentId,
  isActive,
  identifier: ['Identifikator', 'Identifier', ['Kortnummer', 'Card number']],
  note,
  projectId: ['Prosjekt', 'Project', ['Prosjektnummer', 'Prosjektnr', 'Project number', 'Project id']],
  positionPercent: [
    'Stillingsprosent',
    'Position percent',
    ['Stilling %', 'Stillings %', 'Prosent', 'Percent', 'Employment percentage', 'FTE %'],
  ],
  isHired: ['Innleid', 'Hired in', ['Contractor', 'Temporary']],
  externalId,
}

const departmentHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: [
    'Avdelingsnummer',
    'Department number',
    ['Avdelingsnr', 'Avdeling', 'Avd', 'Avd nr', 'Department', 'Department id', 'Nr', 'Kode'],
  ],
  name: ['Navn', 'Name', ['Avdelingsnavn', 'Department name']],
  parentId: ['Hovedavdeling', 'Parent department', ['Overordnet avdeling', 'Parent', 'Parent id']],
  description: ['Beskrivelse', 'Description'],
  organisationNumber: ['Organisasjonsnummer', 'Organisation number', ['Orgnr', 'Org nr', 'Organization number']],
  responsibleId,
  email,
  isActive,
  externalId,
}

const projectHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: ['Prosjektnummer', 'Project number', ['Prosjektnr', 'Prosjekt', 'Project', 'Project id', 'Nr', 'Kode', 'Code']],
  name: ['Navn', 'Name', ['Prosjektnavn', 'Project name']],
  note,
  status: ['Status', 'Status'],
  departmentId,
  siteId: ['Anlegg', 'Site', ['Anleggsnummer', 'Anleggsnr', 'Site number', 'Site id']],
  responsibleId,
  customerId: ['Kunde', 'Customer', ['Kundenummer', 'Kundenr', 'Customer number']],
  isInternal: ['Internt prosjekt', 'Internal project', ['Internt', 'Internal']],
  isStarted: ['Startet', 'Started'],
  startedOn: ['Startdato', 'Start date', ['Start']],
  isFinished: ['Ferdig', 'Finished', ['Completed']],
  finishedOn: ['Ferdigdato', 'Finish date', ['Completion date']],
  isClosed: ['Avsluttet', 'Closed'],
  closedOn: ['Avsluttet dato', 'Closing date', ['Sluttdato', 'End date']],
  externalId,
}

const siteHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: ['Anleggsnummer', 'Site number', ['Anleggsnr', 'Anlegg', 'Site', 'Site id', 'Nr', 'Kode', 'Code']],
  name: ['Navn', 'Name', ['Anleggsnavn', 'Site name']],
  address,
  postalCode,
  postalTown,
  externalId,
}

const revenueHeaders: Readonly<Record<string, ColumnHeaders>> = {
  date: ['Dato', 'Date', ['Dag', 'Day', 'Salgsdato', 'Business date']],
  departmentId: ['Avdeling', 'Department', [...departmentNames, 'Butikk', 'Store', 'Shop']],
  amount: ['Omsetning', 'Revenue', ['Beløp', 'Salg', 'Sum', 'Amount', 'Sales', 'Turnover', 'Net sales']],
  kind: ['Type', 'Type', ['Kind']],
  remark: ['Merknad', 'Remark', ['Kommentar', 'Comment', 'Note']],
}

const headersByResource: ReadonlyMap<string, Readonly<Record<string, ColumnHeaders>>> = new Map([
  [employee.wire, employeeHeaders],
  [department.wire, departmentHeaders],
  [project.wire, projectHeaders],
  [site.wire, siteHeaders],
  [revenue.wire, revenueHeaders],
])
