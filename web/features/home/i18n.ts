// Texts of the first steps in both languages; loaded with them.
import { useText } from '../../i18n/translation.tsx'

const nb = {
  title: 'Kom i gang',
  text: (company: string) => `${company} er tomt ennå. Dette er de neste stegene:`,
  records: 'Importer avdelinger, ansatte og prosjekter',
  key: 'Lag en nøkkel til den første integrasjonen',
  people: 'Inviter dem som skal bruke firmaet',
  companies: 'Legg til flere firmaer, om flere skal bruke serveren',
}

type FirstStepTexts = typeof nb

const en: FirstStepTexts = {
  title: 'Getting started',
  text: (company) => `${company} is empty as yet. These are the next steps:`,
  records: 'Import departments, employees and projects',
  key: 'Make a key for the first integration',
  people: 'Invite those who are to use the company',
  companies: 'Add more companies, if more are to use the server',
}

export function useFirstStepText(): FirstStepTexts {
  return useText().language === 'nb' ? nb : en
}
