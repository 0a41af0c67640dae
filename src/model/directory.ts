// Directory resources: employees, departments, projects and sites (interface 2.2).
import { defineResource, type Field, type Row } from '../engine/model/resource.ts'

const id = { wire: 'Id', type: 'text', lengthMax: 50 } as const satisfies Field

const departmentId = {
  wire: 'AvdelingId',
  documentName: 'avdelingid',
  type: 'text',
  optional: true,
  lengthMax: 50,
} as const satisfies Field

const name = {
  wire: 'Navn',
  documentName: 'navn',
  type: 'text',
  optional: true,
  lengthMax: 200,
} as const satisfies Field

const note = {
  wire: 'Notat',
  type: 'text',
  optional: true,
  lengthMax: 4000,
} as const satisfies Field

const email = {
  wire: 'Epost',
  type: 'text',
  optional: true,
  lengthMax: 254,
} as const satisfies Field

const responsibleId = {
  wire: 'AnsvarligId',
  type: 'integer',
  optional: true,
} as const satisfies Field

const externalId = {
  wire: 'EksternId',
  type: 'text',
  optional: true,
  lengthMax: 100,
} as const satisfies Field

const addressFields = {
  address: { wire: 'Adresse', type: 'text', optional: true, lengthMax: 200 },
  postalCode: { wire: 'Postnummer', type: 'text', optional: true, lengthMax: 10 },
  postalTown: { wire: 'Poststed', type: 'text', optional: true, lengthMax: 100 },
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
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    id: { wire: 'Id', type: 'integer' },
    firstName: {
      wire: 'Fornavn',
      documentName: 'fornavn',
      type: 'text',
      optional: true,
      lengthMax: 100,
    },
    lastName: {
      wire: 'Etternavn',
      documentName: 'etternavn',
      type: 'text',
      optional: true,
      lengthMax: 100,
    },
    address: { ...addressFields.address, ...personal },
    postalCode: { ...addressFields.postalCode, ...personal },
    postalTown: { ...addressFields.postalTown, ...personal },
    privatePhone: { wire: 'TlfPrivat', type: 'text', optional: true, lengthMax: 30, ...personal },
    mobile: { wire: 'Mobil', type: 'text', optional: true, lengthMax: 30 },
    email,
    bornOn: { wire: 'Fodt', type: 'date', optional: true, ...personal },
    title: { wire: 'Tittel', type: 'text', optional: true, lengthMax: 100 },
    hiredOn: { wire: 'AnsattDato', type: 'date', optional: true },
    hasLeft: { wire: 'Sluttet', type: 'boolean', optional: true },
    leftOn: { wire: 'SluttetDato', type: 'date', optional: true },
    departmentId,
    isActive: { wire: 'Aktiv', type: 'boolean', optional: true },
    identifier: { wire: 'Identifikator', type: 'text', optional: true, lengthMax: 50 },
    note: { ...note, ...personal },
    projectId: { wire: 'ProsjektId', type: 'text', optional: true, lengthMax: 50 },
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
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    // Revenue spells a department's key `AvdelingID`.
    id: { ...id, documentName: 'id', aliases: ['AvdelingID'] },
    name,
    parentId: { wire: 'HovedavdelingId', type: 'text', optional: true, lengthMax: 50 },
    description: { wire: 'Beskrivelse', type: 'text', optional: true, lengthMax: 4000 },
    organisationNumber: { wire: 'Organisasjonsnr', type: 'text', optional: true, lengthMax: 20 },
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
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: {
    id: { ...id, documentName: 'id' },
    name,
    note,
    status: { wire: 'Status', type: 'text', optional: true, lengthMax: 50 },
    departmentId,
    siteId: {
      wire: 'AnleggId',
      documentName: 'anleggid',
      type: 'text',
      optional: true,
      lengthMax: 50,
    },
    responsibleId,
    customerId: { wire: 'KundeId', type: 'text', optional: true, lengthMax: 50 },
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
  readScope: 'directory:read',
  writeScope: 'directory:write',
  fields: { id: { ...id, documentName: 'id' }, name, ...addressFields, externalId, ...stamps },
})

export type Site = Row<typeof site>
