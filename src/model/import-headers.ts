// Spreadsheet column headers of directory and revenue fields, in Norwegian and English.
import { department, employee, project, site } from './directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenue } from './revenue.ts'

/** The header of a template in each language, and accepted alternatives. */
export interface ColumnHeaders {
  readonly nb: string
  readonly en: string
  readonly also?: readonly string[]
}

/** The headers of a resource's fields by internal name, in the order of a template. */
export function columnHeadersOf(resource: Resource): Readonly<Record<string, ColumnHeaders>> {
  return bySet.get(resource.wire) ?? {}
}

/** Columns added to a file of rejected rows; a corrected file may still have them. */
export const errorHeaders = {
  line: { nb: 'Linje', en: 'Line' },
  problem: { nb: 'Feil', en: 'Error' },
} as const

const address = { nb: 'Adresse', en: 'Address', also: ['Gateadresse', 'Street', 'Street address'] }
const postalCode = {
  nb: 'Postnummer',
  en: 'Postal code',
  also: ['Postnr', 'Zip', 'Zip code', 'Postcode'],
}
const postalTown = { nb: 'Poststed', en: 'City', also: ['Sted', 'Town', 'Postal town', 'By'] }
const email = { nb: 'E-post', en: 'E-mail', also: ['Mail', 'E-postadresse', 'E-mail address'] }
const externalId = {
  nb: 'Ekstern id',
  en: 'External id',
  also: ['Ekstern referanse', 'External reference', 'Eksternt nummer'],
}
const name = { nb: 'Navn', en: 'Name' }
const isActive = { nb: 'Aktiv', en: 'Active' }
const departmentId = {
  nb: 'Avdeling',
  en: 'Department',
  also: ['Avdelingsnummer', 'Avdelingsnr', 'Avd', 'Avd nr', 'Department number', 'Department id'],
}
const responsibleId = {
  nb: 'Ansvarlig',
  en: 'Responsible',
  also: ['Leder', 'Manager', 'Prosjektleder', 'Project manager', 'Manager id', 'Responsible id'],
}
const note = {
  nb: 'Notat',
  en: 'Note',
  also: ['Merknad', 'Kommentar', 'Remark', 'Comment', 'Notes'],
}

const employeeHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Ansattnummer',
    en: 'Employee number',
    also: ['Ansattnr', 'Ansatt nr', 'Ansatt id', 'Employee id', 'Employee no', 'Nr', 'No'],
  },
  firstName: { nb: 'Fornavn', en: 'First name', also: ['Given name', 'Forename'] },
  lastName: { nb: 'Etternavn', en: 'Last name', also: ['Surname', 'Family name'] },
  address,
  postalCode,
  postalTown,
  privatePhone: { nb: 'Telefon privat', en: 'Private phone', also: ['Telefon', 'Phone', 'Tlf'] },
  mobile: { nb: 'Mobil', en: 'Mobile', also: ['Mobiltelefon', 'Mobile phone', 'Cell phone'] },
  email,
  bornOn: { nb: 'Fødselsdato', en: 'Date of birth', also: ['Født', 'Birth date', 'Born'] },
  title: { nb: 'Stilling', en: 'Title', also: ['Stillingstittel', 'Position', 'Job title'] },
  hiredOn: { nb: 'Ansatt dato', en: 'Hired', also: ['Ansatt fra', 'Startdato', 'Hire date'] },
  hasLeft: { nb: 'Sluttet', en: 'Has left', also: ['Left'] },
  leftOn: { nb: 'Sluttdato', en: 'Left on', also: ['Sluttet dato', 'End date', 'Ansatt til'] },
  departmentId,
  isActive,
  identifier: { nb: 'Identifikator', en: 'Identifier', also: ['Kortnummer', 'Card number'] },
  note,
  projectId: {
    nb: 'Prosjekt',
    en: 'Project',
    also: ['Prosjektnummer', 'Prosjektnr', 'Project number', 'Project id'],
  },
  positionPercent: {
    nb: 'Stillingsprosent',
    en: 'Position percent',
    also: ['Stilling %', 'Stillings %', 'Prosent', 'Percent', 'Employment percentage', 'FTE %'],
  },
  isHired: { nb: 'Innleid', en: 'Hired in', also: ['Contractor', 'Temporary'] },
  externalId,
}

const departmentHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Avdelingsnummer',
    en: 'Department number',
    also: ['Avdelingsnr', 'Avdeling', 'Avd', 'Avd nr', 'Department', 'Department id', 'Nr', 'Kode'],
  },
  name: { ...name, also: ['Avdelingsnavn', 'Department name'] },
  parentId: {
    nb: 'Hovedavdeling',
    en: 'Parent department',
    also: ['Overordnet avdeling', 'Parent', 'Parent id'],
  },
  description: { nb: 'Beskrivelse', en: 'Description' },
  organisationNumber: {
    nb: 'Organisasjonsnummer',
    en: 'Organisation number',
    also: ['Orgnr', 'Org nr', 'Organization number'],
  },
  responsibleId,
  email,
  isActive,
  externalId,
}

const projectHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Prosjektnummer',
    en: 'Project number',
    also: ['Prosjektnr', 'Prosjekt', 'Project', 'Project id', 'Nr', 'Kode', 'Code'],
  },
  name: { ...name, also: ['Prosjektnavn', 'Project name'] },
  note,
  status: { nb: 'Status', en: 'Status' },
  departmentId,
  siteId: {
    nb: 'Anlegg',
    en: 'Site',
    also: ['Anleggsnummer', 'Anleggsnr', 'Site number', 'Site id'],
  },
  responsibleId,
  customerId: { nb: 'Kunde', en: 'Customer', also: ['Kundenummer', 'Kundenr', 'Customer number'] },
  isInternal: { nb: 'Internt prosjekt', en: 'Internal project', also: ['Internt', 'Internal'] },
  isStarted: { nb: 'Startet', en: 'Started' },
  startedOn: { nb: 'Startdato', en: 'Start date', also: ['Start'] },
  isFinished: { nb: 'Ferdig', en: 'Finished', also: ['Completed'] },
  finishedOn: { nb: 'Ferdigdato', en: 'Finish date', also: ['Completion date'] },
  isClosed: { nb: 'Avsluttet', en: 'Closed' },
  closedOn: { nb: 'Avsluttet dato', en: 'Closing date', also: ['Sluttdato', 'End date'] },
  externalId,
}

const siteHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Anleggsnummer',
    en: 'Site number',
    also: ['Anleggsnr', 'Anlegg', 'Site', 'Site id', 'Nr', 'Kode', 'Code'],
  },
  name: { ...name, also: ['Anleggsnavn', 'Site name'] },
  address,
  postalCode,
  postalTown,
  externalId,
}

const revenueHeaders: Readonly<Record<string, ColumnHeaders>> = {
  date: { nb: 'Dato', en: 'Date', also: ['Dag', 'Day', 'Salgsdato', 'Business date'] },
  departmentId: { ...departmentId, also: [...departmentId.also, 'Butikk', 'Store', 'Shop'] },
  amount: {
    nb: 'Omsetning',
    en: 'Revenue',
    also: ['Beløp', 'Salg', 'Sum', 'Amount', 'Sales', 'Turnover', 'Net sales'],
  },
  kind: { nb: 'Type', en: 'Type', also: ['Kind'] },
  remark: { nb: 'Merknad', en: 'Remark', also: ['Kommentar', 'Comment', 'Note'] },
}

const bySet: ReadonlyMap<string, Readonly<Record<string, ColumnHeaders>>> = new Map([
  [employee.wire, employeeHeaders],
  [department.wire, departmentHeaders],
  [project.wire, projectHeaders],
  [site.wire, siteHeaders],
  [revenue.wire, revenueHeaders],
])
