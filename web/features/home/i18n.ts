// Texts of the first steps in both languages; loaded with them.
import { defineSection } from '../../i18n/define-section.ts'

export const firstStepsText = defineSection({
  firstSteps: {
    title: (done: number, all: number) => [`Kom i gang: ${done} av ${all}`, `Get started: ${done} of ${all}`],
    records: ['Importer avdelinger, ansatte og prosjekter', 'Import departments, employees and projects'],
    people: ['Inviter dem som skal bruke firmaet', 'Invite the people who will use it'],
    figure: [
      'Lag en nøkkel til kassen, og ta imot de første tallene',
      'Create a key for the till, and receive the first figures',
    ],
    handOff: [
      'Koble til regnskapet, så det henter godkjente uttak',
      'Connect the accounting, which fetches approved material',
    ],
    companies: [
      'Legg til flere firmaer, om flere skal bruke serveren',
      'Add more companies, if several share the server',
    ],
    done: ['ferdig', 'done'],
    example: ['Fyll med eksempeldata', 'Fill with example data'],
    exampleText: [
      'Tre avdelinger, to prosjekter og omsetning for fjorten måneder. Alt kan angres under Import.',
      'Three departments, two projects and revenue for fourteen months. All of it can be undone under Import.',
    ],
    close: ['Ikke vis dette mer', 'Do not show this again'],
  },
})
