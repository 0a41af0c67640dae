// The words that are put into the sentences of refusals, in both languages, so that no sentence mixes them.

/** Fills the `{placeholders}` of a sentence or phrase. Text is the caller's own words, or a name, and stays as it is. */
export type Says = Readonly<Record<string, string | number | Phrase>>

/** A phrase of the catalogue, and what fills its own placeholders. */
export interface Phrase {
  readonly phrase: PhraseCode
  readonly says: Says
}

export type Language = 'en' | 'nb'

export function phrase(code: PhraseCode, says: Says = {}): Phrase {
  return { phrase: code, says }
}

/** A text with its placeholders filled. One without a value is a bug of the caller and stays visible. */
export function filled(text: string, says: Says, language: Language): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = says[name]
    if (value === undefined) return whole
    return typeof value === 'object' ? inWords(value, language) : String(value)
  })
}

export function inWords({ phrase: code, says }: Phrase, language: Language): string {
  return filled(phrases[code][language], says, language)
}

export const phrases = {
  // what a value or a body is
  anObject: { en: 'an object', nb: 'et objekt' },
  anArray: { en: 'an array', nb: 'en liste' },
  anObjectOrArray: { en: 'an object or an array', nb: 'et objekt eller en liste' },
  aText: { en: 'a text', nb: 'en tekst' },
  aNumber: { en: 'a number', nb: 'et tall' },
  aWholeNumber: { en: 'a whole number', nb: 'et helt tall' },
  aDate: { en: 'a date', nb: 'en dato' },
  aDateAsText: { en: 'a date as text', nb: 'en dato som tekst' },
  aMoment: { en: 'a moment', nb: 'et tidspunkt' },
  trueOrFalse: { en: 'true or false', nb: 'true eller false' },
  notThatOfAddress: { en: 'the address names another', nb: 'adressen oppgir en annen' },
  oneOf: { en: 'it is one of {values}', nb: 'den er en av {values}' },
  notBoth: { en: 'it does not go with {other}', nb: 'den går ikke sammen med {other}' },
  noWholeNumber: { en: 'it is no whole number', nb: 'den er ikke et helt tall' },
  itIsZero: { en: 'it is zero', nb: 'den er null' },
  aHundredAlready: { en: 'there are a hundred already', nb: 'det er hundre fra før' },
  noWebhookUrl: {
    en: 'it is no address like https://receiver.example/hook',
    nb: 'den er ikke en adresse som https://mottaker.example/krok',
  },
  barredUrl: {
    en: 'it has no TLS, or leads into a network that webhooks may not reach',
    nb: 'den mangler TLS, eller fører inn i et nett som webhooks ikke får nå',
  },
  noSuchChoice: { en: 'it is none of the choices', nb: 'den er ikke et av valgene' },
  noIdList: {
    en: 'it is a list of at most {max} ids like 3-7,12',
    nb: 'den er en liste på høyst {max} id-er som 3-7,12',
  },
  dayWeekOrMonth: { en: 'it is day, week or month', nb: 'den er day, week eller month' },
  itIsEmpty: { en: 'it is empty', nb: 'den er tom' },
  expectedTrueOrFalse: { en: 'expected true or false', nb: 'ventet true eller false' },

  // what is not there, or not known
  theAddress: { en: 'The address', nb: 'Adressen' },
  recordOfCell: {
    en: 'A record of this department, date and type',
    nb: 'En post for denne avdelingen, datoen og typen',
  },
  theSchemaVersion: { en: 'This version of the schema', nb: 'Denne versjonen av skjemaet' },
  theImport: { en: 'The import', nb: 'Importen' },
  theWebhook: { en: 'The webhook', nb: 'Webhooken' },
  theDelivery: { en: 'The delivery', nb: 'Leveransen' },
  theRecord: { en: 'The record', nb: 'Posten' },
  records: { en: '{count} records', nb: '{count} poster' },
  none: { en: '(none)', nb: '(ingen)' },

  // a body that cannot be read
  aDoctype: { en: 'a DOCTYPE', nb: 'en DOCTYPE' },
  anInstruction: { en: 'a processing instruction', nb: 'en behandlingsinstruks' },
  moreLevels: { en: 'more than {max} levels', nb: 'mer enn {max} nivåer' },
  xmlBreaks: { en: '{place}: {problem}', nb: 'det brister ved {place}' },
  otherEncoding: {
    en: 'its declaration names another encoding than UTF-8',
    nb: 'deklarasjonen oppgir noe annet enn UTF-8',
  },
  moreText: { en: 'more text follows the end', nb: 'det kommer mer tekst etter slutten' },
  commaMissing: {
    en: 'a comma or a closing bracket is missing',
    nb: 'et komma eller en sluttparentes mangler',
  },
  nameMissing: {
    en: 'a name in double quotes is missing',
    nb: 'et navn i doble anførselstegn mangler',
  },
  colonMissing: { en: 'a colon is missing', nb: 'et kolon mangler' },
  valueMissing: { en: 'a value is missing', nb: 'en verdi mangler' },
  endsTooEarly: { en: 'it ends too early', nb: 'det slutter for tidlig' },
  textNotClosed: { en: 'a text is not closed', nb: 'en tekst er ikke avsluttet' },
  textWithBreak: {
    en: 'a text holds a line break or a tab',
    nb: 'en tekst har et linjeskift eller en tabulator',
  },
  textWithEscape: {
    en: 'a text holds an unknown escape',
    nb: 'en tekst har et ukjent spesialtegn',
  },
  notJsonNumber: {
    en: 'a number is not written as JSON writes it',
    nb: 'et tall er ikke skrevet slik JSON skriver det',
  },

  // a file that cannot be read
  fileTooLarge: { en: 'it is larger than {max} bytes', nb: 'den er større enn {max} byte' },
  fileEmpty: { en: 'it has no header row', nb: 'den har ingen overskriftsrad' },
  quoteOpenInFile: {
    en: 'a quote that is opened in line {line} is never closed',
    nb: 'et anførselstegn som åpnes i linje {line} blir aldri lukket',
  },
  lineTooLong: {
    en: 'line {line} is longer than {max} bytes, or a quote in it is never closed',
    nb: 'linje {line} er lengre enn {max} byte, eller et anførselstegn i den blir aldri lukket',
  },
  noWorkbook: { en: 'it is no workbook of Excel (.xlsx)', nb: 'den er ingen Excel-bok (.xlsx)' },
  oldWorkbook: {
    en: 'it is a workbook of an old Excel: save it as .xlsx or CSV',
    nb: 'den er en bok fra en gammel Excel: lagre den som .xlsx eller CSV',
  },
  unpacksTooLarge: {
    en: 'it unpacks to more than {max} bytes',
    nb: 'den pakkes ut til mer enn {max} byte',
  },
  takesTooMuch: {
    en: 'reading it takes too much time or memory: save the sheet anew, or as CSV',
    nb: 'det tar for mye tid eller minne å lese den: lagre arket på nytt, eller som CSV',
  },
  tooManyParts: { en: 'it has more than {max} parts', nb: 'den har mer enn {max} deler' },
  tooManyColumns: { en: 'it has more than {max} columns', nb: 'den har mer enn {max} kolonner' },
  columnTwice: {
    en: 'the columns "{one}" and "{other}" both mean {field}',
    nb: 'kolonnene «{one}» og «{other}» betyr begge {field}',
  },
  noSuchColumn: { en: 'there is no column "{name}"', nb: 'kolonnen «{name}» finnes ikke' },
  noSuchField: { en: 'there is no field "{name}"', nb: 'feltet «{name}» finnes ikke' },
  noKeyColumn: {
    en: 'no column holds {key} or {other}; there is {columns}',
    nb: 'ingen kolonne har {key} eller {other}; det finnes {columns}',
  },
  noSuchColumnAmong: {
    en: 'no column holds {field}; there is {columns}',
    nb: 'ingen kolonne har {field}; det finnes {columns}',
  },
  notYourDepartment: {
    en: 'it is not among your departments',
    nb: 'den er ikke blant dine avdelinger',
  },
  holdsNoList: { en: 'it holds no list', nb: 'den har ingen liste' },
  isNoJson: { en: 'it is no JSON', nb: 'den er ikke JSON' },
  noLineColumn: {
    en: 'no column is called Id, externalId or Eksportnokkel',
    nb: 'ingen kolonne heter Id, externalId eller Eksportnokkel',
  },
  namesNoLine: { en: '{place} names no line', nb: '{place} nevner ingen linje' },
  isNoId: { en: '{place}: "{value}" is no id', nb: '{place}: «{value}» er ingen id' },
  entryAt: { en: 'entry {number}', nb: 'element {number}' },
  lineAt: { en: 'line {line}', nb: 'linje {line}' },
  cellsBeyond: {
    en: 'it stands behind the last column that has a header',
    nb: 'den står bak den siste kolonnen som har en overskrift',
  },
  keyInOtherLine: { en: 'line {line} has it too', nb: 'linje {line} har den også' },
  keyOfSeveral: { en: 'several records have it', nb: 'flere poster har den' },

  // who was first
  somebodyElse: { en: 'somebody else', nb: 'noen andre' },
  sinceBy: { en: ' since {at}, by {actor}', nb: ' siden {at}, av {actor}' },

  // a header that cannot be taken
  noSandboxFault: {
    en: 'it is 429, 503, slow=MS up to {max}, or {drop}',
    nb: 'den er 429, 503, slow=MS opptil {max}, eller {drop}',
  },

  // a query option that cannot be read
  bracketNeverOpened: {
    en: 'this bracket was never opened',
    nb: 'denne parentesen ble aldri åpnet',
  },
  bracketNeverClosed: {
    en: 'the bracket is never closed',
    nb: 'parentesen blir aldri lukket',
  },
  quoteNeverClosed: { en: 'the quote is never closed', nb: 'apostrofen blir aldri lukket' },
  expectedOperator: {
    en: 'expected an operator or the end',
    nb: 'ventet en operator eller slutten',
  },
  expectedComma: { en: 'expected a comma or the end', nb: 'ventet et komma eller slutten' },
  expectedBracket: { en: 'expected )', nb: 'ventet )' },
  expectedValue: { en: 'expected a value', nb: 'ventet en verdi' },
  expectedValueAtEnd: { en: 'expected a value at the end', nb: 'ventet en verdi på slutten' },
  expectedLiteral: { en: 'expected a literal', nb: 'ventet en verdi, ikke et uttrykk' },
  expectedDate: { en: 'expected a date, like {example}', nb: 'ventet en dato, som {example}' },
  expectedName: {
    en: 'expected the name of a field, or *',
    nb: 'ventet navnet på et felt, eller *',
  },
  expectedTerm: { en: 'expected a word or a phrase', nb: 'ventet et ord eller en frase' },
  expectedBlank: { en: 'expected a blank', nb: 'ventet et blankt tegn' },
  expectedAlias: {
    en: 'expected as and a name for the value',
    nb: 'ventet as og et navn på verdien',
  },
  expectedSign: { en: 'expected {sign}', nb: 'ventet {sign}' },
  expectedCount: { en: 'expected a whole number from 0', nb: 'ventet et helt tall fra 0' },
  expectedLevels: {
    en: 'expected max or a whole number from 1',
    nb: 'ventet max eller et helt tall fra 1',
  },
  expectedColon: { en: 'expected a colon', nb: 'ventet et kolon' },
  expectedSlash: {
    en: 'expected / and the name of a property',
    nb: 'ventet / og navnet på et felt',
  },
  expectedSegment: {
    en: 'expected a name, or a name and a key in brackets',
    nb: 'ventet et navn, eller et navn og en nøkkel i parentes',
  },
  nothingFollows: { en: 'nothing can follow {name}', nb: 'ingenting kan følge etter {name}' },
  notOurLink: {
    en: 'it is of no link that this service gave for this',
    nb: 'den er ikke fra en lenke som tjenesten ga for dette',
  },
  isInPath: {
    en: 'the path has a condition already',
    nb: 'stien har allerede en betingelse',
  },
  expectedRecordAddress: {
    en: 'expected the address of a record, like Ansatt(1)',
    nb: 'ventet adressen til en post, som Ansatt(1)',
  },
  doesNotFit: {
    en: '{name} does not fit what stands before it',
    nb: '{name} passer ikke til det som står foran',
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
  theSegment: { en: 'the segment {name}', nb: 'leddet {name}' },
  theTransformation: { en: 'the transformation {name}', nb: 'transformasjonen {name}' },
  theMethod: { en: 'the method {name}', nb: 'metoden {name}' },
  expectedPropertyName: { en: 'expected the name of a field', nb: 'ventet navnet på et felt' },
  expectedVariable: {
    en: 'expected a name for one of them, like x in any(x:x/…)',
    nb: 'ventet et navn på én av dem, som x i any(x:x/…)',
  },
  notOfForm: { en: 'no literal of the type {name}', nb: 'ingen verdi av typen {name}' },
  expectedSemicolon: { en: 'expected ; or )', nb: 'ventet ; eller )' },
  expectedOption: {
    en: 'expected an option: {options}',
    nb: 'ventet et valg: {options}',
  },
  givenTwice: { en: '{name} is given twice', nb: '{name} er oppgitt to ganger' },
  namesInList: { en: 'the names of a list', nb: 'navnene i en liste' },
  relationDepth: { en: 'the depth of relations', nb: 'dybden av relasjoner' },
  theLiteral: { en: 'a literal of the type {name}', nb: 'en verdi av typen {name}' },
  startingAt: { en: 'a path from {name}', nb: 'en sti fra {name}' },
  bracketsAfter: { en: 'a bracket after {name}', nb: 'en parentes etter {name}' },
  choosingFunction: { en: 'choosing a function', nb: 'å velge en funksjon' },
  aTypeCast: { en: 'naming a type', nb: 'å navngi en type' },
  anAnnotation: { en: 'naming an annotation', nb: 'å navngi en annotasjon' },
  aStream: { en: 'a stream', nb: 'en strøm' },
  expectedField: { en: 'expected a field', nb: 'ventet et felt' },
  expectedFieldOrText: {
    en: 'expected a field, or text in quotes',
    nb: 'ventet et felt, eller tekst i apostrofer',
  },
  expectedCondition: { en: 'expected a condition', nb: 'ventet en betingelse' },
  expectedList: {
    en: 'expected a list of literals in brackets',
    nb: 'ventet en liste av verdier i parentes',
  },
  straightQuotes: {
    en: "text stands in straight single quotes, like 'this'",
    nb: "tekst står i rette apostrofer, som 'dette'",
  },
  neitherNumberNorDate: {
    en: 'neither a number nor a date',
    nb: 'verken et tall eller en dato',
  },
  noFunction: { en: 'there is no function "{name}"', nb: 'funksjonen «{name}» finnes ikke' },
  takesArgument: { en: '{name} takes 1 argument', nb: '{name} tar 1 argument' },
  takesArguments: { en: '{name} takes {count} arguments', nb: '{name} tar {count} argumenter' },
  range: { en: '{min} to {max}', nb: '{min} til {max}' },
  nodes: { en: 'nodes', nb: 'antall ledd' },
  depth: { en: 'depth', nb: 'dybden' },
  collections: {
    en: 'collections inside of each other',
    nb: 'antall samlinger inne i hverandre',
  },
  steps: { en: 'steps', nb: 'antall trinn' },
  copies: { en: 'the copies of a row', nb: 'antall kopier av en rad' },
  valuesOfIn: { en: 'values of in', nb: 'verdiene i in' },
  isNoCondition: { en: '{field} is no condition', nb: '{field} er ingen betingelse' },
  isNoText: { en: '{field} is no text', nb: '{field} er ingen tekst' },
  isOfType: { en: '{field} is {kind}, like {example}', nb: '{field} er {kind}, som {example}' },
  theseOutside: {
    en: '$these outside of a transformation, or a part of them',
    nb: '$these utenfor en transformasjon, eller en del av dem',
  },
  aPartOfThese: {
    en: 'anything of $these but how many they are, and sums, averages, least and greatest',
    nb: 'annet av $these enn antall, summer, gjennomsnitt, minste og største',
  },
  noSuchSet: {
    en: 'there is no such set behind $root',
    nb: 'det finnes ikke noe slikt sett bak $root',
  },
  offeredInside: {
    en: 'reading lines that are handed out inside of an expression',
    nb: 'lesing av linjer som utleveres, inne i et uttrykk',
  },
  noSuchKey: {
    en: 'no record of {name} can have this key',
    nb: 'ingen post i {name} kan ha denne nøkkelen',
  },
  hasNoOrder: {
    en: 'what has parts is neither above nor below another',
    nb: 'det som har deler, er verken over eller under noe annet',
  },
  noSuchPart: {
    en: 'there is no part {name}, or it is named twice',
    nb: 'det finnes ingen del {name}, eller den er nevnt to ganger',
  },
  sidesDiffer: {
    en: 'the two sides are of different types',
    nb: 'de to sidene er av ulik type',
  },
  fieldsDiffer: {
    en: '{one} and {other} are of different types',
    nb: '{one} og {other} er av ulik type',
  },
  notBindsTighter: {
    en: 'not holds tighter than a comparison: write not (…)',
    nb: 'not binder sterkere enn en sammenligning: skriv not (…)',
  },
  conditionIsCompared: {
    en: 'a condition is compared with true or false, by eq or ne',
    nb: 'en betingelse sammenlignes med true eller false, med eq eller ne',
  },
  noSuchDay: {
    en: 'there is no such day or time',
    nb: 'den dagen eller det klokkeslettet finnes ikke',
  },
  aliasOfExpression: {
    en: 'an alias that stands for an expression',
    nb: 'et alias som står for et uttrykk',
  },
  theFunction: { en: 'the function {name}', nb: 'funksjonen {name}' },
  selectingInside: { en: 'selecting inside of a field', nb: 'utvalg inne i et felt' },
  expandingPath: { en: 'expanding a path', nb: 'utvidelse av en sti' },
  relations: { en: 'the number of relations', nb: 'antall relasjoner' },
  namedTwice: { en: 'a relation is named twice', nb: 'en relasjon er nevnt to ganger' },
  searchingWhatIsNoRecord: {
    en: 'searching what is no record any more',
    nb: 'søk i det som ikke lenger er poster',
  },
  expectedNumber: { en: 'expected a number', nb: 'ventet et tall' },
  expectedPositiveCount: {
    en: 'expected a whole number above zero',
    nb: 'ventet et heltall over null',
  },
  expectedPercent: {
    en: 'expected a number above 0, up to 100',
    nb: 'ventet et tall over 0, opp til 100',
  },
  anAmountWorkedOut: {
    en: 'an amount that is worked out',
    nb: 'et antall som regnes ut',
  },
  noNamedHierarchy: {
    en: 'there is no hierarchy of that name; name two levels or more',
    nb: 'det finnes ikke noe hierarki med det navnet; oppgi to nivåer eller flere',
  },
  groupingByRelation: {
    en: 'grouping by a related record: name one of its fields',
    nb: 'gruppering på en relatert post: navngi et av feltene',
  },
  aggregatingWhatIsLeft: {
    en: 'aggregating what a filter left of a group: filter before groupby',
    nb: 'aggregering av det et filter lot være igjen av en gruppe: filtrer før groupby',
  },
  aggregatingFromBeside: {
    en: 'an item with from beside others, or without a method',
    nb: 'et ledd med from ved siden av andre, eller uten metode',
  },
  aggregatingMany: {
    en: 'aggregating many related records, but for their $count',
    nb: 'aggregering av mange relaterte poster, bortsett fra $count',
  },
  addingRelated: {
    en: 'adding up fields of related records, each of which counts once',
    nb: 'summering av felt i relaterte poster, som teller én gang hver',
  },
  offeredLines: {
    en: '$apply on lines that are handed out',
    nb: '$apply på linjer som utleveres',
  },
  joiningMore: {
    en: 'joining along a path, or rows of several kinds',
    nb: 'sammenføyning langs en sti, eller av rader av flere slag',
  },
  applyInLevels: { en: '$apply beside $levels', nb: '$apply ved siden av $levels' },
  outsideOfRoot: {
    en: 'a record from outside in what is said of a set behind $root',
    nb: 'en post utenfra i det som sies om et sett bak $root',
  },
  aPathFromOutside: {
    en: 'a path from $it to a related record inside of $expand',
    nb: 'en sti fra $it til en relatert post inne i $expand',
  },
  aPartInAnotherZone: {
    en: 'a part of a moment in another zone than UTC',
    nb: 'en del av et tidspunkt i en annen sone enn UTC',
  },
  aLiteralOfItsType: {
    en: 'a literal of a type that no field has',
    nb: 'en verdi av en type som intet felt har',
  },
  aTimeOfDay: { en: 'a time of day', nb: 'et klokkeslett' },
  aDuration: { en: 'a duration', nb: 'en varighet' },
  aMember: { en: 'a member of an enumeration', nb: 'et medlem av en opplisting' },
  noSuchMember: { en: 'there is no member {name}', nb: 'det finnes ikke noe medlem {name}' },
  dividesByZero: { en: 'nothing is divided by zero', nb: 'ingenting deles på null' },
  operatorTakesNot: {
    en: '{operator} does not take {one} and {other}',
    nb: '{operator} tar ikke {one} og {other}',
  },
  operatorTakes: { en: '{operator} takes {kind}', nb: '{operator} tar {kind}' },
  functionTakesNot: {
    en: '{name} takes arguments of other types',
    nb: '{name} tar argumenter av andre typer',
  },
  branchesDiffer: {
    en: 'the branches are of different types',
    nb: 'grenene er av ulik type',
  },
  tooManyPlaces: {
    en: 'expected at most four places after the point',
    nb: 'ventet høyst fire sifre etter kommaet',
  },
  nameIsTaken: { en: '{name} is the name of something else', nb: '{name} er navnet på noe annet' },
  ordersAtMost: { en: 'at most {max} expressions order', nb: 'høyst {max} uttrykk sorterer' },
  leadsToMany: {
    en: '{name} leads to many records; use any, all or $count',
    nb: '{name} fører til flere poster; bruk any, all eller $count',
  },
  leadsToNoMany: {
    en: '{name} does not lead to many records',
    nb: '{name} fører ikke til flere poster',
  },
  leadsToOne: {
    en: '{name} leads to one record, which takes no options of a list',
    nb: '{name} fører til én post, som ikke tar listevalg',
  },

  // a name or a secret that cannot be taken
  blankAtEdge: {
    en: 'it begins or ends with a blank, which is lost in a call',
    nb: 'det begynner eller slutter med et blankt tegn, som går tapt i et kall',
  },
  cannotBeTyped: {
    en: 'it has a character that cannot be typed',
    nb: 'det har et tegn som ikke kan tastes',
  },
  tooShort: {
    en: 'it has {count} characters; {min} are needed',
    nb: 'det har {count} tegn; det må ha minst {min}',
  },
  tooLong: { en: 'it has more than {max} characters', nb: 'det har mer enn {max} tegn' },
  triedFirst: {
    en: 'it is made of words, runs or repeats that are tried first; a few unrelated words are better',
    nb: 'det er laget av ord, rekker eller gjentakelser som prøves først; noen ord uten sammenheng er bedre',
  },
  emptyOrBlankAtEdge: {
    en: 'it is empty, or begins or ends with a blank',
    nb: 'det er tomt, eller begynner eller slutter med et blankt tegn',
  },
  hasColon: {
    en: 'it has a colon, which ends the name in HTTP Basic',
    nb: 'det har et kolon, som avslutter navnet i HTTP Basic',
  },
  noEmail: {
    en: 'it is no e-mail address, like kari@example.no',
    nb: 'det er ingen e-postadresse, som kari@example.no',
  },
  noTimezone: {
    en: 'it is no time zone, like Europe/Oslo',
    nb: 'det er ingen tidssone, som Europe/Oslo',
  },
  boundaryMissing: { en: 'a boundary is missing', nb: 'en skillelinje mangler' },
  headerUnreadable: { en: 'a header cannot be read', nb: 'en header kan ikke leses' },
  changeSetInside: {
    en: 'a change set holds requests alone',
    nb: 'et endringssett har bare forespørsler',
  },
  expectedHttpPart: {
    en: 'expected a part of the type application/http or multipart/mixed',
    nb: 'ventet en del av typen application/http eller multipart/mixed',
  },
  requestLineUnreadable: {
    en: 'expected a line like GET Ansatt HTTP/1.1',
    nb: 'ventet en linje som GET Ansatt HTTP/1.1',
  },
  ofAnotherService: {
    en: 'the address is not one of this service',
    nb: 'adressen er ikke i denne tjenesten',
  },
  usedTwice: { en: 'the name is used twice', nb: 'navnet er brukt to ganger' },
  dependsOnLater: {
    en: 'it depends on something that does not come before it',
    nb: 'den avhenger av noe som ikke kommer før den',
  },
  readingInChangeSet: {
    en: 'a change set holds writes alone',
    nb: 'et endringssett har bare endringer',
  },
  anotherOfItsGroup: { en: 'another of its group', nb: 'en annen i gruppen' },
  whatItDependsOn: { en: 'what it depends on', nb: 'det den avhenger av' },
  aBatchInside: { en: 'A batch inside of a batch', nb: 'En bunt i en bunt' },
  aCondition: { en: 'A condition on other answers', nb: 'En betingelse på andre svar' },
  aDryRunInChangeSet: { en: 'A dry run in a change set', nb: 'En prøvekjøring i et endringssett' },
  readingBackInChangeSet: {
    en: 'Reading back in a change set',
    nb: 'Å lese tilbake i et endringssett',
  },
  keyOfBatch: {
    en: 'Idempotency-Key of a whole batch: give each request its own',
    nb: 'Idempotency-Key for en hel bunt: gi hver forespørsel sin egen',
  },
  noScope: { en: 'there is no right "{name}"', nb: 'rettigheten «{name}» finnes ikke' },
} as const satisfies Record<string, Readonly<Record<Language, string>>>

export type PhraseCode = keyof typeof phrases
