// Errors of URLs and OData query options.
import type { ErrorDefinition } from '../messages.ts'

export const queryErrors = {
  NotFound: { status: 404, en: '{what} could not be found.', nb: '{what} ble ikke funnet.' },
  DuplicateParameter: {
    status: 400,
    en: 'The parameter "{name}" is given more than once. Send it once.',
    nb: 'Parameteren «{name}» er oppgitt mer enn én gang. Send den én gang.',
  },
  UnknownQueryOption: {
    status: 400,
    en: 'There is no parameter "{name}" here.',
    nb: 'Parameteren «{name}» finnes ikke her.',
  },
  InvalidQueryOption: {
    status: 400,
    en: '{name} has an invalid value: {problem}.',
    nb: '{name} har en ugyldig verdi: {problem}.',
  },
  InvalidFilter: {
    status: 400,
    en: '{option} is invalid at column {column}: {problem}.',
    nb: '{option} er ugyldig i kolonne {column}: {problem}.',
  },
  FilterTooComplex: {
    status: 400,
    en: '{option} is too complex. The maximum {limit} is {max}.',
    nb: '{option} er for sammensatt. Høyeste tillatte {limit} er {max}.',
  },
  UnknownProperty: {
    status: 400,
    en: '{resource} has no property "{name}".',
    nb: '{resource} har ikke feltet «{name}».',
  },
  InvalidSelect: {
    status: 400,
    en: '$select is invalid at column {column}: {problem}.',
    nb: '$select er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidOrderBy: {
    status: 400,
    en: '$orderby is invalid at column {column}: {problem}.',
    nb: '$orderby er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidExpand: {
    status: 400,
    en: '$expand is invalid at column {column}: {problem}.',
    nb: '$expand er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidSearch: {
    status: 400,
    en: '$search is invalid at column {column}: {problem}.',
    nb: '$search er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidCompute: {
    status: 400,
    en: '$compute is invalid at column {column}: {problem}.',
    nb: '$compute er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidApply: {
    status: 400,
    en: '$apply is invalid at column {column}: {problem}.',
    nb: '$apply er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidPath: {
    status: 400,
    en: 'The resource path is invalid at column {column}: {problem}.',
    nb: 'Ressursstien er ugyldig i kolonne {column}: {problem}.',
  },
  InvalidAlias: {
    status: 400,
    en: 'The parameter alias {option} is invalid at column {column}: {problem}.',
    nb: 'Parameteraliaset {option} er ugyldig i kolonne {column}: {problem}.',
  },
  ExpandTooComplex: {
    status: 400,
    en: '{option} is too complex. The maximum {limit} is {max}.',
    nb: '{option} er for sammensatt. Høyeste tillatte {limit} er {max}.',
  },
  InvalidTop: {
    status: 400,
    en: '{name} must be an integer, 0 or more.',
    nb: '{name} må være et heltall, 0 eller mer.',
  },
  DeltaLinkExpired: {
    status: 410,
    en: 'The delta link has expired. Read the whole set again to get a new one.',
    nb: 'Delta-lenken er utløpt. Les hele settet på nytt for å få en ny.',
  },
  QueryTooExpensive: {
    status: 422,
    en: 'The query took more than {seconds} s and was cancelled. Use a narrower $filter, or fewer nested any, all, $count and $expand.',
    nb: 'Spørringen tok mer enn {seconds} s og ble avbrutt. Bruk et snevrere $filter, eller færre any, all, $count og $expand inni hverandre.',
  },
  NotSupported: { status: 501, en: '{feature} is not supported.', nb: '{feature} støttes ikke.' },
} as const satisfies Record<string, ErrorDefinition>
