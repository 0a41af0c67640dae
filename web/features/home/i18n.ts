// Texts of the first steps in both languages; loaded with them.
import { defineSection } from '../../i18n/define-section.ts'

const nb = {
  title: 'Kom i gang',
  text: (company: string) => `${company} har ingen data ennå. Dette er de neste stegene:`,
  records: 'Importer avdelinger, ansatte og prosjekter',
  key: 'Lag en nøkkel til den første integrasjonen',
  people: 'Inviter dem som skal bruke firmaet',
  companies: 'Legg til flere firmaer, om flere skal bruke serveren',
}

type FirstStepsTexts = typeof nb

const en: FirstStepsTexts = {
  title: 'Getting started',
  text: (company) => `${company} has no data yet. These are the next steps:`,
  records: 'Import departments, employees and projects',
  key: 'Create a key for the first integration',
  people: 'Invite the people who will use it',
  companies: 'Add more companies, if several share the server',
}

export const firstStepsText = defineSection({ firstSteps: nb }, { firstSteps: en })
