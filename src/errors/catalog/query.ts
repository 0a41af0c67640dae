// Errors of URLs and OData query options.
import { defineErrors } from '../messages.ts'

function invalidAtColumn(nb: string, en = nb) {
  return [`${nb} er ugyldig i kolonne {column}: {problem}.`, `${en} is invalid at column {column}: {problem}.`] as const
}

const tooComplex = [
  '{option} er for sammensatt. Høyeste tillatte {limit} er {max}.',
  '{option} is too complex. The maximum {limit} is {max}.',
] as const

/** Of status 400 where there is no other. */
export const queryErrors = defineErrors(400, {
  NotFound: ['{what} ble ikke funnet.', '{what} could not be found.', 404],
  DuplicateParameter: [
    'Parameteren «{name}» er oppgitt mer enn én gang. Send den én gang.',
    'The parameter "{name}" is given more than once. Send it once.',
  ],
  UnknownQueryOption: ['Parameteren «{name}» finnes ikke her.', 'There is no parameter "{name}" here.'],
  InvalidQueryOption: ['{name} har en ugyldig verdi: {problem}.', '{name} has an invalid value: {problem}.'],
  InvalidFilter: invalidAtColumn('{option}'),
  FilterTooComplex: tooComplex,
  UnknownProperty: ['{resource} har ikke feltet «{name}».', '{resource} has no property "{name}".'],
  InvalidSelect: invalidAtColumn('$select'),
  InvalidOrderBy: invalidAtColumn('$orderby'),
  InvalidExpand: invalidAtColumn('$expand'),
  InvalidSearch: invalidAtColumn('$search'),
  InvalidCompute: invalidAtColumn('$compute'),
  InvalidApply: invalidAtColumn('$apply'),
  InvalidPath: invalidAtColumn('Ressursstien', 'The resource path'),
  InvalidAlias: invalidAtColumn('Parameteraliaset {option}', 'The parameter alias {option}'),
  ExpandTooComplex: tooComplex,
  InvalidTop: ['{name} må være et heltall, 0 eller mer.', '{name} must be an integer, 0 or more.'],
  DeltaLinkExpired: [
    'Delta-lenken er utløpt. Les hele settet på nytt for å få en ny.',
    'The delta link has expired. Read the whole set again to get a new one.',
    410,
  ],
  QueryTooExpensive: [
    'Spørringen tok mer enn {seconds} s og ble avbrutt. Bruk et snevrere $filter, eller færre any, all, $count og $expand inni hverandre.',
    'The query took more than {seconds} s and was cancelled. Use a narrower $filter, or fewer nested any, all, $count and $expand.',
    422,
  ],
  NotSupported: ['{feature} støttes ikke.', '{feature} is not supported.', 501],
})
