// Excluded ABNF test cases and known deviations from the grammar, with reasons.

/** Excluded rules. */
export const excludedRules: Readonly<Record<string, string>> = {
  context: 'context URLs are written by a service, never read by it',
  header: 'headers are read by http/ and api/',
  prefer: 'headers are read by http/ and api/',
  preference: 'headers are read by http/ and api/',
  includeAnnotationsPreference: 'headers are read by http/ and api/',
  maxpagesizePreference: 'headers are read by http/ and api/',
  'request-id': 'part of a batch body',
  deltatoken: 'opaque, in links that the service creates itself',
  skiptoken: 'opaque, in links that the service creates itself',
  ...Object.fromEntries(
    (
      'booleanValue byteValue dateValue dateTimeOffsetValue decimalValue doubleValue durationValue ' +
      'enumValue int16Value int32Value int64Value primitiveValue sbyteValue singleValue timeOfDayValue'
    )
      .split(' ')
      .map((rule) => [rule, 'the value of a field in a body, which engine/formats/ reads']),
  ),
}

/** Excluded inputs of the other rules. */
export const excludedInputs: readonly { readonly input: RegExp; readonly why: string }[] = [
  { input: /\$metadata#/, why: 'a context URL' },
  { input: /^https?:?\/\/[^/]*\/(MyService\/)?$/, why: 'scheme and host are read by http/' },
  { input: /^http:\/\/services\.odata\.org\/OData\/OData\.svc\/$/, why: 'a service root only' },
  { input: /^\$?index=/, why: 'positional inserts are writes' },
]

/** Cases where the interface specification, or the prose of the standard, deviates from the grammar. */
export const deviations: Readonly<Record<string, string>> = {
  "odataRelativeUri $entity?$id=http://myservice/Customers('ALFKI')&$select=CompanyName,ContactName&$expand=Orders":
    '$id is resolved when it is read, with or without its type in the path',
  'filter $filter =true': 'blanks around names are dropped, as the interface specification sends them',
  'filter $filter= true': 'blanks around values are dropped, as the interface specification sends them',
  'queryOptions $search=more&more': 'reads ignore unknown parameters',
  'queryOptions $search=a%3Bb': 'the query is decoded before it is parsed, so that it equals a;b, which is refused',
  'queryOptions $expand=Manager($search=a%3Bb)':
    'the query is decoded before it is parsed, so that it equals a;b, which is refused',
  'queryOptions $format=json&$Format=atom&$format=xml&$format=text/html':
    'no option may come twice (OData 4.01 part 1, 11.2.1)',
  'queryOptions $format=JSON&$format=Atom&$format=XML&$format=text/html':
    'no option may come twice (OData 4.01 part 1, 11.2.1)',
}

/** 501 because no schema of this service has the feature; by error message. */
export const featuresOfNoModel: readonly { readonly says: RegExp; readonly what: string }[] = [
  { says: /^a parenthesis after (?!\$|aggregate )/, what: 'functions and actions' },
  { says: /^(a type cast|the function (cast|isof)) /, what: 'derived types' },
  { says: /^an annotation/, what: 'annotations of entities' },
  { says: /^(a literal of type geo|the function geo)/, what: 'geography' },
  { says: /^a media stream /, what: 'streams' },
  { says: /^a function call in a path /, what: 'functions and actions' },
  { says: /^the transformation (rolluprecursive|ancestors|descendants|traverse) /, what: 'recursive hierarchies' },
  { says: /^the (transformation|aggregation method) \w+\./, what: 'custom transformations and methods' },
]

/** 501 although a schema of this service could use it, with reasons. */
export const unsupportedFeatures: readonly { readonly says: RegExp; readonly why: string }[] = [
  { says: /^the path segment \$each /, why: 'writes of many records at once; lists do the same' },
  { says: /^the path segment \$crossjoin /, why: 'relations lead from set to set' },
  { says: /^a parenthesis after \$filter /, why: 'any(…) with a condition on the key does the same' },
  { says: /^the transformation /, why: 'nested $apply: $expand and join do much the same' },
]
