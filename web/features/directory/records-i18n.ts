// Texts of the record form in both languages; loaded with it.
import { useText } from '../../i18n/translation.tsx'

const nb = {
  edit: 'Rediger',
  add: {
    Ansatt: 'Ny ansatt',
    Avdeling: 'Ny avdeling',
    Prosjekt: 'Nytt prosjekt',
    Anlegg: 'Nytt anlegg',
  },
  save: 'Lagre',
  saved: 'Lagret.',
  noKey: 'Tomt: neste ledige nummer',
  dateHint: 'Som 1.5.2026',
  notSaid: 'Ikke oppgitt',
  remove: 'Slett',
  removeAsk: (name: string) => `Slette ${name}?`,
  removeText:
    'En post som noe viser til, kan ikke slettes. En ansatt som er brukt i andre poster, blir stående med nummeret alene: alt annet om personen fjernes, og kan ikke hentes tilbake.',
  problemAt: (field: string) => `Se på feltet ${field}:`,
}

export type RecordTexts = typeof nb

const en: RecordTexts = {
  edit: 'Edit',
  add: {
    Ansatt: 'New employee',
    Avdeling: 'New department',
    Prosjekt: 'New project',
    Anlegg: 'New site',
  },
  save: 'Save',
  saved: 'Saved.',
  noKey: 'Empty: the next free number',
  dateHint: 'Like 1.5.2026',
  notSaid: 'Not said',
  remove: 'Delete',
  removeAsk: (name) => `Delete ${name}?`,
  removeText:
    'A record that something refers to cannot be deleted. An employee who is used in other records stays with the number alone: all else about the person is removed, and cannot be brought back.',
  problemAt: (field) => `Look at the field ${field}:`,
}

export function useRecordText(): RecordTexts {
  return useText().language === 'nb' ? nb : en
}
