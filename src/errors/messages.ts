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

/** An entry of the error catalogue: the HTTP status of a code, and its message in each language. */
export interface ErrorDefinition extends Readonly<Record<Language, string>> {
  readonly status: number
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
  return interpolate(messages[text.code][language], text.params, language)
}

export const messages = {
  // types of values and bodies
  anObject: { en: 'an object', nb: 'et objekt' },
  anArray: { en: 'an array', nb: 'en liste' },
  anObjectOrArray: { en: 'an object or an array', nb: 'et objekt eller en liste' },
  aString: { en: 'a string', nb: 'en tekst' },
  aNumber: { en: 'a number', nb: 'et tall' },
  anInteger: { en: 'an integer', nb: 'et heltall' },
  aDate: { en: 'a date', nb: 'en dato' },
  aDateString: { en: 'a date in a string', nb: 'en dato i en tekst' },
  aDateTime: { en: 'a date and time', nb: 'en dato med klokkeslett' },
  trueOrFalse: { en: 'true or false', nb: 'true eller false' },
  differsFromUrlKey: { en: 'differs from the key in the URL', nb: 'er ulik nøkkelen i URL-en' },
  oneOf: { en: 'must be one of {values}', nb: 'må være en av {values}' },
  notCombinable: { en: 'cannot be combined with {other}', nb: 'kan ikke kombineres med {other}' },
  notAnInteger: { en: 'must be an integer', nb: 'må være et heltall' },
  isZero: { en: 'must not be zero', nb: 'kan ikke være 0' },
  maximumReached: { en: 'the maximum of 100 is reached', nb: 'grensen på 100 er nådd' },
  invalidWebhookUrl: {
    en: 'must be a URL like https://receiver.example/hook',
    nb: 'må være en URL som https://mottaker.example/krok',
  },
  webhookUrlNotAllowed: {
    en: 'must use https, on a network that webhooks may call',
    nb: 'må bruke https, på et nett som webhooks kan kalle',
  },
  notAnAllowedValue: { en: 'is not one of the allowed values', nb: 'er ikke en av de tillatte verdiene' },
  notInExportedLines: {
    en: 'is not available for exported lines: restrict them in the approvals by date, project or employee',
    nb: 'kan ikke brukes på eksporterte linjer: avgrens dem i godkjenningen med dato, prosjekt eller ansatt',
  },
  invalidIdList: {
    en: 'must be a list of at most {max} ids like 3-7,12',
    nb: 'må være en liste på høyst {max} id-er som 3-7,12',
  },
  dayWeekOrMonth: { en: 'must be day, week or month', nb: 'må være day, week eller month' },
  isEmpty: { en: 'must not be empty', nb: 'kan ikke være tom' },
  expectedTrueOrFalse: { en: 'must be true or false', nb: 'må være true eller false' },

  // missing or unknown
  thisUrl: { en: 'This URL', nb: 'Denne URL-en' },
  recordOfCell: {
    en: 'A record of this department, date and type',
    nb: 'En post for denne avdelingen, datoen og typen',
  },
  theSchemaVersion: { en: 'This schema version', nb: 'Denne skjemaversjonen' },
  theImport: { en: 'The import', nb: 'Importen' },
  theWebhook: { en: 'The webhook', nb: 'Webhooken' },
  theDelivery: { en: 'The delivery', nb: 'Leveransen' },
  theRecord: { en: 'The record', nb: 'Posten' },
  oneRecord: { en: '1 record', nb: '1 post' },
  records: { en: '{count} records', nb: '{count} poster' },
  anyOfFields: { en: 'At least one of {fields}', nb: 'Minst ett av feltene {fields}' },
  none: { en: '(none)', nb: '(ingen)' },

  // JSON and XML syntax
  aDoctype: { en: 'a DOCTYPE', nb: 'en DOCTYPE' },
  aProcessingInstruction: { en: 'a processing instruction', nb: 'en behandlingsinstruks' },
  moreLevels: { en: 'more than {max} levels', nb: 'mer enn {max} nivåer' },
  xmlSyntax: { en: '{position}: {problem}', nb: 'feil ved {position}' },
  encodingNotUtf8: {
    en: 'the XML declaration names another encoding than UTF-8',
    nb: 'XML-deklarasjonen oppgir en annen tegnkoding enn UTF-8',
  },
  unexpectedText: { en: 'unexpected text after the end', nb: 'uventet tekst etter slutten' },
  commaMissing: { en: 'a comma or a closing bracket is missing', nb: 'et komma eller en sluttparentes mangler' },
  nameMissing: { en: 'a name in double quotes is missing', nb: 'et navn i doble anførselstegn mangler' },
  colonMissing: { en: 'a colon is missing', nb: 'et kolon mangler' },
  valueMissing: { en: 'a value is missing', nb: 'en verdi mangler' },
  unexpectedEnd: { en: 'unexpected end of the text', nb: 'uventet slutt på teksten' },
  stringNotClosed: { en: 'a string is not closed', nb: 'en tekst er ikke avsluttet' },
  unescapedLineBreak: {
    en: 'a string contains an unescaped line break or tab',
    nb: 'en tekst har et linjeskift eller en tabulator som ikke er kodet',
  },
  unknownEscape: { en: 'a string contains an unknown escape sequence', nb: 'en tekst har en ukjent escape-sekvens' },
  notJsonNumber: { en: 'a number is not in JSON notation', nb: 'et tall er ikke skrevet slik JSON krever' },

  // imported files
  fileTooLarge: { en: 'the file is larger than {max} bytes', nb: 'filen er større enn {max} byte' },
  headerRowMissing: { en: 'the header row is missing', nb: 'overskriftsraden mangler' },
  csvQuoteNotClosed: {
    en: 'a quote opened in line {line} is never closed',
    nb: 'et anførselstegn som åpnes i linje {line}, blir aldri lukket',
  },
  lineTooLong: {
    en: 'line {line} is longer than {max} bytes, or a quote in it is never closed',
    nb: 'linje {line} er lengre enn {max} byte, eller et anførselstegn i den blir aldri lukket',
  },
  notAWorkbook: { en: 'not an Excel workbook (.xlsx)', nb: 'ikke en Excel-arbeidsbok (.xlsx)' },
  oldWorkbook: {
    en: 'the file has the old Excel format (.xls): save it as .xlsx or CSV',
    nb: 'filen har det gamle Excel-formatet (.xls): lagre den som .xlsx eller CSV',
  },
  decompressedTooLarge: {
    en: 'the file is larger than {max} bytes when decompressed',
    nb: 'filen er større enn {max} byte når den pakkes ut',
  },
  readingTooCostly: {
    en: 'reading the file takes too much time or memory: save the sheet in a new file, or as CSV',
    nb: 'det tar for mye tid eller minne å lese filen: lagre arket i en ny fil, eller som CSV',
  },
  tooManyParts: { en: 'the file contains more than {max} parts', nb: 'filen har mer enn {max} deler' },
  tooManyColumns: { en: 'the table has more than {max} columns', nb: 'tabellen har mer enn {max} kolonner' },
  fieldMappedTwice: {
    en: 'the columns "{one}" and "{other}" are both mapped to {field}',
    nb: 'kolonnene «{one}» og «{other}» er begge koblet til {field}',
  },
  noSuchColumn: { en: 'there is no column "{name}"', nb: 'kolonnen «{name}» finnes ikke' },
  noSuchField: { en: 'there is no field "{name}"', nb: 'feltet «{name}» finnes ikke' },
  keyNotMapped: {
    en: 'no column is mapped to {key} or {other}; the file has {columns}',
    nb: 'ingen kolonne er koblet til {key} eller {other}; filen har {columns}',
  },
  fieldNotMapped: {
    en: 'no column is mapped to {field}; the file has {columns}',
    nb: 'ingen kolonne er koblet til {field}; filen har {columns}',
  },
  notYourDepartment: { en: 'is not one of your departments', nb: 'er ikke en av dine avdelinger' },
  listMissing: { en: 'the file contains no list', nb: 'filen inneholder ingen liste' },
  invalidJsonFile: { en: 'the file is not valid JSON', nb: 'filen er ikke gyldig JSON' },
  idColumnMissing: {
    en: 'no column is called Id, externalId or Eksportnokkel',
    nb: 'ingen kolonne heter Id, externalId eller Eksportnokkel',
  },
  lineIdMissing: { en: '{position} has no line id', nb: '{position} har ingen linje-id' },
  invalidId: { en: '{position}: "{value}" is not an id', nb: '{position}: «{value}» er ikke en id' },
  entryAt: { en: 'entry {number}', nb: 'element {number}' },
  lineAt: { en: 'line {line}', nb: 'linje {line}' },
  beyondLastColumn: {
    en: 'is to the right of the last column with a header',
    nb: 'er til høyre for den siste kolonnen med overskrift',
  },
  duplicateKey: { en: 'line {line} has the same key', nb: 'linje {line} har samme nøkkel' },
  ambiguousKey: { en: 'several records have this key', nb: 'flere poster har denne nøkkelen' },

  // conflicts
  somebodyElse: { en: 'somebody else', nb: 'noen andre' },
  sinceBy: { en: ' since {at}, by {actor}', nb: ' siden {at}, av {actor}' },

  // headers
  invalidSandboxFault: {
    en: 'must be 429, 503, slow=MS up to {max}, or {drop}',
    nb: 'må være 429, 503, slow=MS opptil {max}, eller {drop}',
  },

  // query options
  unexpectedParenthesis: { en: 'unexpected )', nb: 'uventet )' },
  parenthesisNotClosed: { en: 'the parenthesis is never closed', nb: 'parentesen blir aldri lukket' },
  quoteNotClosed: { en: 'the quote is never closed', nb: 'apostrofen blir aldri lukket' },
  expectedOperator: { en: 'expected an operator or the end', nb: 'ventet en operator eller slutten' },
  expectedComma: { en: 'expected a comma or the end', nb: 'ventet et komma eller slutten' },
  expectedParenthesis: { en: 'expected )', nb: 'ventet )' },
  expectedValue: { en: 'expected a value', nb: 'ventet en verdi' },
  expectedValueAtEnd: { en: 'expected a value at the end', nb: 'ventet en verdi på slutten' },
  expectedLiteral: { en: 'expected a literal', nb: 'ventet en konstant' },
  expectedDate: { en: 'expected a date, like {example}', nb: 'ventet en dato, som {example}' },
  expectedName: { en: 'expected a property name or *', nb: 'ventet et feltnavn eller *' },
  expectedTerm: { en: 'expected a word or a quoted phrase', nb: 'ventet et ord eller en frase i anførselstegn' },
  expectedSpace: { en: 'expected a space', nb: 'ventet et mellomrom' },
  expectedAlias: { en: 'expected as and an alias', nb: 'ventet as og et alias' },
  expectedSign: { en: 'expected {sign}', nb: 'ventet {sign}' },
  expectedCount: { en: 'expected an integer, 0 or more', nb: 'ventet et heltall, 0 eller mer' },
  expectedLevels: { en: 'expected max or an integer, 1 or more', nb: 'ventet max eller et heltall, 1 eller mer' },
  expectedColon: { en: 'expected a colon', nb: 'ventet et kolon' },
  expectedSlash: { en: 'expected / and a property name', nb: 'ventet / og et feltnavn' },
  expectedSegment: {
    en: 'expected a name, or a name and a key in parentheses',
    nb: 'ventet et navn, eller et navn og en nøkkel i parentes',
  },
  nothingFollows: { en: 'nothing can follow {name}', nb: 'ingenting kan følge etter {name}' },
  invalidNextLink: {
    en: 'not a continuation link for this query',
    nb: 'ikke en fortsettelseslenke for denne spørringen',
  },
  pathHasFilter: { en: 'the path already has a filter', nb: 'stien har allerede et filter' },
  expectedRecordAddress: {
    en: 'expected the URL of a record, like Ansatt(1)',
    nb: 'ventet URL-en til en post, som Ansatt(1)',
  },
  expectedType: { en: 'expected {type}', nb: 'ventet {type}' },
  expectedUrlInSet: { en: 'expected the URL of a record of {set}', nb: 'ventet URL-en til en post i {set}' },
  segmentNotPossible: {
    en: '{name} is not possible after the preceding segment',
    nb: '{name} er ikke mulig etter det foregående leddet',
  },
  expectedSlashOrEnd: { en: 'expected / or the end', nb: 'ventet / eller slutten' },
  expectedTransformation: {
    en: 'expected a transformation, like groupby((…),aggregate(…))',
    nb: 'ventet en transformasjon, som groupby((…),aggregate(…))',
  },
  expectedMethod: {
    en: 'expected sum, min, max, average or countdistinct',
    nb: 'ventet sum, min, max, average eller countdistinct',
  },
  theSegment: { en: 'the path segment {name}', nb: 'stileddet {name}' },
  theTransformation: { en: 'the transformation {name}', nb: 'transformasjonen {name}' },
  theMethod: { en: 'the aggregation method {name}', nb: 'aggregeringsmetoden {name}' },
  expectedPropertyName: { en: 'expected a property name', nb: 'ventet et feltnavn' },
  expectedVariable: {
    en: 'expected a lambda variable, like x in any(x:x/…)',
    nb: 'ventet en lambda-variabel, som x i any(x:x/…)',
  },
  invalidLiteral: { en: 'not a valid literal of type {name}', nb: 'ikke en gyldig konstant av typen {name}' },
  expectedSemicolon: { en: 'expected ; or )', nb: 'ventet ; eller )' },
  expectedOption: { en: 'expected one of the options {options}', nb: 'ventet et av valgene {options}' },
  givenTwice: { en: '{name} is given twice', nb: '{name} er oppgitt to ganger' },
  namesInList: { en: 'number of names in a list', nb: 'antall navn i en liste' },
  expandDepth: { en: 'depth of nested $expand', nb: 'dybde av $expand' },
  theLiteral: { en: 'a literal of type {name}', nb: 'en konstant av typen {name}' },
  aPathFrom: { en: 'a path that starts with {name}', nb: 'en sti som begynner med {name}' },
  aParenthesisAfter: { en: 'a parenthesis after {name}', nb: 'en parentes etter {name}' },
  aFunctionInPath: { en: 'a function call in a path', nb: 'et funksjonskall i en sti' },
  aTypeCast: { en: 'a type cast', nb: 'en typekonvertering' },
  anAnnotation: { en: 'an annotation', nb: 'en annotasjon' },
  aMediaStream: { en: 'a media stream', nb: 'en mediestrøm' },
  expectedField: { en: 'expected a property', nb: 'ventet et felt' },
  expectedFieldOrText: {
    en: 'expected a property or a string in single quotes',
    nb: 'ventet et felt, eller en tekst i apostrofer',
  },
  expectedCondition: { en: 'expected a boolean expression', nb: 'ventet et logisk uttrykk' },
  expectedList: { en: 'expected a list of literals in parentheses', nb: 'ventet en liste av konstanter i parentes' },
  expectedStraightQuotes: {
    en: "strings are written in straight single quotes, like 'this'",
    nb: "tekst skrives i rette apostrofer, som 'dette'",
  },
  invalidNumberOrDate: { en: 'not a valid number or date', nb: 'ikke et gyldig tall eller en gyldig dato' },
  unknownFunction: { en: 'there is no function "{name}"', nb: 'funksjonen «{name}» finnes ikke' },
  takesArgument: { en: '{name} takes 1 argument', nb: '{name} tar 1 argument' },
  takesArguments: { en: '{name} takes {count} arguments', nb: '{name} tar {count} argumenter' },
  range: { en: '{min} to {max}', nb: '{min} til {max}' },
  nodes: { en: 'number of operators and operands', nb: 'antall operatorer og operander' },
  depth: { en: 'nesting depth', nb: 'nøstingsdybde' },
  collections: { en: 'number of nested collections', nb: 'antall samlinger inni hverandre' },
  steps: { en: 'number of transformations', nb: 'antall transformasjoner' },
  copies: { en: 'number of copies of a row', nb: 'antall kopier av en rad' },
  valuesOfIn: { en: 'number of values in an in list', nb: 'antall verdier i en in-liste' },
  notBoolean: { en: '{field} is not a boolean expression', nb: '{field} er ikke et logisk uttrykk' },
  notAString: { en: '{field} is not a string', nb: '{field} er ikke en tekst' },
  isOfType: { en: '{field} is {kind}, like {example}', nb: '{field} er {kind}, som {example}' },
  theseOutside: {
    en: '$these outside a transformation, or a property of $these',
    nb: '$these utenfor en transformasjon, eller et felt i $these',
  },
  unsupportedThese: {
    en: '$these with anything but $count, sum, average, min and max',
    nb: '$these med noe annet enn $count, sum, average, min og max',
  },
  noSuchSet: { en: 'there is no such entity set after $root', nb: 'det finnes ikke noe slikt sett etter $root' },
  exportInExpression: { en: 'TransaksjonsEksport inside an expression', nb: 'TransaksjonsEksport inne i et uttrykk' },
  noSuchKey: { en: 'not a valid key of {name}', nb: 'ikke en gyldig nøkkel i {name}' },
  complexValueNotOrdered: {
    en: 'complex values support eq and ne only',
    nb: 'sammensatte verdier støtter bare eq og ne',
  },
  noSuchPart: {
    en: 'there is no property {name}, or it is given twice',
    nb: 'det finnes ikke noe felt {name}, eller det er oppgitt to ganger',
  },
  operandTypesDiffer: { en: 'the two operands have different types', nb: 'de to operandene har ulik type' },
  fieldTypesDiffer: { en: '{one} and {other} have different types', nb: '{one} og {other} har ulik type' },
  notPrecedence: {
    en: 'not binds more tightly than a comparison: write not (…)',
    nb: 'not binder sterkere enn en sammenligning: skriv not (…)',
  },
  booleanComparison: {
    en: 'a boolean expression can only be compared with true or false, by eq or ne',
    nb: 'et logisk uttrykk kan bare sammenlignes med true eller false, med eq eller ne',
  },
  dateDoesNotExist: {
    en: 'this date or time does not exist',
    nb: 'denne datoen eller dette klokkeslettet finnes ikke',
  },
  aliasOfExpression: { en: 'a parameter alias for an expression', nb: 'et parameteralias for et uttrykk' },
  theFunction: { en: 'the function {name}', nb: 'funksjonen {name}' },
  aNestedSelect: { en: 'nested $select of this property', nb: '$select inne i dette feltet' },
  anExpandOfPath: { en: '$expand of a path', nb: '$expand av en sti' },
  relations: { en: 'number of relations', nb: 'antall relasjoner' },
  namedTwice: { en: 'a relation is named twice', nb: 'en relasjon er nevnt to ganger' },
  searchAfterAggregation: { en: '$search after an aggregation', nb: '$search etter en aggregering' },
  expectedNumber: { en: 'expected a number', nb: 'ventet et tall' },
  expectedPositiveCount: { en: 'expected an integer, 1 or more', nb: 'ventet et heltall, 1 eller mer' },
  expectedPercent: {
    en: 'expected a number greater than 0 and at most 100',
    nb: 'ventet et tall større enn 0 og høyst 100',
  },
  aComputedCount: { en: 'a computed count', nb: 'et beregnet antall' },
  unknownHierarchy: {
    en: 'there is no hierarchy of that name; name two levels or more',
    nb: 'det finnes ikke noe hierarki med det navnet; oppgi to nivåer eller flere',
  },
  groupingByRelation: {
    en: 'groupby with a navigation property: name one of its properties',
    nb: 'groupby med en relasjon: oppgi et av feltene',
  },
  aggregateAfterFilter: {
    en: 'aggregate after a filter inside groupby: filter before groupby',
    nb: 'aggregate etter et filter inne i groupby: filtrer før groupby',
  },
  aggregateFromCombined: {
    en: 'from together with other aggregate expressions, or without a method',
    nb: 'from sammen med andre aggregeringer, eller uten metode',
  },
  averageOfCollection: {
    en: 'average or countdistinct over a collection of related records',
    nb: 'average eller countdistinct over en samling relaterte poster',
  },
  aggregateOfDistantCollection: {
    en: 'aggregation of a collection that is reached through another navigation property',
    nb: 'aggregering av en samling som nås gjennom en annen relasjon',
  },
  countDistinctCollection: {
    en: 'countdistinct of a collection, or of records with several key properties',
    nb: 'countdistinct av en samling, eller av poster med flere nøkkelfelt',
  },
  sumOverRelated: {
    en: 'a sum over properties of related records, which are counted once each',
    nb: 'en sum over felt i relaterte poster, som teller én gang hver',
  },
  applyOnExport: { en: '$apply on TransaksjonsEksport', nb: '$apply på TransaksjonsEksport' },
  joinAlongPath: {
    en: 'a join along a path, or of rows of several types',
    nb: 'join langs en sti, eller av rader av flere typer',
  },
  applyInLevels: { en: '$apply together with $levels', nb: '$apply sammen med $levels' },
  outerVariableInRoot: {
    en: 'an outer variable inside a $root/Set expression',
    nb: 'en ytre variabel i et uttrykk med $root/Sett',
  },
  itPathInExpand: {
    en: 'a path from $it to a related record inside $expand',
    nb: 'en sti fra $it til en relatert post inne i $expand',
  },
  timeZoneNotUtc: {
    en: 'a date or time function with another time zone than UTC',
    nb: 'en dato- eller tidsfunksjon med en annen tidssone enn UTC',
  },
  literalOfUnusedType: {
    en: 'a literal of a type that no property has',
    nb: 'en konstant av en type som ikke noe felt har',
  },
  aTimeOfDay: { en: 'a time of day', nb: 'et klokkeslett' },
  aDuration: { en: 'a duration', nb: 'en varighet' },
  anEnumMember: { en: 'an enumeration member', nb: 'et medlem av en oppregning' },
  noSuchMember: { en: 'there is no member {name}', nb: 'det finnes ikke noe medlem {name}' },
  dividesByZero: { en: 'division by zero', nb: 'divisjon på null' },
  operandTypesNotAccepted: {
    en: '{operator} does not accept {one} and {other}',
    nb: '{operator} godtar ikke {one} og {other}',
  },
  operatorTakes: { en: '{operator} requires {kind}', nb: '{operator} krever {kind}' },
  argumentTypesNotAccepted: {
    en: '{name} does not accept arguments of these types',
    nb: '{name} godtar ikke argumenter av disse typene',
  },
  valueTypesDiffer: { en: 'the values have different types', nb: 'verdiene har ulik type' },
  tooManyPlaces: { en: 'expected at most four decimal places', nb: 'ventet høyst fire desimaler' },
  duplicateName: { en: '{name} is already the name of something else', nb: '{name} er alt navnet på noe annet' },
  ordersAtMost: { en: 'the maximum is {max} expressions', nb: 'høyst {max} uttrykk er tillatt' },
  isCollection: {
    en: '{name} is a collection of records; use any, all or $count',
    nb: '{name} er en samling poster; bruk any, all eller $count',
  },
  isNotCollection: { en: '{name} is not a collection of records', nb: '{name} er ikke en samling poster' },
  isSingleRecord: {
    en: '{name} is a single record, which takes no collection options',
    nb: '{name} er én post, som ikke har valg for samlinger',
  },

  // names, passwords and settings
  spaceAtEdge: {
    en: 'must not begin or end with a space, which is lost in a request',
    nb: 'kan ikke begynne eller slutte med mellomrom, som går tapt i en forespørsel',
  },
  untypeableCharacter: {
    en: 'contains a character that cannot be typed',
    nb: 'inneholder et tegn som ikke kan tastes',
  },
  tooShort: { en: 'has {count} characters; at least {min} are required', nb: 'har {count} tegn; minst {min} kreves' },
  tooLong: { en: 'has more than {max} characters', nb: 'har mer enn {max} tegn' },
  easyToGuess: {
    en: 'is easy to guess: it consists of common words, sequences or repetitions; use a few unrelated words',
    nb: 'er lett å gjette: det består av vanlige ord, rekker eller gjentakelser; bruk noen ord uten sammenheng',
  },
  emptyOrSpaceAtEdge: {
    en: 'must not be empty, or begin or end with a space',
    nb: 'kan ikke være tomt, eller begynne eller slutte med mellomrom',
  },
  hasColon: {
    en: 'must not contain a colon, which ends the name in HTTP Basic',
    nb: 'kan ikke inneholde kolon, som avslutter navnet i HTTP Basic',
  },
  invalidEmail: {
    en: 'must be an e-mail address like kari@example.no',
    nb: 'må være en e-postadresse som kari@example.no',
  },
  invalidTimezone: { en: 'must be a time zone like Europe/Oslo', nb: 'må være en tidssone som Europe/Oslo' },

  // $batch
  boundaryMissing: { en: 'the multipart boundary is missing', nb: 'multipart-skillelinjen (boundary) mangler' },
  headerUnreadable: { en: 'a header is invalid', nb: 'en header er ugyldig' },
  changeSetInside: {
    en: 'a change set cannot contain another change set',
    nb: 'et endringssett kan ikke inneholde et annet endringssett',
  },
  expectedHttpPart: {
    en: 'expected a part of type application/http or multipart/mixed',
    nb: 'ventet en del av typen application/http eller multipart/mixed',
  },
  requestLineUnreadable: {
    en: 'expected a line like GET Ansatt HTTP/1.1',
    nb: 'ventet en linje som GET Ansatt HTTP/1.1',
  },
  urlOfOtherService: { en: 'the URL does not belong to this service', nb: 'URL-en hører ikke til denne tjenesten' },
  duplicateId: { en: 'the id is used more than once', nb: 'id-en er brukt mer enn én gang' },
  dependsOnLater: {
    en: 'it depends on a request that does not precede it',
    nb: 'den avhenger av en forespørsel som ikke kommer før den',
  },
  readInChangeSet: { en: 'a change set can contain writes only', nb: 'et endringssett kan bare inneholde endringer' },
  anotherOfItsGroup: { en: 'another request of the group', nb: 'en annen forespørsel i gruppen' },
  whatItDependsOn: { en: 'a request that it depends on', nb: 'en forespørsel som den avhenger av' },
  aBatchInside: { en: 'A batch inside a batch', nb: 'En batch inne i en batch' },
  aCondition: { en: 'A condition on other replies', nb: 'En betingelse på andre svar' },
  aDryRunInChangeSet: { en: 'A dry run in a change set', nb: 'En prøvekjøring i et endringssett' },
  readBackInChangeSet: { en: 'Reading back in a change set', nb: 'Å lese tilbake i et endringssett' },
  deepInsert: {
    en: 'A related record in the body (write it by itself, and refer to it with @odata.bind)',
    nb: 'En relatert post i innholdet (skriv den for seg, og henvis til den med @odata.bind)',
  },
  deletedRecord: {
    en: 'A deleted record in the body (send DELETE for it)',
    nb: 'En slettet post i innholdet (send DELETE for den)',
  },
  expandOfManyInWrite: {
    en: 'A relation to many in the reply to a write (read it afterwards)',
    nb: 'En relasjon til mange i svaret på en endring (les den etterpå)',
  },
  expandInList: {
    en: '$expand in the reply to a list (read the records afterwards)',
    nb: '$expand i svaret på en liste (les postene etterpå)',
  },
  readInDryRun: {
    en: '$expand, or full metadata, in a dry run',
    nb: '$expand, eller fulle metadata, i en prøvekjøring',
  },
  keyOfBatch: {
    en: 'Idempotency-Key on a whole batch (send one per request instead)',
    nb: 'Idempotency-Key for en hel batch (send én per forespørsel i stedet)',
  },
  unknownScope: { en: 'there is no scope "{name}"', nb: 'rettigheten «{name}» finnes ikke' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>

export type MessageCode = keyof typeof messages
