// Texts of the directory in both languages; loaded with its screens.
import { defineSection, defineTranslation, type Translation } from './translation.ts'

export const directoryText = defineSection({
  directory: {
    importFile: ['Importer fil', 'Import a file'],
    searchIn: (set: string) => [`Søk i ${set.toLowerCase()}`, `Search ${set.toLowerCase()}`],
    fields: {
      Id: ['Nr.', 'No.'],
      Navn: ['Navn', 'Name'],
      Fornavn: ['Fornavn', 'First name'],
      Etternavn: ['Etternavn', 'Last name'],
      Tittel: ['Stilling', 'Title'],
      Epost: ['E-post', 'E-mail'],
      Mobil: ['Mobil', 'Mobile'],
      AvdelingId: ['Avdeling', 'Department'],
      Avdeling: ['Avdeling', 'Department'],
      Anlegg: ['Anlegg', 'Site'],
      Hovedavdeling: ['Hovedavdeling', 'Parent department'],
      Ansvarlig: ['Ansvarlig', 'Responsible'],
      Status: ['Status', 'Status'],
      Poststed: ['Poststed', 'City'],
      Aktiv: ['Aktiv', 'Active'],
      StartDato: ['Start', 'Start'],
      Prosjekt: ['Prosjekt', 'Project'],
      SistEndretDato: ['Sist endret', 'Last changed'],
      OpprettetDato: ['Opprettet', 'Created'],
    },
    emptyTitle: (set: string) => [`Ingen ${set.toLowerCase()} ennå`, `No ${set.toLowerCase()} yet`],
    emptyText: [
      'Registeret fylles av integrasjonen, eller ved import.',
      'The directory is filled by an integration or an import.',
    ],
    notFound: (typed: string) => [
      `«${typed}» finnes ikke i registeret. Velg fra listen.`,
      `“${typed}” is not in the directory. Choose from the list.`,
    ],
    severalNamed: (typed: string) => [
      `Flere i registeret heter «${typed}». Velg fra listen.`,
      `Several in the directory are named “${typed}”. Choose from the list.`,
    ],
  },
})

export const useDirectoryText = defineTranslation(directoryText)

export type DirectoryTexts = Translation<typeof directoryText>
