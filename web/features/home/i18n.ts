// Texts of the first steps in both languages; loaded with them.
import { defineSection, type TranslationShape } from '../../i18n/define-section.ts'

const nb = {
  firstSteps: {
    title: (done: number, all: number) => `Kom i gang: ${done} av ${all}`,
    records: 'Importer avdelinger, ansatte og prosjekter',
    people: 'Inviter dem som skal bruke firmaet',
    figure: 'Lag en nøkkel til kassen, og ta imot de første tallene',
    handOff: 'Koble til regnskapet, så det henter godkjente uttak',
    companies: 'Legg til flere firmaer, om flere skal bruke serveren',
    done: 'ferdig',
    example: 'Fyll med eksempeldata',
    exampleText: 'Tre avdelinger, to prosjekter og omsetning for fjorten måneder. Alt kan angres under Import.',
    close: 'Ikke vis dette mer',
  },
}

const en: TranslationShape<typeof nb> = {
  firstSteps: {
    title: (done, all) => `Get started: ${done} of ${all}`,
    records: 'Import departments, employees and projects',
    people: 'Invite the people who will use it',
    figure: 'Create a key for the till, and receive the first figures',
    handOff: 'Connect the accounting, which fetches approved material',
    companies: 'Add more companies, if several share the server',
    done: 'done',
    example: 'Fill with example data',
    exampleText:
      'Three departments, two projects and revenue for fourteen months. All of it can be undone under Import.',
    close: 'Do not show this again',
  },
}

export const firstStepsText = defineSection(nb, en)
