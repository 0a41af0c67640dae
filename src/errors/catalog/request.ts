// Errors of requests that cannot be read: the HTTP message, headers, body and fields.
import type { ErrorDefinition } from '../messages.ts'

export const requestErrors = {
  // the HTTP message
  MalformedRequest: { status: 400, en: 'The request is not valid HTTP.', nb: 'Forespørselen er ikke gyldig HTTP.' },
  InvalidEncoding: {
    status: 400,
    en: 'The URL contains invalid percent-encoding. Encode each value once.',
    nb: 'URL-en inneholder ugyldig prosentkoding. Kod hver verdi én gang.',
  },
  InvalidUtf8: { status: 400, en: 'The text is not valid UTF-8.', nb: 'Teksten er ikke gyldig UTF-8.' },
  InvalidCharacter: {
    status: 400,
    en: 'The text contains a character that is not allowed: {character}. Remove it.',
    nb: 'Teksten inneholder et tegn som ikke er tillatt: {character}. Fjern det.',
  },
  MethodNotAllowed: {
    status: 405,
    en: '{method} is not allowed for this URL. Allowed: {allow}.',
    nb: '{method} er ikke tillatt for denne URL-en. Tillatt: {allow}.',
  },
  NotAcceptable: {
    status: 406,
    en: 'None of the requested response formats is available. Available: {type}.',
    nb: 'Ingen av de forespurte svarformatene er tilgjengelige. Tilgjengelig: {type}.',
  },
  RequestTimeout: {
    status: 408,
    en: 'The request was not received within {seconds} s. Send it again.',
    nb: 'Forespørselen ble ikke mottatt innen {seconds} s. Send den på nytt.',
  },
  BodyTooLarge: {
    status: 413,
    en: 'The body is larger than {max} bytes. Split it into several requests.',
    nb: 'Innholdet er større enn {max} byte. Del det på flere forespørsler.',
  },
  UrlTooLong: {
    status: 414,
    en: 'The URL is longer than {max} bytes. Split the query into several requests.',
    nb: 'URL-en er lengre enn {max} byte. Del spørringen på flere forespørsler.',
  },
  UnsupportedMediaType: {
    status: 415,
    en: 'The content type {type} is not supported. Supported: {allowed}.',
    nb: 'Innholdstypen {type} støttes ikke. Støttet: {allowed}.',
  },
  UnsupportedContentEncoding: {
    status: 415,
    en: 'Compressed request bodies are not supported. Send the body without Content-Encoding.',
    nb: 'Komprimert innhold støttes ikke. Send innholdet uten Content-Encoding.',
  },
  ExpectationFailed: {
    status: 417,
    en: 'Expect: {expect} is not supported. Leave the header out.',
    nb: 'Expect: {expect} støttes ikke. Utelat headeren.',
  },
  HostNotAllowed: {
    status: 421,
    en: 'The host name of the request is not configured on this server. Use its public URL.',
    nb: 'Vertsnavnet i forespørselen er ikke satt opp på denne serveren. Bruk serverens offentlige URL.',
  },
  HeadersTooLarge: {
    status: 431,
    en: 'The request headers are larger than {max} bytes, or more than {countMax}.',
    nb: 'Headerne i forespørselen er større enn {max} byte, eller flere enn {countMax}.',
  },
  // headers
  InvalidHeader: {
    status: 400,
    en: 'The header {name} is invalid. Example: {example}.',
    nb: 'Headeren {name} er ugyldig. Eksempel: {example}.',
  },
  VersionNotSupported: {
    status: 400,
    en: 'OData {version} is not supported. Supported: 4.0, 4.01.',
    nb: 'OData {version} støttes ikke. Støttet: 4.0, 4.01.',
  },
  IdempotencyKeyInvalid: {
    status: 400,
    en: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    nb: 'Idempotency-Key må være 1 til 255 synlige ASCII-tegn.',
  },
  IsolationNotSupported: {
    status: 412,
    en: 'Snapshot isolation across several requests is not supported. Leave the Isolation header out.',
    nb: 'Samme øyeblikksbilde for flere forespørsler støttes ikke. Utelat headeren Isolation.',
  },
  // the body
  MalformedJson: {
    status: 400,
    en: 'The body is not valid JSON: {problem} at position {position}.',
    nb: 'Innholdet er ikke gyldig JSON: {problem} i posisjon {position}.',
  },
  JsonTooDeep: {
    status: 400,
    en: 'The JSON body is nested deeper than {max} levels.',
    nb: 'JSON-innholdet er nøstet dypere enn {max} nivåer.',
  },
  MalformedXml: {
    status: 400,
    en: 'The body is not valid XML: {problem}.',
    nb: 'Innholdet er ikke gyldig XML: {problem}.',
  },
  XmlNotAllowed: {
    status: 400,
    en: 'The XML body contains {what}, which is not allowed. Remove it.',
    nb: 'XML-innholdet har {what}, som ikke er tillatt. Fjern det.',
  },
  EmptyBody: { status: 400, en: 'The body is empty. Send {expected}.', nb: 'Innholdet er tomt. Send {expected}.' },
  InvalidBodyType: {
    status: 400,
    en: 'The body must be {expected}, not {found}.',
    nb: 'Innholdet må være {expected}, ikke {found}.',
  },
  InvalidBatch: {
    status: 400,
    en: 'The batch request is invalid: {problem}.',
    nb: 'Batch-forespørselen er ugyldig: {problem}.',
  },
  BatchTooLarge: {
    status: 400,
    en: 'The batch contains more than {max} requests. Split it into several batches.',
    nb: 'Batchen har mer enn {max} forespørsler. Del den i flere.',
  },
  TooManyItems: {
    status: 400,
    en: 'The list has more than {max} rows. Split it into several requests.',
    nb: 'Listen har mer enn {max} rader. Del den på flere forespørsler.',
  },
  InvalidRows: {
    status: 400,
    en: 'Invalid rows: {count}. Nothing was stored. See details.',
    nb: 'Ugyldige rader: {count}. Ingenting ble lagret. Se details.',
  },
  UnreadableFile: { status: 400, en: 'The file cannot be read: {problem}.', nb: 'Filen kan ikke leses: {problem}.' },
  // fields of a record
  MissingField: { status: 400, en: '{field} is required.', nb: '{field} er påkrevd.' },
  UnknownField: { status: 400, en: 'There is no field "{field}".', nb: 'Feltet «{field}» finnes ikke.' },
  ReadOnlyField: {
    status: 400,
    en: '{field} is read-only. Leave it out.',
    nb: '{field} kan bare leses. Utelat feltet.',
  },
  CollectionNotBindable: {
    status: 400,
    en: '{field} leads to many records, which cannot be set here. Set {foreignKey} of each {set} instead.',
    nb: '{field} fører til mange poster, som ikke kan settes her. Sett heller {foreignKey} for hver {set}.',
  },
  DuplicateField: {
    status: 400,
    en: 'The same field is given twice, as {first} and as {second}. Send it once.',
    nb: 'Det samme feltet er oppgitt to ganger, som {first} og som {second}. Send det én gang.',
  },
  InvalidType: {
    status: 400,
    en: '{field} must be {expected}, not {found}.',
    nb: '{field} må være {expected}, ikke {found}.',
  },
  InvalidValue: {
    status: 400,
    en: '{field} has an invalid value: {problem}.',
    nb: '{field} har en ugyldig verdi: {problem}.',
  },
  ValueTooLong: {
    status: 400,
    en: '{field} is longer than {max} characters.',
    nb: '{field} er lengre enn {max} tegn.',
  },
  InvalidNumber: {
    status: 400,
    en: '{field} is not a number. Use digits and a decimal point, like 1234.50.',
    nb: '{field} er ikke et tall. Bruk sifre og desimalpunktum, som 1234.50.',
  },
  NumberOutOfRange: {
    status: 400,
    en: '{field} is out of range: it must be between {min} and {max}.',
    nb: '{field} er utenfor gyldig område: det må være mellom {min} og {max}.',
  },
  InvalidDate: {
    status: 400,
    en: '{field} is not a valid date from 1900 to 2199. Write it like 2024-05-01.',
    nb: '{field} er ikke en gyldig dato fra 1900 til 2199. Skriv den som 2024-05-01.',
  },
  AmbiguousDate: {
    status: 400,
    en: '{field} is a time whose date depends on the time zone ({zone}). Send the date only, like 2024-05-01.',
    nb: '{field} er et tidspunkt der datoen avhenger av tidssonen ({zone}). Send bare datoen, som 2024-05-01.',
  },
  KeyNotAllowed: {
    status: 400,
    en: '{field} must be empty: the service assigns the key of a new record.',
    nb: '{field} må være tomt: tjenesten tildeler nøkkelen til en ny post.',
  },
  KeyRequired: {
    status: 400,
    en: '{field} must be the key of an existing record.',
    nb: '{field} må være nøkkelen til en post som finnes.',
  },
  NothingToChange: {
    status: 400,
    en: 'There is nothing to change. Send at least one field besides the key.',
    nb: 'Det er ingenting å endre. Send minst ett felt i tillegg til nøkkelen.',
  },
} as const satisfies Record<string, ErrorDefinition>
