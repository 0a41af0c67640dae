// Generators of invalid requests: valid ones with one or many mutations.
import * as fc from 'fast-check'

export interface RandomRequest {
  readonly method: string
  /** Path and query. */
  readonly address: string
  readonly headers: readonly string[]
  readonly body: string
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '',
    ' ',
    "'",
    "''",
    '"',
    '\\',
    '%',
    '_',
    '*',
    '--',
    ';',
    '\0',
    '\u0007',
    '\ud800',
    '\ufeff',
    "' or 1=1 --",
    "'; drop table revenue; --",
    '$1',
    '?',
    '@p0',
    '{{7*7}}',
    '${x}',
    '<x>&y;',
    '__proto__',
    'constructor',
    'toString',
    'null',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '1e400',
    '20',
    '007',
    'I',
    'blåbær',
    '😀',
    'e\u0301',
    '\u202e',
    'x'.repeat(51),
    'x'.repeat(4001),
  ),
)

const number = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '-1',
    '7',
    '1e3',
    '1e400',
    '1E-30',
    '0.12345',
    '99999999999.9999',
    '100000000000',
    '9007199254740993',
    '9223372036854775808',
    '.5',
    '1.',
    '01',
    '+1',
    '0x10',
  ),
  fc.double().map(String),
  fc.integer().map(String),
)

const date = fc.oneof(
  fc.constantFrom(
    '2024-05-01',
    '2024-05-01T00:00:00',
    '2024-02-30',
    '2023-02-29',
    '0000-01-01',
    '10000-01-01',

    '2024-05-01T22:00:00Z',
    '2024-05-01T22:30:00Z',
    '2024-05-01T25:00:00',
    '2024-13-01',
    '1.5.24',
    '2024-10-27T02:30:00Z',
    '2024-05-01T00:00:00+99:00',
    '2024-05-01T00:00:00.123456789',
    '',
  ),
  fc.date({ noInvalidDate: true }).map((day) => day.toISOString()),
)

const fieldName = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('Dato', 'AvdelingID', 'Omsetning', 'Merknad', 'ipType') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'InntekstplanId',
      'InntektsPlanId',
      'inntektsplanid',
      'DATO',
      'Referanse',
      'Id',
      'Status',
      'SistEndretDato',
      'OpprettetDato',
      'company_id',
      '__proto__',
      'constructor',
      'prototype',
      '\\u005f\\u005fproto__',
      'hasOwnProperty',
      'Omsetn',
      '',
    ),
  },
  { weight: 1, arbitrary: text },
)

/** Any JSON value. */
const jsonValue: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: date.map((one) => JSON.stringify(one)) },
  { weight: 4, arbitrary: number },
  { weight: 4, arbitrary: text.map((one) => JSON.stringify(one)) },
  { weight: 2, arbitrary: fc.constantFrom('null', 'true', 'false', '[]', '{}', '[[1]]', 'undefined') },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((n) => '['.repeat(n) + ']'.repeat(n)) },
)

const jsonRow = fc
  .array(fc.tuple(fieldName, jsonValue), { maxLength: 7 })
  .map((members) => `{${members.map(([name, value]) => `"${name}":${value}`).join(',')}}`)

/** A valid record with one random field. */
const nearlyGoodRow = fc
  .tuple(
    fc.constantFrom(
      '"Dato":"2024-05-01","AvdelingID":"20","Omsetning":100',
      '"InntekstplanId":1,"Omsetning":5',
      '"AvdelingID":"21","Omsetning":"12.50","Merknad":"to"',
    ),
    fc.oneof(
      { weight: 2, arbitrary: fc.constant('') },
      { weight: 3, arbitrary: fc.tuple(fieldName, jsonValue).map(([name, value]) => `,"${name}":${value}`) },
    ),
  )
  .map(([right, more]) => `{${right}${more}}`)

/** Cuts, duplicates and overwrites parts of a text. */
function bent(whole: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(whole, fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(4), text), { maxLength: 4 }))
    .map(([start, bends]) =>
      bends.reduce((now, [where, length, put]) => {
        const at = Math.floor(where * now.length)
        return now.slice(0, at) + put + now.slice(at + length)
      }, start),
    )
}

function sometimesBent(whole: fc.Arbitrary<string>) {
  return fc.oneof({ weight: 2, arbitrary: whole }, { weight: 1, arbitrary: bent(whole) })
}

const jsonBody = sometimesBent(
  fc.oneof(
    { weight: 3, arbitrary: jsonRow },
    {
      weight: 4,
      arbitrary: fc
        .array(fc.oneof(jsonRow, nearlyGoodRow, nearlyGoodRow, nearlyGoodRow), { maxLength: 4 })
        .map((rows) => `[${rows.join(',')}]`),
    },
    { weight: 4, arbitrary: nearlyGoodRow },
    { weight: 1, arbitrary: jsonValue },
  ),
)

function escaped(one: string) {
  return one.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

const xmlElement = fc
  .tuple(fieldName, fc.oneof(date, number, text.map(escaped), text))
  .map(([name, value]) => `<${name}>${value}</${name}>`)

const xmlBody = sometimesBent(
  fc
    .tuple(
      fc.constantFrom(
        '',
        '<?xml version="1.0"?>',
        '<?xml version="1.0" encoding="utf-16"?>',
        '\ufeff',
        '<!-- -->',
        '<!DOCTYPE x [<!ENTITY a "b">]>',
        '<?xml-stylesheet href="x"?>',
        '<![CDATA[x]]>',
      ),
      fc.constantFrom('ArrayOfOmsetning', 'Omsetning', 'r', 'x:r', '__proto__'),
      fc.array(fc.array(xmlElement, { maxLength: 5 }), { maxLength: 3 }),
      fc.constantFrom('', ' xmlns="a"', ' xmlns:x="b"', ' a="&#0;"', ' xsi:nil="true"'),
    )
    .map(
      ([start, name, rows, attributes]) =>
        `${start}<${name}${attributes}>${rows.map((row) => `<Omsetning>${row.join('')}</Omsetning>`).join('')}</${name}>`,
    ),
)

const filter = sometimesBent(
  fc
    .array(
      fc
        .tuple(
          fc.oneof(fieldName, fc.constantFrom('length(Merknad)', 'not Dato', '(Dato', 'year(Dato)')),
          fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'has', 'add', 'and'),
          fc.oneof(
            number,
            date,
            date.map((one) => `datetime('${one}')`),
            text.map((one) => `'${one.replaceAll("'", "''")}'`),
            fc.constantFrom('null', "('a','b')", '(1,2)', '()', 'Omsetning', "'"),
          ),
        )
        .map((parts) => parts.join(' ')),
      { minLength: 1, maxLength: 3 },
    )
    .chain((terms) => fc.constantFrom(' and ', ' or ', ') or (').map((glue) => terms.join(glue))),
)

const option = fc.oneof(
  { weight: 4, arbitrary: fc.tuple(fc.constant('$filter'), filter) },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom('$select', '$orderby', 'orderby', '$Select'),
      sometimesBent(
        fc
          .array(fc.tuple(fieldName, fc.constantFrom('', ' desc', ' asc', '*')), { maxLength: 6 })
          .map((names) => names.map((one) => one.join('')).join(',')),
      ),
    ),
  },
  { weight: 2, arbitrary: fc.tuple(fc.constantFrom('$top', '$skip', 'top'), number) },
  {
    weight: 1,
    arbitrary: fc.tuple(
      fc.constantFrom('$count', '$format', '$expand', '$search', '$apply', 'dryRun', 'atomic', '$'),
      fc.oneof(text, fc.constantFrom('true', 'false', 'json', 'xml')),
    ),
  },
  { weight: 1, arbitrary: fc.tuple(text, text) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom('firma', 'passord', 'key', 'firma[]'), text) },
)

function wellFormed(one: string) {
  return encodeURIComponent(one.toWellFormed())
}

/** With its question mark; sometimes the percent-encoding is mutated as well. */
const query = fc.array(option, { maxLength: 3 }).chain((options) => {
  const joined = options.map(([name, value]) => `${wellFormed(name)}=${wellFormed(value)}`).join('&')
  return fc
    .oneof({ weight: 6, arbitrary: fc.constant(joined) }, { weight: 1, arbitrary: bentEscapes(joined) })
    .map((one) => (one === '' ? '' : `?${one}`))
})

function bentEscapes(whole: string) {
  return fc
    .tuple(fc.nat(whole.length), fc.constantFrom('%', '%zz', '%00', '%ff', '%c0%af', '+', '&', '=', ';'))
    .map(([at, put]) => whole.slice(0, at) + put + whole.slice(at))
}

const headerName = fc.constantFrom(
  'Accept',
  'Accept-Language',
  'Prefer',
  'Idempotency-Key',
  'X-Request-Id',
  'If-Match',
  'Range',

  'Authorization',
  'X-Firma',
  'X-Passord',
  'key',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'Cookie',

  'Forwarded',
  'OData-Version',
  'x-api-version',
  'Accept-Encoding',
  'X-Sandbox-Fault',
  'Origin',
)

const headerValue = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom(
    'application/xml',
    'application/problem+json',
    '*/*;q=0',
    'text/html,*/*',
    'application/*;q=x',

    'nb',
    'nb;q=2',
    '*',
    'handling=strict',
    'respond-async',
    'Basic',
    'Basic AAAA',
    'Basic Og==',

    'Bearer',
    'Bearer x y',
    'Bearer dv_live_x_y_z',
    '::1',
    '127.0.0.1',
    'for=unknown',
    ',,,;;;===',
    '"',
    '\t',
    ';',
    'a;b="c',
    'W/"x"',
    'bytes=0-1',
    'gzip',
    'q=1e9;'.repeat(200),
  ),
)

const headers = fc
  .array(fc.tuple(headerName, headerValue), { maxLength: 4 })
  .map((lines) => lines.map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n\0]/g, ' ')}`))

const contentType = fc.oneof(
  { weight: 6, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'application/json; charset=utf-8',
      'application/json;charset="utf-16"',
      'text/json',
      '',
      'application/xml',
      'text/plain',
      'multipart/form-data; boundary=x',
      '/',
      'a/b;c',
      '*/*',
      'APPLICATION/JSON ; IEEE754Compatible=true',
      'application/x-www-form-urlencoded',
      ';',
    ),
  },
)

export function randomReads(paths: readonly string[]): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(fc.constantFrom(...paths), query)
    .map(([path, search]) => ({ method: 'GET', address: path + search, headers: [], body: '' }))
}

export function randomJsonWrites(paths: readonly string[]): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom('', '', '?atomic=false', '?dryRun=true', '?$format=xml', '?dry_run=1'),
      contentType,
      fc.constantFrom([], [], ['Prefer: handling=strict'], ['Idempotency-Key: en']),
      jsonBody,
    )
    .map(([path, search, type, more, body]) => ({
      method: 'POST',
      address: path + search,
      headers: [`Content-Type: ${type}`, ...more],
      body,
    }))
}

export function randomXmlWrites(paths: readonly string[]): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(
      fc.constantFrom(...paths),
      fc.constantFrom('', '?atomic=false', '?dryRun=true'),
      fc.constantFrom('application/xml', 'text/xml; charset=utf-8'),
      xmlBody,
    )
    .map(([path, search, type, body]) => ({
      method: 'POST',
      address: path + search,
      headers: [`Content-Type: ${type}`],
      body,
    }))
}

/** URLs and methods similar to those of the routes, and any header. */
export function requestsNearRoutes(paths: readonly string[]): fc.Arbitrary<RandomRequest> {
  return fc
    .tuple(
      fc.constantFrom('GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
      fc
        .constantFrom(...paths)
        .chain((path) => fc.oneof(fc.constant(path), bent(fc.constant(path)), bentEscapes(path)))
        // Characters that are invalid in a request line are tested elsewhere.
        .map((path) => `/${path.replaceAll(/[^\x21-\x7e]/g, '').replace(/^\/+/, '')}`),
      query,
      headers,
      fc.constantFrom('', '', '[]', '{}'),
    )
    .map(([method, path, search, lines, body]) => ({ method, address: path + search, headers: lines, body }))
}
