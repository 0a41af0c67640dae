// What registering material says, in both languages; loaded with the screens that say it.
import { section, type Widened } from './section.ts'

const nb = {
  usage: {
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
    itemKeys: 'Pil ned velger, pil høyre går til stjernen.',
    newItem: (item: string) => `«${item}» er ikke brukt før, og registreres slik det står.`,
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
    incomplete: 'Skriv hvilken vare det er, og hvor mange.',
    empty: 'Du har ikke registrert noe ennå',
    emptyText: 'Det du registrerer, står her til det er godkjent og eksportert.',
    conditions: {
      Registrert: 'Venter på godkjenning',
      Godkjent: 'Godkjent',
      Avvist: 'Avvist',
      Eksportert: 'Eksportert',
    },
  },
}

const en: Widened<typeof nb> = {
  usage: {
    new: 'New material',
    correct: 'Correct and send again',
    change: 'Change',
    delete: 'Delete',
    mine: 'My material',
    item: 'Item',
    itemHint: 'Search what was used before, or write it yourself',
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
    itemKeys: 'Arrow down chooses, arrow right goes to the star.',
    newItem: (item) => `“${item}” was not used before, and is registered as it stands.`,
    quantity: 'Quantity',
    unit: 'Unit',
    project: 'Project',
    department: 'Department',
    date: 'Date',
    returns: 'A return? Write the quantity with a minus.',
    register: 'Register',
    sendAgain: 'Send again',
    saved: (item, quantity, unit) => `Registered: ${quantity} ${unit} ${item}`,
    incomplete: 'Write which item it is, and how many.',
    empty: 'You have not registered anything yet',
    emptyText: 'What you register stands here until it is approved and exported.',
    conditions: {
      Registrert: 'Waiting for approval',
      Godkjent: 'Approved',
      Avvist: 'Rejected',
      Eksportert: 'Exported',
    },
  },
}

export const usageText = section(nb, en)
