// Columns, query options and search fields of each directory list.
import type { DirectorySet } from '../../../src/app/contract/directory.ts'
import type { DirectoryTexts } from '../../i18n/directory.ts'

export type FieldName = keyof DirectoryTexts['directory']['fields']

interface ListDefinition {
  readonly columns: readonly FieldName[]
  readonly select: string
  readonly expand: string
  readonly order: string
  readonly searched: readonly string[]
  /** For the drawer. */
  readonly expandAll: string
}

export const listDefinitions: Readonly<Record<DirectorySet, ListDefinition>> = {
  Ansatt: {
    columns: ['Id', 'Etternavn', 'Fornavn', 'Tittel', 'Avdeling', 'Epost', 'Aktiv'],
    select: 'Id,Fornavn,Etternavn,Tittel,Epost,Aktiv',
    expand: 'Avdeling($select=Id,Navn)',
    order: 'Etternavn,Fornavn',
    searched: ['Fornavn', 'Etternavn', 'Epost', 'Tittel'],
    expandAll: 'Avdeling($select=Id,Navn),Prosjekt($select=Id,Navn)',
  },
  Avdeling: {
    columns: ['Id', 'Navn', 'Hovedavdeling', 'Ansvarlig', 'Aktiv'],
    select: 'Id,Navn,Aktiv',
    expand: 'Hovedavdeling($select=Id,Navn),Ansvarlig($select=Id,Fornavn,Etternavn)',
    order: 'Id',
    searched: ['Id', 'Navn'],
    expandAll:
      'Hovedavdeling($select=Id,Navn),Ansvarlig($select=Id,Fornavn,Etternavn),Ansatte($select=Id,Fornavn,Etternavn),Prosjekter($select=Id,Navn)',
  },
  Prosjekt: {
    columns: ['Id', 'Navn', 'Avdeling', 'Anlegg', 'Ansvarlig', 'StartDato', 'Status'],
    select: 'Id,Navn,Status,StartDato',
    expand: 'Avdeling($select=Id,Navn),Anlegg($select=Id,Navn),Ansvarlig($select=Id,Fornavn,Etternavn)',
    order: 'Id',
    searched: ['Id', 'Navn'],
    expandAll: 'Avdeling($select=Id,Navn),Anlegg($select=Id,Navn),Ansvarlig($select=Id,Fornavn,Etternavn)',
  },
  Anlegg: {
    columns: ['Id', 'Navn', 'Poststed'],
    select: 'Id,Navn,Poststed',
    expand: '',
    order: 'Id',
    searched: ['Id', 'Navn', 'Poststed'],
    expandAll: 'Prosjekter($select=Id,Navn)',
  },
}

/** `contains` on any field, as typed and capitalized. */
export function toSearchFilter(fields: readonly string[], text: string): string {
  const quoted = (word: string) => `'${word.replaceAll("'", "''")}'`
  const capital = text.charAt(0).toUpperCase() + text.slice(1)
  const words = [...new Set([text, capital])]
  return fields.flatMap((field) => words.map((word) => `contains(${field},${quoted(word)})`)).join(' or ')
}

/** By a column, with a minus for the largest first, and related records by name; otherwise the list's own order. */
export function toOrderBy({ columns, order }: ListDefinition, sorted = ''): string {
  const name = columns.find((one) => one === sorted.replace('-', ''))
  return name === undefined ? order : `${orderPaths[name] ?? name}${sorted.startsWith('-') ? ' desc' : ''},${order}`
}

const orderPaths: Readonly<Record<string, string>> = {
  Avdeling: 'Avdeling/Navn',
  Hovedavdeling: 'Hovedavdeling/Navn',
  Anlegg: 'Anlegg/Navn',
  Ansvarlig: 'Ansvarlig/Etternavn',
}
