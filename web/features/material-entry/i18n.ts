// Texts of material entry in both languages; loaded with its screen.
import { defineSection, type TranslationShape } from '../../i18n/define-section.ts'

const nb = {
  materialEntry: {
    new: 'Nytt uttak',
    correct: 'Rett og send på nytt',
    change: 'Endre',
    delete: 'Slett',
    mine: 'Mine uttak',
    item: 'Vare',
    itemHint: 'Søk i det som er brukt før, eller skriv selv',
    items: 'Varer å velge mellom',
    itemGroups: {
      favourite: 'Favoritter',
      own: 'Brukt av deg',
      department: 'Brukt i avdelingen',
      company: 'Brukt av andre',
      older: 'Brukt tidligere',
    },
    star: (item: string) => `Favoritt: ${item}`,
    itemCount: (count: number) => (count === 1 ? '1 vare' : `${count} varer`),
    itemKeys: 'Pil ned velger, pil høyre går til favorittknappen.',
    newItem: (item: string) => `«${item}» er ikke brukt før, og registreres slik du skrev det.`,
    quantity: 'Antall',
    unit: 'Enhet',
    project: 'Prosjekt',
    department: 'Avdeling',
    date: 'Dato',
    returns: 'Retur? Skriv antallet med minus foran.',
    register: 'Registrer',
    sendAgain: 'Send på nytt',
    saved: (item: string, quantity: string, unit: string) =>
      `Registrert: ${quantity} ${unit} ${item}`,
    savedAgain: (item: string, quantity: string, unit: string) =>
      `Lagret, og venter på godkjenning: ${quantity} ${unit} ${item}`,
    problems: {
      item: 'Skriv hvilken vare det er.',
      quantity: 'Skriv et tall, for eksempel 2,5.',
      date: 'Velg en dato.',
    },
    isFuture: (day: string) => `${day} er fram i tid. Trykk en gang til hvis det stemmer.`,
    empty: 'Du har ikke registrert noe ennå',
    emptyText: 'Det du registrerer, står her til det er godkjent og eksportert.',
    states: {
      Registrert: 'Venter på godkjenning',
      Godkjent: 'Godkjent',
      Avvist: 'Avvist',
      Eksportert: 'Eksportert',
    },
  },
}

const en: TranslationShape<typeof nb> = {
  materialEntry: {
    new: 'New material',
    correct: 'Correct and send again',
    change: 'Change',
    delete: 'Delete',
    mine: 'My material',
    item: 'Item',
    itemHint: 'Search earlier items, or type a new one',
    items: 'Items to choose from',
    itemGroups: {
      favourite: 'Favourites',
      own: 'Used by you',
      department: 'Used in the department',
      company: 'Used by others',
      older: 'Used earlier',
    },
    star: (item) => `Favourite: ${item}`,
    itemCount: (count) => (count === 1 ? '1 item' : `${count} items`),
    itemKeys: 'Arrow down selects, arrow right moves to the favourite button.',
    newItem: (item) => `“${item}” has not been used before, and is registered as typed.`,
    quantity: 'Quantity',
    unit: 'Unit',
    project: 'Project',
    department: 'Department',
    date: 'Date',
    returns: 'For a return, enter a negative quantity.',
    register: 'Register',
    sendAgain: 'Send again',
    saved: (item, quantity, unit) => `Registered: ${quantity} ${unit} ${item}`,
    savedAgain: (item, quantity, unit) =>
      `Saved, and waiting for approval: ${quantity} ${unit} ${item}`,
    problems: {
      item: 'Enter the item.',
      quantity: 'Enter a number, such as 2.5.',
      date: 'Choose a date.',
    },
    isFuture: (day) => `${day} is in the future. Press again if that is right.`,
    empty: 'You have not registered anything yet',
    emptyText: 'What you register is listed here until it is approved and exported.',
    states: {
      Registrert: 'Waiting for approval',
      Godkjent: 'Approved',
      Avvist: 'Rejected',
      Eksportert: 'Exported',
    },
  },
}

export const materialEntryText = defineSection(nb, en)
