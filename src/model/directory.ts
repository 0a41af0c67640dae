// Directory resources: employees, departments, projects and sites (interface 2.2).
import { defineResource, optionalText, type Field, type Row } from '../engine/model/resource.ts'

const id = { wire: 'Id', description: 'Key', type: 'text', lengthMax: 50 } as const satisfies Field

const departmentId = {
  ...optionalText('AvdelingId', 50, 'Department, by its key'),
  documentName: 'avdelingid',
} as const satisfies Field

const name = { ...optionalText('Navn', 200, 'Name'), documentName: 'navn' } as const satisfies Field

const note = optionalText('Notat', 4000, 'Note')

const email = optionalText('Epost', 254, 'E-mail address')

const responsibleId = {
  wire: 'AnsvarligId',
  description: 'Responsible employee, by the number',
  type: 'integer',
  optional: true,
} as const satisfies Field

const externalId = optionalText('EksternId', 100, 'Key in another system')

const addressFields = {
  address: optionalText('Adresse', 200, 'Street address'),
  postalCode: optionalText('Postnummer', 10, 'Postal code'),
  postalTown: optionalText('Poststed', 100, 'Postal town'),
} as const satisfies Record<string, Field>

const stamps = {
  changedAt: {
    wire: 'SistEndretDato',
    description: 'Last change, distinct and rising within a company',
    type: 'timestamp',
    readOnly: true,
  },
  createdAt: { wire: 'OpprettetDato', description: 'Insert', type: 'timestamp', readOnly: true },
} as const satisfies Record<string, Field>

const personal = { readScope: 'directory:personal' } as const

export const employee = defineResource({
  table: 'employee',
  wire: 'Ansatt',
  description: 'People who work for the company',
  key: ['id'],
  indexes: [['departmentId'], ['projectId'], ['externalId'], ['changedAt']],
  etagField: 'changedAt',
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    id: { wire: 'Id', description: 'Number', type: 'integer', assigned: true },
    firstName: { ...optionalText('Fornavn', 100, 'First name'), documentName: 'fornavn' },
    lastName: { ...optionalText('Etternavn', 100, 'Last name'), documentName: 'etternavn' },
    address: { ...addressFields.address, ...personal },
    postalCode: { ...addressFields.postalCode, ...personal },
    postalTown: { ...addressFields.postalTown, ...personal },
    privatePhone: { ...optionalText('TlfPrivat', 30, 'Private telephone'), ...personal },
    mobile: optionalText('Mobil', 30, 'Mobile telephone'),
    email,
    bornOn: { wire: 'Fodt', description: 'Date of birth', type: 'date', optional: true, ...personal },
    title: optionalText('Tittel', 100, 'Job title'),
    hiredOn: { wire: 'AnsattDato', description: 'Date of hire', type: 'date', optional: true },
    hasLeft: { wire: 'Sluttet', description: 'Whether the employee has left', type: 'boolean', optional: true },
    leftOn: { wire: 'SluttetDato', description: 'Last day of employment', type: 'date', optional: true },
    departmentId,
    isActive: { wire: 'Aktiv', description: 'Whether it is in use', type: 'boolean', optional: true },
    identifier: optionalText('Identifikator', 50, 'Number in the payroll system'),
    note: { ...note, ...personal },
    projectId: optionalText('ProsjektId', 50, 'Project, by its key'),
    positionPercent: {
      wire: 'Stillingsprosent',
      description: 'Percentage of full-time employment',
      type: 'decimal',
      optional: true,
    },
    isHired: {
      wire: 'Innleie',
      description: 'Whether the employee is hired from another company',
      type: 'boolean',
      optional: true,
    },
    externalId,
    ...stamps,
  },
})

export type Employee = Row<typeof employee>

export const department = defineResource({
  table: 'department',
  wire: 'Avdeling',
  description: 'Departments; a department may have a parent',
  key: ['id'],
  indexes: [['parentId'], ['responsibleId'], ['externalId'], ['changedAt']],
  etagField: 'changedAt',
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    // Revenue spells a department's key `AvdelingID`.
    id: { ...id, documentName: 'id', aliases: ['AvdelingID'] },
    name,
    parentId: optionalText('HovedavdelingId', 50, 'Parent department, by its key'),
    description: optionalText('Beskrivelse', 4000, 'Description'),
    organisationNumber: optionalText('Organisasjonsnr', 20, 'Organisation number'),
    responsibleId,
    email,
    isActive: { wire: 'Aktiv', description: 'Whether it is in use', type: 'boolean', optional: true },
    externalId,
    ...stamps,
  },
})

export type Department = Row<typeof department>

export const project = defineResource({
  table: 'project',
  wire: 'Prosjekt',
  description: 'Projects',
  key: ['id'],
  indexes: [['departmentId'], ['siteId'], ['responsibleId'], ['externalId'], ['changedAt']],
  etagField: 'changedAt',
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    id: { ...id, documentName: 'id' },
    name,
    note,
    status: optionalText('Status', 50, 'State, in the words of the company'),
    departmentId,
    siteId: { ...optionalText('AnleggId', 50, 'Site, by its key'), documentName: 'anleggid' },
    responsibleId,
    customerId: optionalText('KundeId', 50, 'Customer, in the words of the company'),
    externalId,
    isInternal: {
      wire: 'InterntProsjekt',
      description: 'Whether the project is internal',
      type: 'boolean',
      optional: true,
    },
    isStarted: { wire: 'Startet', description: 'Whether it has started', type: 'boolean', optional: true },
    startedOn: { wire: 'StartDato', description: 'Start date', type: 'date', optional: true },
    isFinished: { wire: 'Ferdig', description: 'Whether it is finished', type: 'boolean', optional: true },
    finishedOn: { wire: 'FerdigDato', description: 'Finish date', type: 'date', optional: true },
    isClosed: { wire: 'Avsluttet', description: 'Whether it is closed', type: 'boolean', optional: true },
    closedOn: { wire: 'AvsluttetDato', description: 'Closing date', type: 'date', optional: true },
    ...stamps,
  },
})

export type Project = Row<typeof project>

export const site = defineResource({
  table: 'site',
  wire: 'Anlegg',
  description: 'Locations of projects',
  key: ['id'],
  indexes: [['externalId'], ['changedAt']],
  etagField: 'changedAt',
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: { id: { ...id, documentName: 'id' }, name, ...addressFields, externalId, ...stamps },
})

export type Site = Row<typeof site>
