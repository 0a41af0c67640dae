// Spreadsheet column headers of directory and revenue fields, in Norwegian and English.
import { department, employee, project, site } from './directory.ts'
import type { Resource } from '../engine/model/resource.ts'
import { revenue } from './revenue.ts'

/** The header of a template in each language, and accepted alternatives. */
export interface ColumnHeaders {
  readonly nb: string
  readonly en: string
  readonly aliases?: readonly string[]
}

/** The headers of a resource's fields by internal name, in the order of a template. */
export function columnHeadersOf(resource: Resource): Readonly<Record<string, ColumnHeaders>> {
  return headersByResource.get(resource.wire) ?? {}
}

/** Columns added to a file of rejected rows; a corrected file may still have them. */
export const errorHeaders = { line: { nb: 'Linje', en: 'Line' }, problem: { nb: 'Feil', en: 'Error' } } as const

const address = {
  nb: 'Adresse',
  en: 'Address',
  aliases: ['Gateadresse', 'Street', 'Street address'],
} satisfies ColumnHeaders
const postalCode = {
  nb: 'Postnummer',
  en: 'Postal code',
  aliases: ['Postnr', 'Zip', 'Zip code', 'Postcode'],
} satisfies ColumnHeaders
const postalTown = {
  nb: 'Poststed',
  en: 'City',
  aliases: ['Sted', 'Town', 'Postal town', 'By'],
} satisfies ColumnHeaders
const email = {
  nb: 'E-post',
  en: 'E-mail',
  aliases: ['Mail', 'E-postadresse', 'E-mail address'],
} satisfies ColumnHeaders
const externalId = {
  nb: 'Ekstern id',
  en: 'External id',
  aliases: ['Ekstern referanse', 'External reference', 'Eksternt nummer'],
} satisfies ColumnHeaders
const name = { nb: 'Navn', en: 'Name' } satisfies ColumnHeaders
const isActive = { nb: 'Aktiv', en: 'Active' } satisfies ColumnHeaders
const departmentId = {
  nb: 'Avdeling',
  en: 'Department',
  aliases: ['Avdelingsnummer', 'Avdelingsnr', 'Avd', 'Avd nr', 'Department number', 'Department id'],
} satisfies ColumnHeaders
const responsibleId = {
  nb: 'Ansvarlig',
  en: 'Responsible',
  aliases: ['Leder', 'Manager', 'Prosjektleder', 'Project manager', 'Manager id', 'Responsible id'],
} satisfies ColumnHeaders
const note = {
  nb: 'Notat',
  en: 'Note',
  aliases: ['Merknad', 'Kommentar', 'Remark', 'Comment', 'Notes'],
} satisfies ColumnHeaders

const employeeHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Ansattnummer',
    en: 'Employee number',
    aliases: ['Ansattnr', 'Ansatt nr', 'Ansatt id', 'Employee id', 'Employee no', 'Nr', 'No'],
  },
  firstName: { nb: 'Fornavn', en: 'First name', aliases: ['Given name', 'Forename'] },
  lastName: { nb: 'Etternavn', en: 'Last name', aliases: ['Surname', 'Family name'] },
  address,
  postalCode,
  postalTown,
  privatePhone: { nb: 'Telefon privat', en: 'Private phone', aliases: ['Telefon', 'Phone', 'Tlf'] },
  mobile: { nb: 'Mobil', en: 'Mobile', aliases: ['Mobiltelefon', 'Mobile phone', 'Cell phone'] },
  email,
  bornOn: { nb: 'Fødselsdato', en: 'Date of birth', aliases: ['Født', 'Birth date', 'Born'] },
  title: { nb: 'Stilling', en: 'Title', aliases: ['Stillingstittel', 'Position', 'Job title'] },
  hiredOn: { nb: 'Ansatt dato', en: 'Hired', aliases: ['Ansatt fra', 'Startdato', 'Hire date'] },
  hasLeft: { nb: 'Sluttet', en: 'Has left', aliases: ['Left'] },
  leftOn: { nb: 'Sluttdato', en: 'Left on', aliases: ['Sluttet dato', 'End date', 'Ansatt til'] },
  departmentId,
  isActive,
  identifier: { nb: 'Identifikator', en: 'Identifier', aliases: ['Kortnummer', 'Card number'] },
  note,
  projectId: {
    nb: 'Prosjekt',
    en: 'Project',
    aliases: ['Prosjektnummer', 'Prosjektnr', 'Project number', 'Project id'],
  },
  positionPercent: {
    nb: 'Stillingsprosent',
    en: 'Position percent',
    aliases: ['Stilling %', 'Stillings %', 'Prosent', 'Percent', 'Employment percentage', 'FTE %'],
  },
  isHired: { nb: 'Innleid', en: 'Hired in', aliases: ['Contractor', 'Temporary'] },
  externalId,
}

const departmentHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Avdelingsnummer',
    en: 'Department number',
    aliases: ['Avdelingsnr', 'Avdeling', 'Avd', 'Avd nr', 'Department', 'Department id', 'Nr', 'Kode'],
  },
  name: { ...name, aliases: ['Avdelingsnavn', 'Department name'] },
  parentId: { nb: 'Hovedavdeling', en: 'Parent department', aliases: ['Overordnet avdeling', 'Parent', 'Parent id'] },
  description: { nb: 'Beskrivelse', en: 'Description' },
  organisationNumber: {
    nb: 'Organisasjonsnummer',
    en: 'Organisation number',
    aliases: ['Orgnr', 'Org nr', 'Organization number'],
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
    aliases: ['Prosjektnr', 'Prosjekt', 'Project', 'Project id', 'Nr', 'Kode', 'Code'],
  },
  name: { ...name, aliases: ['Prosjektnavn', 'Project name'] },
  note,
  status: { nb: 'Status', en: 'Status' },
  departmentId,
  siteId: { nb: 'Anlegg', en: 'Site', aliases: ['Anleggsnummer', 'Anleggsnr', 'Site number', 'Site id'] },
  responsibleId,
  customerId: { nb: 'Kunde', en: 'Customer', aliases: ['Kundenummer', 'Kundenr', 'Customer number'] },
  isInternal: { nb: 'Internt prosjekt', en: 'Internal project', aliases: ['Internt', 'Internal'] },
  isStarted: { nb: 'Startet', en: 'Started' },
  startedOn: { nb: 'Startdato', en: 'Start date', aliases: ['Start'] },
  isFinished: { nb: 'Ferdig', en: 'Finished', aliases: ['Completed'] },
  finishedOn: { nb: 'Ferdigdato', en: 'Finish date', aliases: ['Completion date'] },
  isClosed: { nb: 'Avsluttet', en: 'Closed' },
  closedOn: { nb: 'Avsluttet dato', en: 'Closing date', aliases: ['Sluttdato', 'End date'] },
  externalId,
}

const siteHeaders: Readonly<Record<string, ColumnHeaders>> = {
  id: {
    nb: 'Anleggsnummer',
    en: 'Site number',
    aliases: ['Anleggsnr', 'Anlegg', 'Site', 'Site id', 'Nr', 'Kode', 'Code'],
  },
  name: { ...name, aliases: ['Anleggsnavn', 'Site name'] },
  address,
  postalCode,
  postalTown,
  externalId,
}

const revenueHeaders: Readonly<Record<string, ColumnHeaders>> = {
  date: { nb: 'Dato', en: 'Date', aliases: ['Dag', 'Day', 'Salgsdato', 'Business date'] },
  departmentId: { ...departmentId, aliases: [...departmentId.aliases, 'Butikk', 'Store', 'Shop'] },
  amount: {
    nb: 'Omsetning',
    en: 'Revenue',
    aliases: ['Beløp', 'Salg', 'Sum', 'Amount', 'Sales', 'Turnover', 'Net sales'],
  },
  kind: { nb: 'Type', en: 'Type', aliases: ['Kind'] },
  remark: { nb: 'Merknad', en: 'Remark', aliases: ['Kommentar', 'Comment', 'Note'] },
}

const headersByResource: ReadonlyMap<string, Readonly<Record<string, ColumnHeaders>>> = new Map([
  [employee.wire, employeeHeaders],
  [department.wire, departmentHeaders],
  [project.wire, projectHeaders],
  [site.wire, siteHeaders],
  [revenue.wire, revenueHeaders],
])
