// Texts of the directory in both languages; loaded with its screens.
import { defineSection, type Translation, type TranslationShape } from './define-section.ts'

const nb = {
  directory: {
    importFile: 'Importer fil',
    title: 'Register',
    sets: {
      Ansatt: 'Ansatte',
      Avdeling: 'Avdelinger',
      Prosjekt: 'Prosjekter',
      Anlegg: 'Anlegg',
    },
    search: 'Søk',
    searchIn: (set: string) => `Søk i ${set.toLowerCase()}`,
    count: (from: number, to: number, total: string) => `${from}–${to} av ${total}`,
    previous: 'Forrige',
    next: 'Neste',
    fields: {
      Id: 'Nr.',
      Navn: 'Navn',
      Fornavn: 'Fornavn',
      Etternavn: 'Etternavn',
      Tittel: 'Tittel',
      Epost: 'E-post',
      Mobil: 'Mobil',
      AvdelingId: 'Avdeling',
      Avdeling: 'Avdeling',
      Anlegg: 'Anlegg',
      Hovedavdeling: 'Hovedavdeling',
      Ansvarlig: 'Ansvarlig',
      Status: 'Status',
      Poststed: 'Poststed',
      Aktiv: 'Aktiv',
      StartDato: 'Start',
      Prosjekt: 'Prosjekt',
      SistEndretDato: 'Sist endret',
      OpprettetDato: 'Opprettet',
    },
    related: { Ansatte: 'Ansatte', Prosjekter: 'Prosjekter' },
    emptyTitle: (set: string) => `Ingen ${set.toLowerCase()} ennå`,
    emptyText: 'Registeret fylles av integrasjonen, eller ved import.',
    apiNames: 'Navnene i grått er feltnavnene i API-et.',
  },
}

const en: TranslationShape<typeof nb> = {
  directory: {
    importFile: 'Import a file',
    title: 'Directory',
    sets: {
      Ansatt: 'Employees',
      Avdeling: 'Departments',
      Prosjekt: 'Projects',
      Anlegg: 'Sites',
    },
    search: 'Search',
    searchIn: (set) => `Search ${set.toLowerCase()}`,
    count: (from, to, total) => `${from}–${to} of ${total}`,
    previous: 'Previous',
    next: 'Next',
    fields: {
      Id: 'No.',
      Navn: 'Name',
      Fornavn: 'First name',
      Etternavn: 'Last name',
      Tittel: 'Title',
      Epost: 'E-mail',
      Mobil: 'Mobile',
      AvdelingId: 'Department',
      Avdeling: 'Department',
      Anlegg: 'Site',
      Hovedavdeling: 'Parent department',
      Ansvarlig: 'Responsible',
      Status: 'Status',
      Poststed: 'Place',
      Aktiv: 'Active',
      StartDato: 'Start',
      Prosjekt: 'Project',
      SistEndretDato: 'Last changed',
      OpprettetDato: 'Created',
    },
    related: { Ansatte: 'Employees', Prosjekter: 'Projects' },
    emptyTitle: (set) => `No ${set.toLowerCase()} yet`,
    emptyText: 'The directory is filled by an integration or an import.',
    apiNames: 'The names in grey are the field names of the API.',
  },
}

export const directoryText = defineSection(nb, en)

export type DirectoryTexts = Translation<typeof directoryText>
