// Errors of requests that cannot be read: the HTTP message, headers, body and fields.
import { defineErrors } from '../messages.ts'

/** Of status 400 where there is no other. */
export const requestErrors = defineErrors(400, {
  // the HTTP message
  MalformedRequest: ['Forespørselen er ikke gyldig HTTP.', 'The request is not valid HTTP.'],
  InvalidEncoding: [
    'URL-en inneholder ugyldig prosentkoding. Kod hver verdi én gang.',
    'The URL contains invalid percent-encoding. Encode each value once.',
  ],
  InvalidUtf8: ['Teksten er ikke gyldig UTF-8.', 'The text is not valid UTF-8.'],
  InvalidCharacter: [
    'Teksten inneholder et tegn som ikke er tillatt: {character}. Fjern det.',
    'The text contains a character that is not allowed: {character}. Remove it.',
  ],
  MethodNotAllowed: [
    '{method} er ikke tillatt for denne URL-en. Tillatt: {allow}.',
    '{method} is not allowed for this URL. Allowed: {allow}.',
    405,
  ],
  NotAcceptable: [
    'Ingen av de forespurte svarformatene er tilgjengelige. Tilgjengelig: {type}.',
    'None of the requested response formats is available. Available: {type}.',
    406,
  ],
  RequestTimeout: [
    'Forespørselen ble ikke mottatt innen {seconds} s. Send den på nytt.',
    'The request was not received within {seconds} s. Send it again.',
    408,
  ],
  BodyTooLarge: [
    'Innholdet er større enn {max} byte. Del det på flere forespørsler.',
    'The body is larger than {max} bytes. Split it into several requests.',
    413,
  ],
  UrlTooLong: [
    'URL-en er lengre enn {max} byte. Del spørringen på flere forespørsler.',
    'The URL is longer than {max} bytes. Split the query into several requests.',
    414,
  ],
  UnsupportedMediaType: [
    'Innholdstypen {type} støttes ikke. Støttet: {allowed}.',
    'The content type {type} is not supported. Supported: {allowed}.',
    415,
  ],
  UnsupportedContentEncoding: [
    'Komprimert innhold støttes ikke. Send innholdet uten Content-Encoding.',
    'Compressed request bodies are not supported. Send the body without Content-Encoding.',
    415,
  ],
  ExpectationFailed: [
    'Expect: {expect} støttes ikke. Utelat headeren.',
    'Expect: {expect} is not supported. Leave the header out.',
    417,
  ],
  HostNotAllowed: [
    'Vertsnavnet i forespørselen er ikke satt opp på denne serveren. Bruk serverens offentlige URL.',
    'The host name of the request is not configured on this server. Use its public URL.',
    421,
  ],
  HeadersTooLarge: [
    'Headerne i forespørselen er større enn {max} byte, eller flere enn {countMax}.',
    'The request headers are larger than {max} bytes, or more than {countMax}.',
    431,
  ],
  // headers
  InvalidHeader: [
    'Headeren {name} er ugyldig. Eksempel: {example}.',
    'The header {name} is invalid. Example: {example}.',
  ],
  VersionNotSupported: [
    'OData {version} støttes ikke. Støttet: 4.0, 4.01.',
    'OData {version} is not supported. Supported: 4.0, 4.01.',
  ],
  IdempotencyKeyInvalid: [
    'Idempotency-Key må være 1 til 255 synlige ASCII-tegn.',
    'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  ],
  IsolationNotSupported: [
    'Samme øyeblikksbilde for flere forespørsler støttes ikke. Utelat headeren Isolation.',
    'Snapshot isolation across several requests is not supported. Leave the Isolation header out.',
    412,
  ],
  // the body
  MalformedJson: [
    'Innholdet er ikke gyldig JSON: {problem} i posisjon {position}.',
    'The body is not valid JSON: {problem} at position {position}.',
  ],
  JsonTooDeep: [
    'JSON-innholdet er nøstet dypere enn {max} nivåer.',
    'The JSON body is nested deeper than {max} levels.',
  ],
  MalformedXml: ['Innholdet er ikke gyldig XML: {problem}.', 'The body is not valid XML: {problem}.'],
  XmlNotAllowed: [
    'XML-innholdet har {what}, som ikke er tillatt. Fjern det.',
    'The XML body contains {what}, which is not allowed. Remove it.',
  ],
  EmptyBody: ['Innholdet er tomt. Send {expected}.', 'The body is empty. Send {expected}.'],
  InvalidBodyType: ['Innholdet må være {expected}, ikke {found}.', 'The body must be {expected}, not {found}.'],
  InvalidBatch: ['Batch-forespørselen er ugyldig: {problem}.', 'The batch request is invalid: {problem}.'],
  BatchTooLarge: [
    'Batchen har mer enn {max} forespørsler. Del den i flere.',
    'The batch contains more than {max} requests. Split it into several batches.',
  ],
  TooManyItems: [
    'Listen har mer enn {max} rader. Del den på flere forespørsler.',
    'The list has more than {max} rows. Split it into several requests.',
  ],
  InvalidRows: [
    'Ugyldige rader: {count}. Ingenting ble lagret. Se details.',
    'Invalid rows: {count}. Nothing was stored. See details.',
  ],
  UnreadableFile: ['Filen kan ikke leses: {problem}.', 'The file cannot be read: {problem}.'],
  // fields of a record
  MissingField: ['{field} er påkrevd.', '{field} is required.'],
  UnknownField: ['Feltet «{field}» finnes ikke.', 'There is no field "{field}".'],
  ReadOnlyField: ['{field} kan bare leses. Utelat feltet.', '{field} is read-only. Leave it out.'],
  CollectionNotBindable: [
    '{field} fører til mange poster, som ikke kan settes her. Sett heller {foreignKey} for hver {set}.',
    '{field} leads to many records, which cannot be set here. Set {foreignKey} of each {set} instead.',
  ],
  DuplicateField: [
    'Det samme feltet er oppgitt to ganger, som {first} og som {second}. Send det én gang.',
    'The same field is given twice, as {first} and as {second}. Send it once.',
  ],
  InvalidType: ['{field} må være {expected}, ikke {found}.', '{field} must be {expected}, not {found}.'],
  InvalidValue: ['{field} har en ugyldig verdi: {problem}.', '{field} has an invalid value: {problem}.'],
  ValueTooLong: ['{field} er lengre enn {max} tegn.', '{field} is longer than {max} characters.'],
  InvalidNumber: [
    '{field} er ikke et tall. Bruk sifre og desimalpunktum, som 1234.50.',
    '{field} is not a number. Use digits and a decimal point, like 1234.50.',
  ],
  NumberOutOfRange: [
    '{field} er utenfor gyldig område: det må være mellom {min} og {max}.',
    '{field} is out of range: it must be between {min} and {max}.',
  ],
  InvalidDate: [
    '{field} er ikke en gyldig dato fra 1900 til 2199. Skriv den som 2024-05-01.',
    '{field} is not a valid date from 1900 to 2199. Write it like 2024-05-01.',
  ],
  AmbiguousDate: [
    '{field} er et tidspunkt der datoen avhenger av tidssonen ({zone}). Send bare datoen, som 2024-05-01.',
    '{field} is a time whose date depends on the time zone ({zone}). Send the date only, like 2024-05-01.',
  ],
  KeyNotAllowed: [
    '{field} må være tomt: tjenesten tildeler nøkkelen til en ny post.',
    '{field} must be empty: the service assigns the key of a new record.',
  ],
  KeyRequired: ['{field} må være nøkkelen til en post som finnes.', '{field} must be the key of an existing record.'],
  NothingToChange: [
    'Det er ingenting å endre. Send minst ett felt i tillegg til nøkkelen.',
    'There is nothing to change. Send at least one field besides the key.',
  ],
})
