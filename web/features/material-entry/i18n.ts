// Texts of material entry in both languages; loaded with its screen.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { materialFields } from '../../i18n/material-fields.ts'
import { approvalText } from '../../i18n/approvals.ts'
import { revenueText } from '../../i18n/revenue.ts'

const materialEntryText = defineSection({
  materialEntry: {
    ...materialFields,
    correct: ['Rett og send på nytt', 'Correct and send again'],
    itemHint: ['Søk i det som er brukt før, eller skriv selv', 'Search earlier items, or type a new one'],
    sameAgain: (quantity: string, unit: string, item: string) => [
      `Samme som sist: ${quantity} ${unit} ${item}`,
      `Same as last: ${quantity} ${unit} ${item}`,
    ],
    items: ['Varer å velge mellom', 'Items to choose from'],
    /** In the order of the list. */
    itemGroups: {
      favourite: ['Favoritter', 'Favourites'],
      own: ['Brukt av deg', 'Used by you'],
      department: ['Brukt i avdelingen', 'Used in the department'],
      company: ['Brukt av andre', 'Used by others'],
      older: ['Brukt tidligere', 'Used earlier'],
    },
    star: (item: string) => [`Favoritt: ${item}`, `Favourite: ${item}`],
    itemCount: (count: number) => [pluralize(count, 'vare', 'varer'), pluralize(count, 'item', 'items')],
    itemKeys: [
      'Pil ned velger, pil høyre går til favorittknappen.',
      'Arrow down selects, arrow right moves to the favourite button.',
    ],
    newItem: (item: string) => [
      `«${item}» er ikke brukt før, og registreres slik du skrev det.`,
      `“${item}” has not been used before, and is registered as typed.`,
    ],
    returns: ['Retur? Skriv antallet med minus foran.', 'For a return, enter a negative quantity.'],
    register: ['Registrer', 'Register'],
    sendAgain: ['Send på nytt', 'Send again'],
    saved: (item: string, quantity: string, unit: string) => [
      `Registrert: ${quantity} ${unit} ${item}`,
      `Registered: ${quantity} ${unit} ${item}`,
    ],
    savedAgain: (item: string, quantity: string, unit: string) => [
      `Lagret, og venter på godkjenning: ${quantity} ${unit} ${item}`,
      `Saved, and waiting for approval: ${quantity} ${unit} ${item}`,
    ],
    deleted: (line: string) => [`Slettet: ${line}`, `Deleted: ${line}`],
    registeredAgain: (line: string) => [`Registrert igjen: ${line}`, `Registered again: ${line}`],
    problems: { item: ['Skriv hvilken vare det er.', 'Enter the item.'], date: ['Velg en dato.', 'Choose a date.'] },
    isFuture: (day: string) => [
      `${day} er fram i tid. Trykk en gang til hvis det stemmer.`,
      `${day} is in the future. Press again if that is right.`,
    ],
    empty: ['Du har ikke registrert noe ennå', 'You have not registered anything yet'],
    emptyText: [
      'Det du registrerer, står her til det er godkjent og eksportert.',
      'What you register is listed here until it is approved and exported.',
    ],
  },
})

export const useMaterialEntryText = defineTranslation(materialEntryText, approvalText, revenueText)
