// Texts of the record form in both languages; loaded with it.
import { defineSection, defineTranslation } from '../../i18n/translation.ts'
import { directoryText } from '../../i18n/directory.ts'

const recordText = defineSection({
  records: {
    edit: ['Rediger', 'Edit'],
    add: {
      Ansatt: ['Ny ansatt', 'New employee'],
      Avdeling: ['Ny avdeling', 'New department'],
      Prosjekt: ['Nytt prosjekt', 'New project'],
      Anlegg: ['Nytt anlegg', 'New site'],
    },
    saved: ['Lagret.', 'Saved.'],
    missing: ['Posten finnes ikke', 'There is no such record'],
    missingText: ['Den kan være slettet, eller koden er en annen.', 'It may be deleted, or its code is another one.'],
    noKey: ['Tomt: neste ledige nummer', 'Empty: the next free number'],
    notSpecified: ['Ikke oppgitt', 'Not specified'],
    deleteQuestion: (name: string) => [`Slette ${name}?`, `Delete ${name}?`],
    deleteText: [
      'En post som andre poster viser til, kan ikke slettes. En ansatt som er i bruk, blir anonymisert: alt unntatt nummeret fjernes, og kan ikke gjenopprettes.',
      'A record that other records refer to cannot be deleted. An employee in use is anonymized instead: everything but the number is removed, and cannot be restored.',
    ],
  },
})

export const useRecordText = defineTranslation(recordText, directoryText)
