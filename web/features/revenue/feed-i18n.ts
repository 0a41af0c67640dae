// Texts of the revenue feed in both languages; loaded with it.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  title: 'Mottatt',
  sources: 'Sist mottatt fra hver avsender',
  only: (source: string) => `Vis bare det som kom fra ${source}`,
  source: 'Avsender',
  allSources: 'Alle avsendere',
  action: 'Handling',
  allActions: 'Alle handlinger',
  actions: { insert: 'Ny', set: 'Endret', add: 'Lagt til', delete: 'Slettet', import: 'Importert' },
  columns: {
    at: 'Mottatt',
    source: 'Avsender',
    action: 'Handling',
    cell: 'Avdeling og dato',
    before: 'Før',
    after: 'Etter',
    reference: 'Referanse',
    remark: 'Gjeldende merknad',
    request: 'Forespørsel',
  },
  openCell: (department: string, date: string) => `Vis ${department} ${date}`,
  clear: 'Fjern filtrene',
  empty: 'Ingenting er mottatt ennå',
  emptyText: 'Det som sendes inn, rettes for hånd eller importeres, står her med det samme.',
  noMatch: 'Ingen treff blant de nyeste',
  noMatchText: 'Let lenger tilbake, eller fjern filtrene.',
  older: 'Vis eldre',
  latest: (moment: string) => `Sist mottatt ${moment}`,
}

type FeedTexts = typeof nb

const en: FeedTexts = {
  title: 'Received',
  sources: 'Last received from each sender',
  only: (source) => `Show only what came from ${source}`,
  source: 'Sender',
  allSources: 'All senders',
  action: 'Action',
  allActions: 'All actions',
  actions: { insert: 'New', set: 'Changed', add: 'Added', delete: 'Deleted', import: 'Imported' },
  columns: {
    at: 'Received',
    source: 'Sender',
    action: 'Action',
    cell: 'Department and date',
    before: 'Before',
    after: 'After',
    reference: 'Reference',
    remark: 'Current remark',
    request: 'Request',
  },
  openCell: (department, date) => `Show ${department} ${date}`,
  clear: 'Clear the filters',
  empty: 'Nothing received yet',
  emptyText: 'Whatever is sent, corrected by hand or imported is listed here at once.',
  noMatch: 'None of the latest match',
  noMatchText: 'Look further back, or clear the filters.',
  older: 'Show older',
  latest: (moment) => `Last received ${moment}`,
}

export const feedText = defineSection({ feed: nb }, { feed: en })
