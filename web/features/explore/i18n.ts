// Texts of Explore API in both languages; loaded with it.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, type TranslationShape } from '../../i18n/define-section.ts'

const nb = {
  explore: {
    condition: 'Sett sammen et vilkår',
    field: 'Felt',
    operator: 'Sammenligning',
    value: 'Verdi',
    addCondition: 'Legg til',
    set: 'Sett',
    options: {
      $select: 'Felter, med komma mellom',
      $filter: 'Hvilke poster',
      $expand: 'Relaterte poster',
      $orderby: 'Rekkefølge',
      $top: 'Hvor mange, høyst 1000 her',
    },
    key: 'DIN-NØKKEL',
    ask: 'Spør',
    answer: 'Svar',
    grid: 'Tabell',
    rows: (count: number) => pluralize(count, 'post', 'poster'),
    code: 'Kodeeksempel',
  },
}

const en: TranslationShape<typeof nb> = {
  explore: {
    condition: 'Build a condition',
    field: 'Field',
    operator: 'Comparison',
    value: 'Value',
    addCondition: 'Add',
    set: 'Set',
    options: {
      $select: 'Fields, separated by commas',
      $filter: 'Which records',
      $expand: 'Related records',
      $orderby: 'Order',
      $top: 'How many, at most 1000 here',
    },
    key: 'YOUR-KEY',
    ask: 'Run',
    answer: 'Response',
    grid: 'Table',
    rows: (count) => pluralize(count, 'record', 'records'),
    code: 'Code example',
  },
}

export const exploreText = defineSection(nb, en)
