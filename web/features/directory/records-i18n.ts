// Texts of the record form in both languages; loaded with it.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  edit: 'Rediger',
  add: { Ansatt: 'Ny ansatt', Avdeling: 'Ny avdeling', Prosjekt: 'Nytt prosjekt', Anlegg: 'Nytt anlegg' },
  save: 'Lagre',
  saved: 'Lagret.',
  noKey: 'Tomt: neste ledige nummer',
  dateHint: 'For eksempel 1.5.2026',
  notSpecified: 'Ikke oppgitt',
  delete: 'Slett',
  deleteQuestion: (name: string) => `Slette ${name}?`,
  deleteText:
    'En post som andre poster viser til, kan ikke slettes. En ansatt som er i bruk, blir anonymisert: alt unntatt nummeret fjernes, og kan ikke gjenopprettes.',
}

export type RecordTexts = typeof nb

const en: RecordTexts = {
  edit: 'Edit',
  add: { Ansatt: 'New employee', Avdeling: 'New department', Prosjekt: 'New project', Anlegg: 'New site' },
  save: 'Save',
  saved: 'Saved.',
  noKey: 'Empty: the next free number',
  dateHint: 'For example 1.5.2026',
  notSpecified: 'Not specified',
  delete: 'Delete',
  deleteQuestion: (name) => `Delete ${name}?`,
  deleteText:
    'A record that other records refer to cannot be deleted. An employee in use is anonymized instead: everything but the number is removed, and cannot be restored.',
}

export const recordText = defineSection({ records: nb }, { records: en })
