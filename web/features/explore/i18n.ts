// Texts of Explore API in both languages; loaded with it.
import { pluralize } from '../../i18n/plural.ts'
import { defineSection, defineTranslation } from '../../i18n/translation.ts'

const exploreText = defineSection({
  explore: {
    condition: ['Sett sammen et vilkår', 'Build a condition'],
    field: ['Felt', 'Field'],
    operator: ['Sammenligning', 'Comparison'],
    value: ['Verdi', 'Value'],
    addCondition: ['Legg til', 'Add'],
    set: ['Datasett', 'Data set'],
    options: {
      $select: ['Felter, med komma mellom', 'Fields, separated by commas'],
      $filter: ['Hvilke poster', 'Which records'],
      $expand: ['Relaterte poster', 'Related records'],
      $orderby: ['Rekkefølge', 'Order'],
      $top: ['Antall, høyst 1000 her', 'How many, at most 1000 here'],
    },
    key: ['DIN-NØKKEL', 'YOUR-KEY'],
    ask: ['Kjør', 'Run'],
    answer: ['Svar', 'Response'],
    grid: ['Tabell', 'Table'],
    rows: (count: number) => [pluralize(count, 'post', 'poster'), pluralize(count, 'record', 'records')],
    code: ['Kodeeksempel', 'Code example'],
  },
})

export const useExploreText = defineTranslation(exploreText)
