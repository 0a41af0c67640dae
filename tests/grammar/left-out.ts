// Which grammar cases are not asked of the parsers, and which are answered otherwise than the grammar says; why.

/** Whole rules, and what they are about. */
export const rulesLeftOut: Readonly<Record<string, string>> = {
  context: 'context URLs are written by a service, never read by it',
  header: 'headers are read by http/ and api/',
  prefer: 'headers are read by http/ and api/',
  preference: 'headers are read by http/ and api/',
  includeAnnotationsPreference: 'headers are read by http/ and api/',
  maxpagesizePreference: 'headers are read by http/ and api/',
  'request-id': 'stands in the body of a batch',
  deltatoken: 'opaque, of links that the service makes itself',
  skiptoken: 'opaque, of links that the service makes itself',
  ...Object.fromEntries(
    (
      'booleanValue byteValue dateValue dateTimeOffsetValue decimalValue doubleValue durationValue ' +
      'enumValue int16Value int32Value int64Value primitiveValue sbyteValue singleValue timeOfDayValue'
    )
      .split(' ')
      .map((rule) => [rule, 'the value of a field in a body, which wire/ reads']),
  ),
}

/** Inputs of the other rules that are about something else. */
export const inputsLeftOut: readonly { readonly input: RegExp; readonly why: string }[] = [
  { input: /\$metadata#/, why: 'a context URL' },
  { input: /^https?:?\/\/[^/]*\/(MyService\/)?$/, why: 'scheme and host are read by http/' },
  { input: /^http:\/\/services\.odata\.org\/OData\/OData\.svc\/$/, why: 'nothing but a root' },
  { input: /^\$?index=/, why: 'positional inserts are writes' },
]

/** Cases that the interface, or the standard's own prose, decides otherwise. */
export const answeredOtherwise: Readonly<Record<string, string>> = {
  "odataRelativeUri $entity?$id=http://myservice/Customers('ALFKI')&$select=CompanyName,ContactName&$expand=Orders":
    'what $id names is known when it is read, with or without its type in the path',
  'filter $filter =true': 'blanks around names are dropped, as the document sends them',
  'filter $filter= true': 'blanks around values are dropped, as the document sends them',
  'queryOptions $search=more&more': 'a read ignores parameters that mean nothing to it',
  'queryOptions $search=a%3Bb':
    'a query is decoded before it is read, so that it is the same as a;b, which is refused',
  'queryOptions $expand=Manager($search=a%3Bb)':
    'a query is decoded before it is read, so that it is the same as a;b, which is refused',
  'queryOptions $format=json&$Format=atom&$format=xml&$format=text/html':
    'no option may come twice (OData 4.01 part 1, 11.2.1)',
  'queryOptions $format=JSON&$format=Atom&$format=XML&$format=text/html':
    'no option may come twice (OData 4.01 part 1, 11.2.1)',
}

/** What is 501 because no schema of this service has it, by what the refusal says. */
export const partsOfNoModel: readonly { readonly says: RegExp; readonly what: string }[] = [
  { says: /^a bracket after (?!\$|aggregate )/, what: 'functions and actions' },
  { says: /^(naming a type|the function (cast|isof)) /, what: 'types that derive from others' },
  { says: /^naming an annotation/, what: 'annotations of records' },
  { says: /^(a literal of the type geo|the function geo)/, what: 'shapes on a map' },
  { says: /^a stream /, what: 'streams' },
  { says: /^choosing a function /, what: 'functions and actions' },
  {
    says: /^the transformation (rolluprecursive|ancestors|descendants|traverse) /,
    what: 'recursive hierarchies',
  },
  {
    says: /^the (transformation|method) \w+\./,
    what: 'transformations and methods that a service names itself',
  },
]

/** What a schema of this service could have a use for, and is 501; why. */
export const notDone: readonly { readonly says: RegExp; readonly why: string }[] = [
  { says: /^the segment \$each /, why: 'writes of many records at once; lists do the same' },
  { says: /^the segment \$crossjoin /, why: 'relations lead from set to set' },
  { says: /^a bracket after \$filter /, why: 'any(…) with a condition on the key does the same' },
  {
    says: /^the transformation /,
    why: 'nesting of $apply: $expand and join do much the same',
  },
]
