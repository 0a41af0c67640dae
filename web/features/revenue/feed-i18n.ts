// Texts of the revenue feed in both languages; loaded with it.
import { defineSection, defineTranslation } from '../../i18n/translation.ts'

const feedText = defineSection({
  feed: {
    title: ['Mottatt', 'Received'],
    sources: ['Sist mottatt fra hver avsender', 'Last received from each sender'],
    only: (source: string) => [`Vis bare det som kom fra ${source}`, `Show only what came from ${source}`],
    source: ['Avsender', 'Sender'],
    allSources: ['Alle avsendere', 'All senders'],
    action: ['Handling', 'Action'],
    allActions: ['Alle handlinger', 'All actions'],
    actions: {
      insert: ['Ny', 'New'],
      set: ['Endret', 'Changed'],
      add: ['Lagt til', 'Added'],
      delete: ['Slettet', 'Deleted'],
      import: ['Importert', 'Imported'],
    },
    columns: {
      day: ['Dato', 'Date'],
      before: ['Før', 'Before'],
      after: ['Etter', 'After'],
      reference: ['Referanse', 'Reference'],
      remark: ['Gjeldende merknad', 'Current remark'],
      departmentCode: ['Avdelingskode', 'Department code'],
      kind: ['Posttype', 'Record type'],
    },
    openCell: (department: string, date: string) => [`Vis ${department} ${date}`, `Show ${department} ${date}`],
    empty: ['Ingenting er mottatt ennå', 'Nothing received yet'],
    emptyText: [
      'Det som sendes inn, rettes for hånd eller importeres, står her med det samme.',
      'Whatever is sent, corrected by hand or imported is listed here at once.',
    ],
    latest: (moment: string) => [`Sist mottatt ${moment}`, `Last received ${moment}`],
  },
})

export const useFeedText = defineTranslation(feedText)
