// Error message fragments in English and Norwegian, and the formatting of messages.

/**
 * Values of a message's `{placeholders}`; undefined for none. A string is inserted as it is: a name, or text that the
 * caller sent.
 */
export type MessageParams = Readonly<Record<string, string | number | LocalizedMessage | undefined>>

/** A translated message fragment with the values of its placeholders. */
export interface LocalizedMessage {
  readonly code: MessageCode
  readonly params: MessageParams
}

export type Language = 'en' | 'nb'

/** A text in both languages. */
export type MessagePair = readonly [nb: string, en: string]

type ErrorText = readonly [...text: MessagePair, status?: number]

/** An entry of the error catalogue: the HTTP status of a code, and its message in each language. */
export interface ErrorDefinition extends Readonly<Record<Language, string>> {
  readonly status: number
}

/** Errors by code: their messages, and their status where it is not the usual one. */
export function defineErrors<const Code extends string>(
  usualStatus: number,
  errors: Readonly<Record<Code, ErrorText>>,
): Readonly<Record<Code, ErrorDefinition>>
export function defineErrors(usualStatus: number, errors: Readonly<Record<string, ErrorText>>) {
  const entries = Object.entries(errors)
  return Object.fromEntries(entries.map(([code, [nb, en, status = usualStatus]]) => [code, { status, nb, en }]))
}

/** The text in one of its languages. */
export function inLanguage([nb, en]: MessagePair, language: Language): string {
  return language === 'nb' ? nb : en
}

export function message(code: MessageCode, params: MessageParams = {}): LocalizedMessage {
  return { code, params }
}

/** Replaces the `{placeholders}` of a text. A placeholder without a value is a bug of the caller and stays visible. */
export function interpolate(text: string, params: MessageParams, language: Language): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = params[name]
    if (value === undefined) return whole
    return typeof value === 'object' ? formatMessage(value, language) : String(value)
  })
}

export function formatMessage(text: LocalizedMessage, language: Language): string {
  return interpolate(inLanguage(messages[text.code], language), text.params, language)
}

export const messages = {
  // types of values and bodies
  anObject: ['et objekt', 'an object'],
  anArray: ['en liste', 'an array'],
  anObjectOrArray: ['et objekt eller en liste', 'an object or an array'],
  aString: ['en tekst', 'a string'],
  aNumber: ['et tall', 'a number'],
  anInteger: ['et heltall', 'an integer'],
  aDate: ['en dato', 'a date'],
  aDateString: ['en dato i en tekst', 'a date in a string'],
  aDateTime: ['en dato med klokkeslett', 'a date and time'],
  trueOrFalse: ['true eller false', 'true or false'],
  differsFromUrlKey: ['er ulik nøkkelen i URL-en', 'differs from the key in the URL'],
  oneOf: ['må være en av {values}', 'must be one of {values}'],
  notCombinable: ['kan ikke kombineres med {other}', 'cannot be combined with {other}'],
  notAnInteger: ['må være et heltall', 'must be an integer'],
  isZero: ['kan ikke være 0', 'must not be zero'],
  maximumReached: ['grensen på 100 er nådd', 'the maximum of 100 is reached'],
  invalidWebhookUrl: [
    'må være en URL som https://mottaker.example/krok',
    'must be a URL like https://receiver.example/hook',
  ],
  webhookUrlNotAllowed: [
    'må bruke https, på et nett som webhooks kan kalle',
    'must use https, on a network that webhooks may call',
  ],
  notAnAllowedValue: ['er ikke en av de tillatte verdiene', 'is not one of the allowed values'],
  notInExportedLines: [
    'kan ikke brukes på eksporterte linjer: avgrens dem i godkjenningen med dato, prosjekt eller ansatt',
    'is not available for exported lines: restrict them in the approvals by date, project or employee',
  ],
  invalidIdList: [
    'må være en liste på høyst {max} id-er som 3-7,12',
    'must be a list of at most {max} ids like 3-7,12',
  ],
  dayWeekOrMonth: ['må være day, week eller month', 'must be day, week or month'],
  isEmpty: ['kan ikke være tom', 'must not be empty'],
  expectedTrueOrFalse: ['må være true eller false', 'must be true or false'],

  // missing or unknown
  thisUrl: ['Denne URL-en', 'This URL'],
  recordOfCell: ['En post for denne avdelingen, datoen og typen', 'A record of this department, date and type'],
  theSchemaVersion: ['Denne skjemaversjonen', 'This schema version'],
  theImport: ['Importen', 'The import'],
  theWebhook: ['Webhooken', 'The webhook'],
  theDelivery: ['Leveransen', 'The delivery'],
  theRecord: ['Posten', 'The record'],
  oneRecord: ['1 post', '1 record'],
  records: ['{count} poster', '{count} records'],
  anyOfFields: ['Minst ett av feltene {fields}', 'At least one of {fields}'],
  none: ['(ingen)', '(none)'],

  // JSON and XML syntax
  aDoctype: ['en DOCTYPE', 'a DOCTYPE'],
  aProcessingInstruction: ['en behandlingsinstruks', 'a processing instruction'],
  moreLevels: ['mer enn {max} nivåer', 'more than {max} levels'],
  moreAttributes: ['et element med mer enn {max} attributter', 'an element with more than {max} attributes'],
  xmlSyntax: ['feil ved {position}', '{position}: {problem}'],
  encodingNotUtf8: [
    'XML-deklarasjonen oppgir en annen tegnkoding enn UTF-8',
    'the XML declaration names another encoding than UTF-8',
  ],
  unexpectedText: ['uventet tekst etter slutten', 'unexpected text after the end'],
  commaMissing: ['et komma eller en sluttparentes mangler', 'a comma or a closing bracket is missing'],
  nameMissing: ['et navn i doble anførselstegn mangler', 'a name in double quotes is missing'],
  colonMissing: ['et kolon mangler', 'a colon is missing'],
  valueMissing: ['en verdi mangler', 'a value is missing'],
  unexpectedEnd: ['uventet slutt på teksten', 'unexpected end of the text'],
  stringNotClosed: ['en tekst er ikke avsluttet', 'a string is not closed'],
  unescapedLineBreak: [
    'en tekst har et linjeskift eller en tabulator som ikke er kodet',
    'a string contains an unescaped line break or tab',
  ],
  unknownEscape: ['en tekst har en ukjent escape-sekvens', 'a string contains an unknown escape sequence'],
  notJsonNumber: ['et tall er ikke skrevet slik JSON krever', 'a number is not in JSON notation'],

  // imported files
  fileTooLarge: ['filen er større enn {max} byte', 'the file is larger than {max} bytes'],
  headerRowMissing: ['overskriftsraden mangler', 'the header row is missing'],
  csvQuoteNotClosed: [
    'et anførselstegn som åpnes i linje {line}, blir aldri lukket',
    'a quote opened in line {line} is never closed',
  ],
  lineTooLong: [
    'linje {line} er lengre enn {max} byte, eller et anførselstegn i den blir aldri lukket',
    'line {line} is longer than {max} bytes, or a quote in it is never closed',
  ],
  notAWorkbook: ['ikke en Excel-arbeidsbok (.xlsx)', 'not an Excel workbook (.xlsx)'],
  oldWorkbook: [
    'filen har det gamle Excel-formatet (.xls): lagre den som .xlsx eller CSV',
    'the file has the old Excel format (.xls): save it as .xlsx or CSV',
  ],
  decompressedTooLarge: [
    'filen er større enn {max} byte når den pakkes ut',
    'the file is larger than {max} bytes when decompressed',
  ],
  readingTooCostly: [
    'det tar for mye tid eller minne å lese filen: lagre arket i en ny fil, eller som CSV',
    'reading the file takes too much time or memory: save the sheet in a new file, or as CSV',
  ],
  tooManyParts: ['filen har mer enn {max} deler', 'the file contains more than {max} parts'],
  tooManyColumns: ['tabellen har mer enn {max} kolonner', 'the table has more than {max} columns'],
  fieldMappedTwice: [
    'kolonnene «{one}» og «{other}» er begge koblet til {field}',
    'the columns "{one}" and "{other}" are both mapped to {field}',
  ],
  noSuchColumn: ['kolonnen «{name}» finnes ikke', 'there is no column "{name}"'],
  noSuchField: ['feltet «{name}» finnes ikke', 'there is no field "{name}"'],
  keyNotMapped: [
    'ingen kolonne er koblet til {key} eller {other}; filen har {columns}',
    'no column is mapped to {key} or {other}; the file has {columns}',
  ],
  fieldNotMapped: [
    'ingen kolonne er koblet til {field}; filen har {columns}',
    'no column is mapped to {field}; the file has {columns}',
  ],
  notYourDepartment: ['er ikke en av dine avdelinger', 'is not one of your departments'],
  listMissing: ['filen inneholder ingen liste', 'the file contains no list'],
  invalidJsonFile: ['filen er ikke gyldig JSON', 'the file is not valid JSON'],
  idColumnMissing: [
    'ingen kolonne heter Id, externalId eller Eksportnokkel',
    'no column is called Id, externalId or Eksportnokkel',
  ],
  lineIdMissing: ['{position} har ingen linje-id', '{position} has no line id'],
  invalidId: ['{position}: «{value}» er ikke en id', '{position}: "{value}" is not an id'],
  entryAt: ['element {number}', 'entry {number}'],
  lineAt: ['linje {line}', 'line {line}'],
  beyondLastColumn: [
    'er til høyre for den siste kolonnen med overskrift',
    'is to the right of the last column with a header',
  ],
  duplicateKey: ['linje {line} har samme nøkkel', 'line {line} has the same key'],
  ambiguousKey: ['flere poster har denne nøkkelen', 'several records have this key'],

  // conflicts
  somebodyElse: ['noen andre', 'somebody else'],
  sinceBy: [' siden {at}, av {actor}', ' since {at}, by {actor}'],

  // headers
  invalidSandboxFault: [
    'må være 429, 503, slow=MS opptil {max}, eller {drop}',
    'must be 429, 503, slow=MS up to {max}, or {drop}',
  ],

  // query options
  unexpectedParenthesis: ['uventet )', 'unexpected )'],
  parenthesisNotClosed: ['parentesen blir aldri lukket', 'the parenthesis is never closed'],
  quoteNotClosed: ['apostrofen blir aldri lukket', 'the quote is never closed'],
  expectedOperator: ['ventet en operator eller slutten', 'expected an operator or the end'],
  expectedComma: ['ventet et komma eller slutten', 'expected a comma or the end'],
  expectedParenthesis: ['ventet )', 'expected )'],
  expectedValue: ['ventet en verdi', 'expected a value'],
  expectedValueAtEnd: ['ventet en verdi på slutten', 'expected a value at the end'],
  expectedLiteral: ['ventet en konstant', 'expected a literal'],
  expectedDate: ['ventet en dato, som {example}', 'expected a date, like {example}'],
  expectedName: ['ventet et feltnavn eller *', 'expected a property name or *'],
  expectedTerm: ['ventet et ord eller en frase i anførselstegn', 'expected a word or a quoted phrase'],
  expectedSpace: ['ventet et mellomrom', 'expected a space'],
  expectedAlias: ['ventet as og et alias', 'expected as and an alias'],
  expectedSign: ['ventet {sign}', 'expected {sign}'],
  expectedCount: ['ventet et heltall, 0 eller mer', 'expected an integer, 0 or more'],
  expectedLevels: ['ventet max eller et heltall, 1 eller mer', 'expected max or an integer, 1 or more'],
  expectedColon: ['ventet et kolon', 'expected a colon'],
  expectedSlash: ['ventet / og et feltnavn', 'expected / and a property name'],
  expectedSegment: [
    'ventet et navn, eller et navn og en nøkkel i parentes',
    'expected a name, or a name and a key in parentheses',
  ],
  nothingFollows: ['ingenting kan følge etter {name}', 'nothing can follow {name}'],
  invalidNextLink: ['ikke en fortsettelseslenke for denne spørringen', 'not a continuation link for this query'],
  pathHasFilter: ['stien har allerede et filter', 'the path already has a filter'],
  expectedRecordAddress: ['ventet URL-en til en post, som Ansatt(1)', 'expected the URL of a record, like Ansatt(1)'],
  expectedType: ['ventet {type}', 'expected {type}'],
  expectedUrlInSet: ['ventet URL-en til en post i {set}', 'expected the URL of a record of {set}'],
  segmentNotPossible: [
    '{name} er ikke mulig etter det foregående leddet',
    '{name} is not possible after the preceding segment',
  ],
  expectedSlashOrEnd: ['ventet / eller slutten', 'expected / or the end'],
  expectedTransformation: [
    'ventet en transformasjon, som groupby((…),aggregate(…))',
    'expected a transformation, like groupby((…),aggregate(…))',
  ],
  expectedMethod: [
    'ventet sum, min, max, average eller countdistinct',
    'expected sum, min, max, average or countdistinct',
  ],
  theSegment: ['stileddet {name}', 'the path segment {name}'],
  theTransformation: ['transformasjonen {name}', 'the transformation {name}'],
  theMethod: ['aggregeringsmetoden {name}', 'the aggregation method {name}'],
  expectedPropertyName: ['ventet et feltnavn', 'expected a property name'],
  expectedVariable: [
    'ventet en lambda-variabel, som x i any(x:x/…)',
    'expected a lambda variable, like x in any(x:x/…)',
  ],
  invalidLiteral: ['ikke en gyldig konstant av typen {name}', 'not a valid literal of type {name}'],
  expectedSemicolon: ['ventet ; eller )', 'expected ; or )'],
  expectedOption: ['ventet et av valgene {options}', 'expected one of the options {options}'],
  givenTwice: ['{name} er oppgitt to ganger', '{name} is given twice'],
  namesInList: ['antall navn i en liste', 'number of names in a list'],
  expandDepth: ['dybde av $expand', 'depth of nested $expand'],
  theLiteral: ['en konstant av typen {name}', 'a literal of type {name}'],
  aPathFrom: ['en sti som begynner med {name}', 'a path that starts with {name}'],
  aParenthesisAfter: ['en parentes etter {name}', 'a parenthesis after {name}'],
  aFunctionInPath: ['et funksjonskall i en sti', 'a function call in a path'],
  aTypeCast: ['en typekonvertering', 'a type cast'],
  anAnnotation: ['en annotasjon', 'an annotation'],
  aMediaStream: ['en mediestrøm', 'a media stream'],
  expectedField: ['ventet et felt', 'expected a property'],
  expectedFieldOrText: [
    'ventet et felt, eller en tekst i apostrofer',
    'expected a property or a string in single quotes',
  ],
  expectedCondition: ['ventet et logisk uttrykk', 'expected a boolean expression'],
  expectedList: ['ventet en liste av konstanter i parentes', 'expected a list of literals in parentheses'],
  expectedStraightQuotes: [
    "tekst skrives i rette apostrofer, som 'dette'",
    "strings are written in straight single quotes, like 'this'",
  ],
  invalidNumberOrDate: ['ikke et gyldig tall eller en gyldig dato', 'not a valid number or date'],
  unknownFunction: ['funksjonen «{name}» finnes ikke', 'there is no function "{name}"'],
  takesArgument: ['{name} tar 1 argument', '{name} takes 1 argument'],
  takesArguments: ['{name} tar {count} argumenter', '{name} takes {count} arguments'],
  range: ['{min} til {max}', '{min} to {max}'],
  nodes: ['antall operatorer og operander', 'number of operators and operands'],
  depth: ['nøstingsdybde', 'nesting depth'],
  collections: ['antall samlinger inni hverandre', 'number of nested collections'],
  steps: ['antall transformasjoner', 'number of transformations'],
  copies: ['antall kopier av en rad', 'number of copies of a row'],
  valuesOfIn: ['antall verdier i en in-liste', 'number of values in an in list'],
  notBoolean: ['{field} er ikke et logisk uttrykk', '{field} is not a boolean expression'],
  notAString: ['{field} er ikke en tekst', '{field} is not a string'],
  isOfType: ['{field} er {kind}, som {example}', '{field} is {kind}, like {example}'],
  theseOutside: [
    '$these utenfor en transformasjon, eller et felt i $these',
    '$these outside a transformation, or a property of $these',
  ],
  unsupportedThese: [
    '$these med noe annet enn $count, sum, average, min og max',
    '$these with anything but $count, sum, average, min and max',
  ],
  noSuchSet: ['det finnes ikke noe slikt sett etter $root', 'there is no such entity set after $root'],
  exportInExpression: ['TransaksjonsEksport inne i et uttrykk', 'TransaksjonsEksport inside an expression'],
  noSuchKey: ['ikke en gyldig nøkkel i {name}', 'not a valid key of {name}'],
  complexValueNotOrdered: ['sammensatte verdier støtter bare eq og ne', 'complex values support eq and ne only'],
  noSuchPart: [
    'det finnes ikke noe felt {name}, eller det er oppgitt to ganger',
    'there is no property {name}, or it is given twice',
  ],
  operandTypesDiffer: ['de to operandene har ulik type', 'the two operands have different types'],
  fieldTypesDiffer: ['{one} og {other} har ulik type', '{one} and {other} have different types'],
  notPrecedence: [
    'not binder sterkere enn en sammenligning: skriv not (…)',
    'not binds more tightly than a comparison: write not (…)',
  ],
  booleanComparison: [
    'et logisk uttrykk kan bare sammenlignes med true eller false, med eq eller ne',
    'a boolean expression can only be compared with true or false, by eq or ne',
  ],
  dateDoesNotExist: ['denne datoen eller dette klokkeslettet finnes ikke', 'this date or time does not exist'],
  aliasOfExpression: ['et parameteralias for et uttrykk', 'a parameter alias for an expression'],
  theFunction: ['funksjonen {name}', 'the function {name}'],
  aNestedSelect: ['$select inne i dette feltet', 'nested $select of this property'],
  anExpandOfPath: ['$expand av en sti', '$expand of a path'],
  relations: ['antall relasjoner', 'number of relations'],
  namedTwice: ['en relasjon er nevnt to ganger', 'a relation is named twice'],
  searchAfterAggregation: ['$search etter en aggregering', '$search after an aggregation'],
  expectedNumber: ['ventet et tall', 'expected a number'],
  expectedPositiveCount: ['ventet et heltall, 1 eller mer', 'expected an integer, 1 or more'],
  expectedPercent: ['ventet et tall større enn 0 og høyst 100', 'expected a number greater than 0 and at most 100'],
  aComputedCount: ['et beregnet antall', 'a computed count'],
  unknownHierarchy: [
    'det finnes ikke noe hierarki med det navnet; oppgi to nivåer eller flere',
    'there is no hierarchy of that name; name two levels or more',
  ],
  groupingByRelation: [
    'groupby med en relasjon: oppgi et av feltene',
    'groupby with a navigation property: name one of its properties',
  ],
  aggregateAfterFilter: [
    'aggregate etter et filter inne i groupby: filtrer før groupby',
    'aggregate after a filter inside groupby: filter before groupby',
  ],
  aggregateFromCombined: [
    'from sammen med andre aggregeringer, eller uten metode',
    'from together with other aggregate expressions, or without a method',
  ],
  averageOfCollection: [
    'average eller countdistinct over en samling relaterte poster',
    'average or countdistinct over a collection of related records',
  ],
  aggregateOfDistantCollection: [
    'aggregering av en samling som nås gjennom en annen relasjon',
    'aggregation of a collection that is reached through another navigation property',
  ],
  countDistinctCollection: [
    'countdistinct av en samling, eller av poster med flere nøkkelfelt',
    'countdistinct of a collection, or of records with several key properties',
  ],
  sumOverRelated: [
    'en sum over felt i relaterte poster, som teller én gang hver',
    'a sum over properties of related records, which are counted once each',
  ],
  applyOnExport: ['$apply på TransaksjonsEksport', '$apply on TransaksjonsEksport'],
  joinAlongPath: [
    'join langs en sti, eller av rader av flere typer',
    'a join along a path, or of rows of several types',
  ],
  applyInLevels: ['$apply sammen med $levels', '$apply together with $levels'],
  outerVariableInRoot: [
    'en ytre variabel i et uttrykk med $root/Sett',
    'an outer variable inside a $root/Set expression',
  ],
  itPathInExpand: [
    'en sti fra $it til en relatert post inne i $expand',
    'a path from $it to a related record inside $expand',
  ],
  timeZoneNotUtc: [
    'en dato- eller tidsfunksjon med en annen tidssone enn UTC',
    'a date or time function with another time zone than UTC',
  ],
  literalOfUnusedType: ['en konstant av en type som ikke noe felt har', 'a literal of a type that no property has'],
  aTimeOfDay: ['et klokkeslett', 'a time of day'],
  aDuration: ['en varighet', 'a duration'],
  anEnumMember: ['et medlem av en oppregning', 'an enumeration member'],
  noSuchMember: ['det finnes ikke noe medlem {name}', 'there is no member {name}'],
  dividesByZero: ['divisjon på null', 'division by zero'],
  operandTypesNotAccepted: ['{operator} godtar ikke {one} og {other}', '{operator} does not accept {one} and {other}'],
  operatorTakes: ['{operator} krever {kind}', '{operator} requires {kind}'],
  argumentTypesNotAccepted: [
    '{name} godtar ikke argumenter av disse typene',
    '{name} does not accept arguments of these types',
  ],
  valueTypesDiffer: ['verdiene har ulik type', 'the values have different types'],
  tooManyPlaces: ['ventet høyst fire desimaler', 'expected at most four decimal places'],
  duplicateName: ['{name} er allerede navnet på noe annet', '{name} is already the name of something else'],
  ordersAtMost: ['høyst {max} uttrykk er tillatt', 'the maximum is {max} expressions'],
  isCollection: [
    '{name} er en samling poster; bruk any, all eller $count',
    '{name} is a collection of records; use any, all or $count',
  ],
  isNotCollection: ['{name} er ikke en samling poster', '{name} is not a collection of records'],
  isSingleRecord: [
    '{name} er én post, som ikke har valg for samlinger',
    '{name} is a single record, which takes no collection options',
  ],

  // names, passwords and settings
  spaceAtEdge: [
    'kan ikke begynne eller slutte med mellomrom, som går tapt i en forespørsel',
    'must not begin or end with a space, which is lost in a request',
  ],
  untypeableCharacter: ['inneholder et tegn som ikke kan tastes', 'contains a character that cannot be typed'],
  tooShort: ['{count} tegn; minst {min} kreves', '{count} characters; at least {min} are required'],
  tooLong: ['har mer enn {max} tegn', 'has more than {max} characters'],
  easyToGuess: [
    'er lett å gjette: det består av vanlige ord, rekker eller gjentakelser; bruk noen ord uten sammenheng',
    'is easy to guess: it consists of common words, sequences or repetitions; use a few unrelated words',
  ],
  emptyOrSpaceAtEdge: [
    'kan ikke være tomt, eller begynne eller slutte med mellomrom',
    'must not be empty, or begin or end with a space',
  ],
  hasColon: [
    'kan ikke inneholde kolon, som avslutter navnet i HTTP Basic',
    'must not contain a colon, which ends the name in HTTP Basic',
  ],
  invalidEmail: ['må være en e-postadresse som kari@example.no', 'must be an e-mail address like kari@example.no'],
  invalidTimezone: ['må være en tidssone som Europe/Oslo', 'must be a time zone like Europe/Oslo'],

  // $batch
  boundaryMissing: ['multipart-skillelinjen (boundary) mangler', 'the multipart boundary is missing'],
  headerUnreadable: ['en header er ugyldig', 'a header is invalid'],
  changeSetInside: [
    'et endringssett kan ikke inneholde et annet endringssett',
    'a change set cannot contain another change set',
  ],
  expectedHttpPart: [
    'ventet en del av typen application/http eller multipart/mixed',
    'expected a part of type application/http or multipart/mixed',
  ],
  requestLineUnreadable: ['ventet en linje som GET Ansatt HTTP/1.1', 'expected a line like GET Ansatt HTTP/1.1'],
  urlOfOtherService: ['URL-en hører ikke til denne tjenesten', 'the URL does not belong to this service'],
  duplicateId: ['id-en er brukt mer enn én gang', 'the id is used more than once'],
  groupNotAdjacent: [
    'forespørslene i en gruppe må følge rett etter hverandre, og navnet kan ikke være en id',
    'the requests of a group must be adjacent, and its name cannot be an id',
  ],
  dependsOnLater: [
    'den avhenger av en forespørsel som ikke kommer før den',
    'it depends on a request that does not precede it',
  ],
  readInChangeSet: ['et endringssett kan bare inneholde endringer', 'a change set can contain writes only'],
  anotherOfItsGroup: ['en annen forespørsel i gruppen', 'another request of the group'],
  whatItDependsOn: ['en forespørsel som den avhenger av', 'a request that it depends on'],
  aBatchInside: ['En batch inne i en batch', 'A batch inside a batch'],
  aCondition: ['En betingelse på andre svar', 'A condition on other replies'],
  aDryRunInChangeSet: ['En prøvekjøring i et endringssett', 'A dry run in a change set'],
  readBackInChangeSet: ['Å lese tilbake i et endringssett', 'Reading back in a change set'],
  deepInsert: [
    'En relatert post i innholdet (skriv den for seg, og henvis til den med @odata.bind)',
    'A related record in the body (write it by itself, and refer to it with @odata.bind)',
  ],
  deletedRecord: [
    'En slettet post i innholdet (send DELETE for den)',
    'A deleted record in the body (send DELETE for it)',
  ],
  expandOfManyInWrite: [
    'En relasjon til mange i svaret på en endring (les den etterpå)',
    'A relation to many in the reply to a write (read it afterwards)',
  ],
  expandInList: [
    '$expand i svaret på en liste (les postene etterpå)',
    '$expand in the reply to a list (read the records afterwards)',
  ],
  readInDryRun: ['$expand, eller fulle metadata, i en prøvekjøring', '$expand, or full metadata, in a dry run'],
  keyOfBatch: [
    'Idempotency-Key for en hel batch (send én per forespørsel i stedet)',
    'Idempotency-Key on a whole batch (send one per request instead)',
  ],
  unknownScope: ['rettigheten «{name}» finnes ikke', 'there is no scope "{name}"'],
} as const satisfies Record<string, MessagePair>

export type MessageCode = keyof typeof messages
