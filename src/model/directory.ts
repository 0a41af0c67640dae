// Directory resources: employees, departments, projects and sites (interface 2.2).
import { defineResource, optionalText, type Field, type Row } from '../engine/model/resource.ts'

const id = { wire: 'Id', type: 'text', lengthMax: 50 } as const satisfies Field

const departmentId = {
  ...optionalText('AvdelingId', 50),
  documentName: 'avdelingid',
} as const satisfies Field

const name = { ...optionalText('Navn', 200), documentName: 'navn' } as const satisfies Field

const note = optionalText('Notat', 4000)

const email = optionalText('Epost', 254)

const responsibleId = {
  wire: 'AnsvarligId',
  type: 'integer',
  optional: true,
} as const satisfies Field

const externalId = optionalText('EksternId', 100)

const addressFields = {
  address: optionalText('Adresse', 200),
  postalCode: optionalText('Postnummer', 10),
  postalTown: optionalText('Poststed', 100),
} as const satisfies Record<string, Field>

const stamps = {
  changedAt: { wire: 'SistEndretDato', type: 'timestamp', readOnly: true },
  createdAt: { wire: 'OpprettetDato', type: 'timestamp', readOnly: true },
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
    id: { wire: 'Id', type: 'integer' },
    firstName: { ...optionalText('Fornavn', 100), documentName: 'fornavn' },
    lastName: { ...optionalText('Etternavn', 100), documentName: 'etternavn' },
    address: { ...addressFields.address, ...personal },
    postalCode: { ...addressFields.postalCode, ...personal },
    postalTown: { ...addressFields.postalTown, ...personal },
    privatePhone: { ...optionalText('TlfPrivat', 30), ...personal },
    mobile: optionalText('Mobil', 30),
    email,
    bornOn: { wire: 'Fodt', type: 'date', optional: true, ...personal },
    title: optionalText('Tittel', 100),
    hiredOn: { wire: 'AnsattDato', type: 'date', optional: true },
    hasLeft: { wire: 'Sluttet', type: 'boolean', optional: true },
    leftOn: { wire: 'SluttetDato', type: 'date', optional: true },
    departmentId,
    isActive: { wire: 'Aktiv', type: 'boolean', optional: true },
    identifier: optionalText('Identifikator', 50),
    note: { ...note, ...personal },
    projectId: optionalText('ProsjektId', 50),
    positionPercent: { wire: 'Stillingsprosent', type: 'decimal', optional: true },
    isHired: { wire: 'Innleie', type: 'boolean', optional: true },
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
    parentId: optionalText('HovedavdelingId', 50),
    description: optionalText('Beskrivelse', 4000),
    organisationNumber: optionalText('Organisasjonsnr', 20),
    responsibleId,
    email,
    isActive: { wire: 'Aktiv', type: 'boolean', optional: true },
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
    status: optionalText('Status', 50),
    departmentId,
    siteId: { ...optionalText('AnleggId', 50), documentName: 'anleggid' },
    responsibleId,
    customerId: optionalText('KundeId', 50),
    externalId,
    isInternal: { wire: 'InterntProsjekt', type: 'boolean', optional: true },
    isStarted: { wire: 'Startet', type: 'boolean', optional: true },
    startedOn: { wire: 'StartDato', type: 'date', optional: true },
    isFinished: { wire: 'Ferdig', type: 'boolean', optional: true },
    finishedOn: { wire: 'FerdigDato', type: 'date', optional: true },
    isClosed: { wire: 'Avsluttet', type: 'boolean', optional: true },
    closedOn: { wire: 'AvsluttetDato', type: 'date', optional: true },
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
