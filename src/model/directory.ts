// Directory resources: employees, departments, projects and sites (interface 2.2).
import { defineResource, optionalField, optionalText, type Field, type Row } from '../engine/model/resource.ts'
import { timestamps } from './timestamps.ts'

const id = { wire: 'Id', description: 'Key', type: 'text', lengthMax: 50 } as const satisfies Field

const departmentId = {
  ...optionalText('AvdelingId', 50, 'Department, by its key'),
  documentName: 'avdelingid',
} as const satisfies Field

const name = { ...optionalText('Navn', 200, 'Name'), documentName: 'navn' } as const satisfies Field

const note = optionalText('Notat', 4000, 'Note')

const email = optionalText('Epost', 254, 'E-mail address')

const responsibleId = optionalField('AnsvarligId', 'integer', 'Responsible employee, by the number')

const externalId = optionalText('EksternId', 100, 'Key in another system')

const addressFields = {
  address: optionalText('Adresse', 200, 'Street address'),
  postalCode: optionalText('Postnummer', 10, 'Postal code'),
  postalTown: optionalText('Poststed', 100, 'Postal town'),
} as const satisfies Record<string, Field>

const isActive = optionalField('Aktiv', 'boolean', 'Whether it is in use')

const personal = { readScope: 'directory:personal' } as const

/** What all resources of the directory have in common. */
const directoryResource = {
  key: ['id'],
  etagField: 'changedAt',
  readScope: 'directory:read',
  writeScope: 'directory:write',
} as const

export const employee = defineResource({
  ...directoryResource,
  table: 'employee',
  wire: 'Ansatt',
  description: 'People who work for the company',
  indexes: [['departmentId'], ['projectId'], ['externalId'], ['changedAt']],
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
    bornOn: { ...optionalField('Fodt', 'date', 'Date of birth'), ...personal },
    title: optionalText('Tittel', 100, 'Job title'),
    hiredOn: optionalField('AnsattDato', 'date', 'Date of hire'),
    hasLeft: optionalField('Sluttet', 'boolean', 'Whether the employee has left'),
    leftOn: optionalField('SluttetDato', 'date', 'Last day of employment'),
    departmentId,
    isActive,
    identifier: optionalText('Identifikator', 50, 'Number in the payroll system'),
    note: { ...note, ...personal },
    projectId: optionalText('ProsjektId', 50, 'Project, by its key'),
    positionPercent: optionalField('Stillingsprosent', 'decimal', 'Percentage of full-time employment'),
    isHired: optionalField('Innleie', 'boolean', 'Whether the employee is hired from another company'),
    externalId,
    ...timestamps,
  },
})

export type Employee = Row<typeof employee>

export const department = defineResource({
  ...directoryResource,
  table: 'department',
  wire: 'Avdeling',
  description: 'Departments; a department may have a parent',
  indexes: [['parentId'], ['responsibleId'], ['externalId'], ['changedAt']],
  fields: {
    // Revenue spells a department's key `AvdelingID`.
    id: { ...id, documentName: 'id', aliases: ['AvdelingID'] },
    name,
    parentId: optionalText('HovedavdelingId', 50, 'Parent department, by its key'),
    description: optionalText('Beskrivelse', 4000, 'Description'),
    organisationNumber: optionalText('Organisasjonsnr', 20, 'Organisation number'),
    responsibleId,
    email,
    isActive,
    externalId,
    ...timestamps,
  },
})

export type Department = Row<typeof department>

export const project = defineResource({
  ...directoryResource,
  table: 'project',
  wire: 'Prosjekt',
  description: 'Projects',
  indexes: [['departmentId'], ['siteId'], ['responsibleId'], ['externalId'], ['changedAt']],
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
    isInternal: optionalField('InterntProsjekt', 'boolean', 'Whether the project is internal'),
    isStarted: optionalField('Startet', 'boolean', 'Whether it has started'),
    startedOn: optionalField('StartDato', 'date', 'Start date'),
    isFinished: optionalField('Ferdig', 'boolean', 'Whether it is finished'),
    finishedOn: optionalField('FerdigDato', 'date', 'Finish date'),
    isClosed: optionalField('Avsluttet', 'boolean', 'Whether it is closed'),
    closedOn: optionalField('AvsluttetDato', 'date', 'Closing date'),
    ...timestamps,
  },
})

export type Project = Row<typeof project>

export const site = defineResource({
  ...directoryResource,
  table: 'site',
  wire: 'Anlegg',
  description: 'Locations of projects',
  indexes: [['externalId'], ['changedAt']],
  fields: { id: { ...id, documentName: 'id' }, name, ...addressFields, externalId, ...timestamps },
})

export type Site = Row<typeof site>
