// Every refusal the house can utter: a stable code, its HTTP status, and one sentence in each language.
import { filled, type Language, type Says } from './messages.ts'

/** What became of the request's effect: certainly nothing, or nobody can tell. */
export type Outcome = 'not_applied' | 'unknown'

/** One problem among several, at its own place. */
export interface Detail {
  readonly code: FaultCode
  readonly target: string | null
  readonly says: Says
  /** The key of the record that stands in the way. */
  readonly existing?: number
}

export interface FaultOptions {
  /** Where: `[3].Dato`, `$filter:17`, `header:tb-key`. */
  readonly target?: string
  /** Fills the `{placeholders}` of the sentence; `unknown` adds the unknown names, `nearest` "Did you mean …?". */
  readonly says?: Says
  readonly details?: readonly Detail[]
  /** How many problems there are in all, when `details` holds only the first of them. */
  readonly problems?: number
  readonly existing?: number
  readonly outcome?: Outcome
  /** What became of each element of a list that is refused as a whole. */
  readonly results?: readonly Result[]
  /** Headers that belong to the refusal: `Allow`, `Retry-After`, `WWW-Authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** For the log alone; never part of an answer. */
  readonly cause?: unknown
}

/** What became of one element of a list: a code of the catalogue, or of the act. */
export interface Result {
  readonly code: string
  readonly [member: string]: ResultValue
}

export type ResultValue = string | number | boolean | null

/** A refusal. Anything thrown that is not a `Fault` is a bug and answered as `InternalError`. */
export class Fault extends Error {
  readonly code: FaultCode
  readonly status: number
  readonly target: string | null
  readonly says: Says
  readonly details: readonly Detail[]
  readonly problems: number
  readonly existing: number | null
  /** Null but for a list that is told element by element. */
  readonly results: readonly Result[] | null
  readonly outcome: Outcome
  readonly headers: Readonly<Record<string, string>>

  constructor(code: FaultCode, options: FaultOptions = {}) {
    super(sentence(code, options.says ?? {}, 'en'), { cause: options.cause })
    this.name = 'Fault'
    this.code = code
    this.status = faults[code].status
    this.target = options.target ?? null
    this.says = options.says ?? {}
    this.details = (options.details ?? []).slice(0, detailsMax)
    this.problems = options.problems ?? this.details.length
    this.existing = options.existing ?? null
    this.results = options.results ?? null
    this.outcome = options.outcome ?? 'not_applied'
    this.headers = options.headers ?? {}
  }

  /** The same refusal at a place further out: `Dato` in row 3 becomes `[3].Dato`. */
  detail(within = ''): Detail {
    const target =
      within + (this.target === null || this.target.startsWith('[') || within === '' ? '' : '.')
    return {
      code: this.code,
      target: target + (this.target ?? '') || null,
      says: this.says,
      ...(this.existing === null ? {} : { existing: this.existing }),
    }
  }
}

/** How many details an answer lists; the rest is counted. */
export const detailsMax = 100

/** The sentence of a code, filled in. */
export function sentence(code: FaultCode, says: Says, language: Language): string {
  const added = Object.entries(additions).filter(([name]) => says[name] !== undefined)
  const text = faults[code][language] + added.map(([, words]) => words[language]).join('')
  return filled(text, says, language)
}

const additions = {
  unknown: { en: ' Unknown names: {unknown}.', nb: ' Ukjente navn: {unknown}.' },
  nearest: { en: ' Did you mean "{nearest}"?', nb: ' Mente du «{nearest}»?' },
} as const

/** The catalogue. A code is never renamed and never reused: callers branch on it. */
export const faults = {
  // 400: the request cannot be read
  MalformedRequest: {
    status: 400,
    en: 'The request is not well-formed HTTP.',
    nb: 'Forespørselen er ikke gyldig HTTP.',
  },
  InvalidEncoding: {
    status: 400,
    en: 'The address contains a broken percent-encoding.',
    nb: 'Adressen inneholder en ugyldig prosentkoding.',
  },
  InvalidUtf8: {
    status: 400,
    en: 'The text is not valid UTF-8.',
    nb: 'Teksten er ikke gyldig UTF-8.',
  },
  InvalidCharacter: {
    status: 400,
    en: 'The text contains a character that is not allowed: {character}.',
    nb: 'Teksten inneholder et tegn som ikke er tillatt: {character}.',
  },
  MalformedJson: {
    status: 400,
    en: 'The body is not valid JSON: {problem} at position {position}.',
    nb: 'Innholdet er ikke gyldig JSON: {problem} i posisjon {position}.',
  },
  JsonTooDeep: {
    status: 400,
    en: 'The body is nested deeper than {max} levels.',
    nb: 'Innholdet er nøstet dypere enn {max} nivåer.',
  },
  MalformedXml: {
    status: 400,
    en: 'The body is not valid XML: {problem}.',
    nb: 'Innholdet er ikke gyldig XML: {problem}.',
  },
  XmlNotAllowed: {
    status: 400,
    en: 'The body contains {what}, which is not allowed in XML sent to this service.',
    nb: 'Innholdet har {what}, som ikke er tillatt i XML til denne tjenesten.',
  },
  EmptyBody: {
    status: 400,
    en: 'The body is empty. Send {expected}.',
    nb: 'Innholdet er tomt. Send {expected}.',
  },
  WrongBodyShape: {
    status: 400,
    en: 'The body must be {expected}, not {found}.',
    nb: 'Innholdet må være {expected}, ikke {found}.',
  },
  InvalidHeader: {
    status: 400,
    en: 'The header {name} cannot be read. It is written like {example}.',
    nb: 'Headeren {name} kan ikke leses. Den skrives slik: {example}.',
  },
  VersionNotSupported: {
    status: 400,
    en: 'OData {version} is not spoken here; 4.0 and 4.01 are.',
    nb: 'OData {version} snakkes ikke her; det gjør 4.0 og 4.01.',
  },
  InvalidBatch: {
    status: 400,
    en: 'The batch cannot be read: {problem}.',
    nb: 'Bunten kan ikke leses: {problem}.',
  },
  BatchTooLarge: {
    status: 400,
    en: 'The batch holds more than {max} requests. Send several.',
    nb: 'Bunten har mer enn {max} forespørsler. Send flere.',
  },
  // 400: a field of a record
  MissingField: { status: 400, en: '{field} is required.', nb: '{field} er påkrevd.' },
  UnknownField: {
    status: 400,
    en: 'There is no field "{field}".',
    nb: 'Feltet «{field}» finnes ikke.',
  },
  ReadOnlyField: {
    status: 400,
    en: '{field} is set by the service and cannot be sent.',
    nb: '{field} settes av tjenesten og kan ikke sendes.',
  },
  DuplicateField: {
    status: 400,
    en: 'A field is given twice: as {first}, and as {second}.',
    nb: 'Et felt er oppgitt to ganger: som {first}, og som {second}.',
  },
  InvalidType: {
    status: 400,
    en: '{field} must be {expected}, not {found}.',
    nb: '{field} må være {expected}, ikke {found}.',
  },
  InvalidValue: {
    status: 400,
    en: '{field} has a value that is not allowed: {problem}.',
    nb: '{field} har en verdi som ikke er tillatt: {problem}.',
  },
  ValueTooLong: {
    status: 400,
    en: '{field} is longer than {max} characters.',
    nb: '{field} er lengre enn {max} tegn.',
  },
  InvalidNumber: {
    status: 400,
    en: '{field} is not a number: write digits with a point, like 1234.50.',
    nb: '{field} er ikke et tall: skriv sifre med punktum, som 1234.50.',
  },
  NumberOutOfRange: {
    status: 400,
    en: '{field} is out of range: it must be between {min} and {max}.',
    nb: '{field} er utenfor gyldig område: det må være mellom {min} og {max}.',
  },
  InvalidDate: {
    status: 400,
    en: '{field} is not an existing date from 1900 to 2199, written like 2024-05-01.',
    nb: '{field} er ikke en dato som finnes fra 1900 til 2199, skrevet som 2024-05-01.',
  },
  AmbiguousDate: {
    status: 400,
    en: '{field} names a moment whose date depends on the time zone ({zone}): send the date alone, like 2024-05-01.',
    nb: '{field} er et tidspunkt der datoen avhenger av tidssonen ({zone}): send bare datoen, som 2024-05-01.',
  },
  TooManyItems: {
    status: 400,
    en: 'There are more than {max} rows. Send them in several calls.',
    nb: 'Det er flere enn {max} rader. Send dem i flere kall.',
  },
  KeyNotAllowed: {
    status: 400,
    en: '{field} must not have a value here: an insert gets its key from the service.',
    nb: '{field} kan ikke ha verdi her: en ny post får nøkkel av tjenesten.',
  },
  KeyRequired: {
    status: 400,
    en: '{field} must hold the key of an existing record.',
    nb: '{field} må ha nøkkelen til en post som finnes.',
  },
  NothingToChange: {
    status: 400,
    en: 'There is nothing to change: send at least one field beside the key.',
    nb: 'Det er ingenting å endre: send minst ett felt i tillegg til nøkkelen.',
  },
  InvalidRows: {
    status: 400,
    en: '{count} of the rows cannot be accepted; nothing was stored.',
    nb: '{count} av radene kan ikke godtas; ingenting ble lagret.',
  },
  UnreadableFile: {
    status: 400,
    en: 'The file cannot be read: {problem}.',
    nb: 'Filen kan ikke leses: {problem}.',
  },
  // 400: the query string
  DuplicateParameter: {
    status: 400,
    en: 'The parameter "{name}" is given more than once.',
    nb: 'Parameteren «{name}» er oppgitt mer enn én gang.',
  },
  UnknownQueryOption: {
    status: 400,
    en: 'There is no parameter "{name}" here.',
    nb: 'Parameteren «{name}» finnes ikke her.',
  },
  InvalidQueryOption: {
    status: 400,
    en: '{name} has a value that is not allowed: {problem}.',
    nb: '{name} har en verdi som ikke er tillatt: {problem}.',
  },
  InvalidFilter: {
    status: 400,
    en: '{option} cannot be read at column {column}: {problem}.',
    nb: '{option} kan ikke leses i kolonne {column}: {problem}.',
  },
  FilterTooComplex: {
    status: 400,
    en: '{option} is too complex: {limit} may be at most {max}.',
    nb: '{option} er for sammensatt: {limit} kan være høyst {max}.',
  },
  UnknownProperty: {
    status: 400,
    en: '{resource} has no "{name}".',
    nb: '{resource} har ikke «{name}».',
  },
  InvalidSelect: {
    status: 400,
    en: '$select cannot be read at column {column}: {problem}.',
    nb: '$select kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidOrderBy: {
    status: 400,
    en: '$orderby cannot be read at column {column}: {problem}.',
    nb: '$orderby kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidExpand: {
    status: 400,
    en: '$expand cannot be read at column {column}: {problem}.',
    nb: '$expand kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidSearch: {
    status: 400,
    en: '$search cannot be read at column {column}: {problem}.',
    nb: '$search kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidCompute: {
    status: 400,
    en: '$compute cannot be read at column {column}: {problem}.',
    nb: '$compute kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidApply: {
    status: 400,
    en: '$apply cannot be read at column {column}: {problem}.',
    nb: '$apply kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidPath: {
    status: 400,
    en: 'The path cannot be read at column {column}: {problem}.',
    nb: 'Stien kan ikke leses i kolonne {column}: {problem}.',
  },
  InvalidAlias: {
    status: 400,
    en: 'The alias {option} cannot be read at column {column}: {problem}.',
    nb: 'Aliaset {option} kan ikke leses i kolonne {column}: {problem}.',
  },
  ExpandTooComplex: {
    status: 400,
    en: '{option} is too complex: {limit} may be at most {max}.',
    nb: '{option} er for sammensatt: {limit} kan være høyst {max}.',
  },
  InvalidTop: {
    status: 400,
    en: '{name} must be a whole number from 0 and up.',
    nb: '{name} må være et helt tall fra 0 og oppover.',
  },
  // 400: headers
  IdempotencyKeyInvalid: {
    status: 400,
    en: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    nb: 'Idempotency-Key må være 1 til 255 synlige ASCII-tegn.',
  },
  AmbiguousCredentials: {
    status: 400,
    en: 'The request carries credentials that do not belong together. Send one of them.',
    nb: 'Forespørselen har påloggingsdata som ikke hører sammen. Send bare én av dem.',
  },
  // 401 and 403
  MissingCredentials: {
    status: 401,
    en: 'Credentials are missing. Send firma and passord, or an API key in the header tb-key.',
    nb: 'Påloggingsdata mangler. Send firma og passord, eller en API-nøkkel i headeren tb-key.',
  },
  InvalidCredentials: {
    status: 401,
    en: 'The credentials are not valid.',
    nb: 'Påloggingsdata er ikke gyldige.',
  },
  CredentialExpired: {
    status: 401,
    en: 'The credential expired on {date}. Ask an administrator for a new one.',
    nb: 'Påloggingen utløp {date}. Be en administrator om en ny.',
  },
  SessionExpired: {
    status: 401,
    en: 'You are not signed in any more. Sign in again.',
    nb: 'Du er ikke lenger logget inn. Logg inn på nytt.',
  },
  CsrfRejected: {
    status: 403,
    en: 'The request did not come from a page of this server. Load the page again.',
    nb: 'Forespørselen kom ikke fra en side på denne serveren. Last siden på nytt.',
  },
  RoleMissing: {
    status: 403,
    en: 'Your role {role} does not allow this. Ask an administrator of {company}.',
    nb: 'Rollen din, {role}, tillater ikke dette. Spør en administrator i {company}.',
  },
  PasswordNeeded: {
    status: 403,
    en: 'This takes your password again: it is more than 5 minutes since you gave it.',
    nb: 'Dette krever passordet ditt på nytt: det er mer enn 5 minutter siden du oppga det.',
  },
  SecondFactorNeeded: {
    status: 401,
    en: 'The password is right. Add the code that your authenticator app shows, or a recovery code.',
    nb: 'Passordet er riktig. Legg ved koden som autentiseringsappen din viser, eller en gjenopprettingskode.',
  },
  WrongCode: {
    status: 401,
    en: 'The code is wrong, or was used already. Wait for the next one.',
    nb: 'Koden er feil, eller er brukt før. Vent på den neste.',
  },
  SecondFactorRequired: {
    status: 403,
    en: '{company} wants a second factor of you. Set one up under your account first.',
    nb: '{company} krever totrinnsinnlogging av deg. Sett den opp under kontoen din først.',
  },
  PasskeyRefused: {
    status: 401,
    en: 'The passkey is not known here, or what it said was for something else. Try again.',
    nb: 'Passnøkkelen er ikke kjent her, eller det den svarte, gjaldt noe annet. Prøv igjen.',
  },
  SignOnFailed: {
    status: 401,
    en: 'Signing in over the identity provider did not work. Try again from the sign-in page.',
    nb: 'Innloggingen via identitetsleverandøren gikk ikke. Prøv igjen fra innloggingssiden.',
  },
  IdentityUnknown: {
    status: 403,
    en: 'The identity provider knows you, and this service does not. Ask an administrator for access, or sign in with your password and link the two under your account.',
    nb: 'Identitetsleverandøren kjenner deg, men ikke denne tjenesten. Be en administrator om tilgang, eller logg inn med passordet ditt og knytt dem sammen under kontoen din.',
  },
  ScopeMissing: {
    status: 403,
    en: 'The credential lacks the right {scope}.',
    nb: 'Påloggingen mangler rettigheten {scope}.',
  },
  IpNotAllowed: {
    status: 403,
    en: 'The credential may not be used from this address.',
    nb: 'Påloggingen kan ikke brukes fra denne adressen.',
  },
  SelfApprovalForbidden: {
    status: 403,
    en: 'Whoever registered a transaction cannot approve it here.',
    nb: 'Den som registrerte en transaksjon, kan ikke godkjenne den her.',
  },
  QueryCredentialsRefused: {
    status: 403,
    en: 'No passwords and no keys are taken from the address: it stands in logs and histories. Send them in a header, X-Firma and X-Passord, tb-key, or Authorization.',
    nb: 'Passord og nøkler tas ikke imot i adressen: den står i logger og historikk. Send dem i en header, X-Firma og X-Passord, tb-key, eller Authorization.',
  },
  InvalidSetupLink: {
    status: 403,
    en: 'The set-up link is not valid: each works once and for 60 minutes. Start the server again for a new one.',
    nb: 'Oppsettslenken er ikke gyldig: hver virker én gang og i 60 minutter. Start serveren på nytt for en ny.',
  },
  InvalidLink: {
    status: 403,
    en: 'The link is not valid any more: each works once and for a limited time. Ask for a new one.',
    nb: 'Lenken gjelder ikke lenger: hver virker én gang og en begrenset tid. Be om en ny.',
  },
  TlsRequired: {
    status: 403,
    en: 'Plain http is served to this machine only. Use https.',
    nb: 'Ren http er bare for denne maskinen. Bruk https.',
  },
  // 404 to 408
  NotFound: { status: 404, en: '{what} could not be found.', nb: '{what} ble ikke funnet.' },
  MethodNotAllowed: {
    status: 405,
    en: '{method} is not possible here. Use {allow}.',
    nb: '{method} går ikke her. Bruk {allow}.',
  },
  NotAcceptable: {
    status: 406,
    en: 'None of the formats that are asked for can be given; there is {type}.',
    nb: 'Ingen av formatene det spørres etter kan gis; det finnes {type}.',
  },
  RequestTimeout: {
    status: 408,
    en: 'The request arrived too slowly.',
    nb: 'Forespørselen kom for sakte.',
  },
  // 409 and 422
  AlreadyExists: {
    status: 409,
    en: '{what} exists already.',
    nb: '{what} finnes alt.',
  },
  InUse: {
    status: 409,
    en: '{what} cannot be deleted: {by} refers to it.',
    nb: '{what} kan ikke slettes: {by} viser til den.',
  },
  Conflict: {
    status: 409,
    en: '{count} of the rows conflict with what is stored; nothing was stored.',
    nb: '{count} av radene er i konflikt med det som er lagret; ingenting ble lagret.',
  },
  StateConflict: {
    status: 409,
    en: 'Transaction {id} is {state}{by}, and this cannot be done with it now.',
    nb: 'Transaksjon {id} er {state}{by}, og dette kan ikke gjøres med den nå.',
  },
  ImportSettled: {
    status: 409,
    en: 'This import was undone already, or is older than 30 days.',
    nb: 'Denne importen er alt angret, eller den er eldre enn 30 dager.',
  },
  TwoKeysAlive: {
    status: 409,
    en: 'Two keys of {name} are alive already. Revoke one of them first.',
    nb: 'To nøkler for {name} er alt i bruk. Trekk tilbake en av dem først.',
  },
  BackupRunning: {
    status: 409,
    en: 'A backup is being made. Wait until it is done.',
    nb: 'En sikkerhetskopi lages nå. Vent til den er ferdig.',
  },
  FactorInPlace: {
    status: 409,
    en: 'You have a second factor already. Turn it off before you set up another.',
    nb: 'Du har totrinnsinnlogging fra før. Slå den av før du setter opp en ny.',
  },
  FactorUnreadable: {
    status: 409,
    en: 'The second factor of this account was set up under another master key, so no code of it can be checked. Ask whoever runs the server to turn it off: dagsverk user factor-off.',
    nb: 'Totrinnsbekreftelsen for kontoen ble satt opp med en annen hovednøkkel, så ingen kode kan kontrolleres. Be den som driver serveren om å slå den av: dagsverk user factor-off.',
  },
  IdentityTaken: {
    status: 409,
    en: 'This identity belongs to another account here.',
    nb: 'Denne identiteten hører til en annen konto her.',
  },
  LastAdministrator: {
    status: 409,
    en: '{company} would have no administrator left.',
    nb: '{company} ville stå uten administrator.',
  },
  OwnCompany: {
    status: 409,
    en: 'You are signed in to {company}. Go to another company before you close it.',
    nb: 'Du er logget inn i {company}. Gå til et annet firma før du stenger det.',
  },
  SourceKeyTaken: {
    status: 409,
    en: 'Kilde "{source}" has EksternId "{externalId}" on transaction {id} already.',
    nb: 'Kilde «{source}» har alt EksternId «{externalId}» på transaksjon {id}.',
  },
  LineHeld: {
    status: 409,
    en: 'Transaction {id} is held by {actor} until {at}: it is being exported.',
    nb: 'Transaksjon {id} holdes av {actor} til {at}: den er under eksport.',
  },
  BatchOpen: {
    status: 409,
    en: 'Batch {id} of {actor} is open until {at}. Report it, release it, or wait.',
    nb: 'Batch {id} av {actor} er åpen til {at}. Meld den, frigi den, eller vent.',
  },
  BatchEnded: {
    status: 409,
    en: 'Batch {id} is over ({state}). Its results are still taken.',
    nb: 'Batch {id} er over ({state}). Resultater tas fortsatt imot.',
  },
  NotAtomic: {
    status: 409,
    en: '{count} of the elements cannot be done; nothing was done, as atomic asks.',
    nb: '{count} av elementene kan ikke gjøres; ingenting ble gjort, slik atomic ber om.',
  },
  ReferenceReused: {
    status: 409,
    en: 'Referanse "{reference}" was used before with the amount {amount}.',
    nb: 'Referanse «{reference}» er brukt før med beløpet {amount}.',
  },
  IdempotencyInProgress: {
    status: 409,
    en: 'A request with this Idempotency-Key is still running. Repeat it in a moment.',
    nb: 'En forespørsel med denne Idempotency-Key pågår. Gjenta den om et øyeblikk.',
  },
  SetupAlreadyDone: {
    status: 409,
    en: 'This server is set up already.',
    nb: 'Denne serveren er alt satt opp.',
  },
  PreconditionFailed: {
    status: 412,
    en: 'The record is not as {header} wants it; read it again.',
    nb: 'Posten er ikke slik {header} vil ha den; les den på nytt.',
  },
  IdempotencyKeyReused: {
    status: 422,
    en: 'This Idempotency-Key was used before with another request.',
    nb: 'Denne Idempotency-Key er brukt før med en annen forespørsel.',
  },
  ReferenceNotFound: {
    status: 422,
    en: '{field} "{value}" does not exist.',
    nb: '{field} «{value}» finnes ikke.',
  },
  NothingMarked: {
    status: 422,
    en: 'None of the ids is or became exported.',
    nb: 'Ingen av id-ene er eller ble eksportert.',
  },
  ReadTooCostly: {
    status: 422,
    en: 'The read took more than {seconds} s and was ended. Ask for less: a narrower $filter, and fewer any, all, $count and $expand inside of each other.',
    nb: 'Lesingen tok mer enn {seconds} s og ble avbrutt. Be om mindre: snevrere $filter, og færre any, all, $count og $expand inni hverandre.',
  },
  NothingApplied: {
    status: 422,
    en: 'None of the rows could be stored.',
    nb: 'Ingen av radene kunne lagres.',
  },
  DeltaLinkExpired: {
    status: 410,
    en: 'Too much has happened since this link was given. Read the set anew.',
    nb: 'For mye har skjedd siden denne lenken ble gitt. Les settet på nytt.',
  },
  DependencyFailed: {
    status: 424,
    en: 'This was not done, because {what} was refused.',
    nb: 'Dette ble ikke gjort, fordi {what} ble avvist.',
  },
  // 412 to 431
  IsolationNotSupported: {
    status: 412,
    en: 'Several requests cannot share one snapshot. Leave the header out.',
    nb: 'Flere forespørsler kan ikke dele ett øyeblikksbilde. Utelat headeren.',
  },
  ChangedMeanwhile: {
    status: 412,
    en: 'Somebody else was first: {what} was changed by {actor} meanwhile. Nothing was stored.',
    nb: 'Noen andre kom først: {what} er endret av {actor} i mellomtiden. Ingenting ble lagret.',
  },
  BodyTooLarge: {
    status: 413,
    en: 'The body is larger than {max} bytes.',
    nb: 'Innholdet er større enn {max} byte.',
  },
  UrlTooLong: {
    status: 414,
    en: 'The address is longer than {max} bytes. Send the query in smaller parts.',
    nb: 'Adressen er lengre enn {max} byte. Del opp spørringen.',
  },
  UnsupportedMediaType: {
    status: 415,
    en: 'The content type {type} is not understood here. Use {allowed}.',
    nb: 'Innholdstypen {type} forstås ikke her. Bruk {allowed}.',
  },
  UnsupportedContentEncoding: {
    status: 415,
    en: 'Compressed bodies are not accepted. Send the body as it is.',
    nb: 'Komprimert innhold godtas ikke. Send innholdet som det er.',
  },
  ExpectationFailed: {
    status: 417,
    en: 'The expectation "{expect}" cannot be met.',
    nb: 'Forventningen «{expect}» kan ikke innfris.',
  },
  UnknownHost: {
    status: 421,
    en: 'This server is not known by the host name of the request.',
    nb: 'Serveren er ikke kjent under vertsnavnet i forespørselen.',
  },
  HeadersTooLarge: {
    status: 431,
    en: 'The headers of the request are too large or too many.',
    nb: 'Forespørselens headere er for store eller for mange.',
  },
  // 429
  RateLimited: {
    status: 429,
    en: 'Too many calls. Try again in {seconds} seconds.',
    nb: 'For mange kall. Prøv igjen om {seconds} sekunder.',
  },
  TooManyFailedLogins: {
    status: 429,
    en: 'Too many failed logins. Try again in {seconds} seconds.',
    nb: 'For mange mislykkede pålogginger. Prøv igjen om {seconds} sekunder.',
  },
  // 500 and above
  NoMail: {
    status: 501,
    en: 'This server sends no mail. Ask whoever runs it for a link.',
    nb: 'Denne serveren sender ikke e-post. Be den som drifter den om en lenke.',
  },
  InternalError: {
    status: 500,
    en: 'Something went wrong on the server. Tell the operator the request id.',
    nb: 'Noe gikk galt på serveren. Oppgi forespørselens id til driftsansvarlig.',
  },
  NotSupported: {
    status: 501,
    en: '{feature} is not supported.',
    nb: '{feature} støttes ikke.',
  },
  DatabaseUnavailable: {
    status: 503,
    en: 'The database cannot be reached. Try again in a moment.',
    nb: 'Databasen kan ikke nås. Prøv igjen om et øyeblikk.',
  },
  DatabaseBusy: {
    status: 503,
    en: 'The database is busy. Try again in a moment.',
    nb: 'Databasen er opptatt. Prøv igjen om et øyeblikk.',
  },
  ExportHeld: {
    status: 503,
    en: 'Exports are held since a backup was put back. Reports of what was taken in are still accepted.',
    nb: 'Eksport er holdt tilbake siden en sikkerhetskopi ble lagt tilbake. Kvitteringer tas fortsatt imot.',
  },
  StorageFull: {
    status: 503,
    en: 'The disk of the server is full. Tell the operator.',
    nb: 'Disken på serveren er full. Si fra til driftsansvarlig.',
  },
  StorageError: {
    status: 503,
    en: 'The storage of the server failed. Tell the operator.',
    nb: 'Lageret på serveren feilet. Si fra til driftsansvarlig.',
  },
  ProviderUnavailable: {
    status: 503,
    en: 'The identity provider cannot be reached. Try again later, or sign in with your password.',
    nb: 'Identitetsleverandøren kan ikke nås. Prøv igjen senere, eller logg inn med passordet ditt.',
  },
  Overloaded: {
    status: 503,
    en: 'The server has too much to do. Try again in a moment.',
    nb: 'Serveren har for mye å gjøre. Prøv igjen om et øyeblikk.',
  },
  ShuttingDown: {
    status: 503,
    en: 'The server is stopping. Try again in a moment.',
    nb: 'Serveren stopper. Prøv igjen om et øyeblikk.',
  },
  NotInitialised: {
    status: 503,
    en: 'The server is not set up yet. Open the set-up link that it printed at start.',
    nb: 'Serveren er ikke satt opp. Åpne oppsettslenken som den skrev ved start.',
  },
  AppNotBuilt: {
    status: 503,
    en: 'The browser app is not built. Run npm start in a clone, or make the package with npm run pack.',
    nb: 'Nettleserappen er ikke bygd. Kjør npm start i en klone, eller lag pakken med npm run pack.',
  },
  Timeout: {
    status: 504,
    en: 'The answer took too long.',
    nb: 'Svaret tok for lang tid.',
  },
} as const satisfies Record<string, { status: number; en: string; nb: string }>

export type FaultCode = keyof typeof faults
