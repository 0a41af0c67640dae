// Invalid requests: each is rejected with its status, code and position, and stores nothing.
import { beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/http/limits.ts'
import { databases } from '../support/databases.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { usage } from '../support/material-client.ts'
import { useTestServer, type TestReply } from '../support/server.ts'
import { newRevenueClient, type Options, type RevenueClient } from '../support/revenue-client.ts'

const row = { Dato: '2024-05-01', AvdelingID: '20', Omsetning: 100 }
function without(field: keyof typeof row) {
  return { ...row, [field]: undefined }
}
function withOne(field: string, value: string) {
  return `{"${field}":${value}}`
}

/** A request, and the status, code and position of its error, as `400 InvalidDate Dato`. */
type Bad = [name: string, send: (revenueClient: RevenueClient) => Promise<TestReply>, expected: string]

function insert(body: unknown, headers: Options = {}) {
  return (revenueClient: RevenueClient) => revenueClient.insert(body, {}, headers)
}
function update(body: unknown) {
  return (revenueClient: RevenueClient) => revenueClient.update(body)
}
function saveList(body: unknown, headers: Options = {}) {
  return (revenueClient: RevenueClient) => revenueClient.saveList(body, {}, headers)
}
function setPerDate(body: unknown) {
  return (revenueClient: RevenueClient) => revenueClient.setPerDate(body)
}
function accumulate(body: unknown) {
  return (revenueClient: RevenueClient) => revenueClient.accumulate(body)
}
function find(query: string) {
  return (revenueClient: RevenueClient) => revenueClient.call('GET', `/dev/Omsetning/Finn?${query}`)
}
function post(query: string) {
  return (revenueClient: RevenueClient) => revenueClient.call('POST', `/dev/Omsetning/Lagre?${query}`, { json: row })
}
function send(method: string, path: string) {
  return (revenueClient: RevenueClient) => revenueClient.call(method, path)
}
function odata(request: string, json?: unknown, headers: Options = {}) {
  const [method = '', path = ''] = request.split(' ')
  return (revenueClient: RevenueClient) => revenueClient.call(method, `/odata/${path}`, { json, headers })
}

const fields: Bad[] = [
  ['no department in a row per date', setPerDate([without('AvdelingID')]), '400 MissingField [0].AvdelingID'],
  ['no day in a row per date', setPerDate([row, without('Dato')]), '400 MissingField [1].Dato'],
  ['no amount in a row per date', setPerDate([without('Omsetning')]), '400 MissingField [0].Omsetning'],
  [
    'null where a row per date needs a value',
    setPerDate([{ ...row, Omsetning: null }]),
    '400 MissingField [0].Omsetning',
  ],
  ['a comma in an amount', insert(withOne('Omsetning', '"12,5"')), '400 InvalidNumber Omsetning'],
  ['true for an amount', insert(withOne('Omsetning', 'true')), '400 InvalidType Omsetning'],
  ['words for an amount', insert(withOne('Omsetning', '"abc"')), '400 InvalidNumber Omsetning'],
  ['an empty text for an amount', insert(withOne('Omsetning', '""')), '400 InvalidNumber Omsetning'],
  ['an infinite amount', insert(withOne('Omsetning', '1e400')), '400 NumberOutOfRange Omsetning'],
  ['10^11', insert(withOne('Omsetning', '100000000000')), '400 NumberOutOfRange Omsetning'],
  ['a day that does not exist', insert(withOne('Dato', '"2024-02-30"')), '400 InvalidDate Dato'],
  ['29 February of no leap year', insert(withOne('Dato', '"2023-02-29"')), '400 InvalidDate Dato'],
  ['the year 1', insert(withOne('Dato', '"0001-01-01T00:00:00"')), '400 InvalidDate Dato'],
  ['a moment of two days', insert(withOne('Dato', '"2024-04-30T22:30:00Z"')), '400 AmbiguousDate Dato'],
  ['a list for a day', insert(withOne('Dato', '[]')), '400 InvalidType Dato'],
  ['a department of 51 characters', insert({ AvdelingID: 'x'.repeat(51) }), '400 ValueTooLong AvdelingID'],
  ['a remark of 4,001 characters', insert({ Merknad: 'x'.repeat(4001) }), '400 ValueTooLong Merknad'],
  ['a NUL', insert(withOne('Merknad', '"a\\u0000"')), '400 InvalidCharacter Merknad'],
  ['half an emoji', insert(withOne('AvdelingID', '"\\ud83d"')), '400 InvalidCharacter AvdelingID'],
  ['an empty record', insert({}), '400 MissingField Omsetning'],
  ['an unknown field and nothing else', insert({ Omsetn: 5 }), '400 UnknownField Omsetn'],
  [
    'an unknown field where that is strict',
    insert({ ...row, Sted: 'x' }, { prefer: 'handling=strict' }),
    '400 UnknownField Sted',
  ],
  ['a reference of 256 characters', accumulate({ ...row, Referanse: 'x'.repeat(256) }), '400 ValueTooLong Referanse'],
  ['nothing to add', accumulate(without('Omsetning')), '400 MissingField Omsetning'],
]

const misspelled = { ...row, Omsetning: undefined, Omsetn: 5 }
const foreign = { ...row, Omsetning: undefined, Belop: 5 }
const bound = { ...row, 'Avdeling@odata.bind': "Avdeling('10')" }
const byOtherNames: Bad[] = [
  ['a misspelled amount', insert(misspelled), '400 UnknownField Omsetn'],
  ['a misspelled amount in a list', saveList([row, misspelled]), '400 UnknownField [1].Omsetn'],
  ['a name that begins with a field', insert({ ...row, OmsetningEksMva: 5 }), '400 UnknownField OmsetningEksMva'],
  [
    'a misspelled field in a change',
    update({ InntekstplanId: 1, Merknad: 'x', Omsetting: 5 }),
    '400 UnknownField Omsetting',
  ],
  ['a misspelled key in a list', saveList([row, { ...row, InntektplanId: 1 }]), '400 UnknownField [1].InntektplanId'],
  ['a misspelled field per date', setPerDate([{ ...row, Avdeling: '21' }]), '400 UnknownField [0].Avdeling'],
  ['a misspelled reference', accumulate({ ...row, Refereanse: 'a' }), '400 UnknownField Refereanse'],
  ['an Id that means the key of a change', update({ Id: 1, Omsetning: 5 }), '400 UnknownField Id'],
  ['an Id that means the key in a list', saveList([{ ID: 1, Omsetning: 5 }]), '400 UnknownField [0].ID'],
  ['an Id of a new record', insert({ ...row, id: '1' }), '400 UnknownField id'],
  ['an Id per date', setPerDate([{ ...row, Id: 1 }]), '400 UnknownField [0].Id'],
  ['an Id of what is added', accumulate([{ ...row, Id: 1 }]), '400 UnknownField [0].Id'],
  ['an unknown name and no amount', insert(foreign), '400 MissingField Omsetning'],
  ['an unknown name and no amount in a list', saveList([row, foreign]), '400 MissingField [1].Omsetning'],
  ['an unknown name and an amount of null', insert({ ...foreign, Omsetning: null }), '400 MissingField Omsetning'],
  ['a department that is bound', insert(bound), '400 UnknownField Avdeling@odata.bind'],
  ['a department that is bound in a list', setPerDate([row, bound]), '400 UnknownField [1].Avdeling@odata.bind'],
]

const keys: Bad[] = [
  ['a misspelled key', insert({ ...row, InntektsplanIdd: 1 }), '400 UnknownField InntektsplanIdd'],
  ['the beginning of a key', update({ InntekstPlan: 1, Omsetning: 5 }), '400 UnknownField'],
  ['a key on Lagre', insert({ ...row, InntekstplanId: 1 }), '400 KeyNotAllowed InntekstplanId'],
  ['no key on Oppdater', update(row), '400 KeyRequired InntekstplanId'],
  ['an unknown key on Oppdater', update({ InntekstplanId: 4711, Omsetning: 1 }), '404 NotFound InntekstplanId'],
  ['another company’s key on Oppdater', update({ InntekstplanId: 3, Omsetning: 1 }), '404 NotFound InntekstplanId'],
  [
    'another company’s key in a list',
    saveList([{ InntekstplanId: 3, Omsetning: 1 }]),
    '404 NotFound [0].InntekstplanId',
  ],
  ['a key and nothing else', update({ InntekstplanId: 1 }), '400 NothingToChange'],
  ['a key and nothing else in a list', saveList([row, { InntekstplanId: 1 }]), '400 NothingToChange [1]'],
  [
    'two keys in two spellings',
    update({ InntekstplanId: 1, InntektsPlanId: 2, Omsetning: 1 }),
    '400 DuplicateField InntekstplanId',
  ],
  [
    'a key beyond all numbers',
    update('{"InntekstplanId":99999999999999999999,"Omsetning":1}'),
    '400 NumberOutOfRange InntekstplanId',
  ],
  ['half a key', update('{"InntekstplanId":1.5,"Omsetning":1}'), '400 InvalidType InntekstplanId'],
]

/** A length with which a row is too long. */
const longMin = 2.1 * 1024 * 1024

const bodies: Bad[] = [
  ['an object where a list belongs', saveList(row), '400 InvalidBodyType'],
  ['an object where rows per date belong', setPerDate(row), '400 InvalidBodyType'],
  ['a list where an object belongs', insert([row]), '400 InvalidBodyType'],
  ['a list where a key belongs', update([{ InntekstplanId: 1, Omsetning: 1 }]), '400 InvalidBodyType'],
  ['a number where an object belongs', insert('5'), '400 InvalidBodyType'],
  ['null where a list belongs', saveList('null'), '400 InvalidBodyType'],
  ['a number in a list', saveList([row, 5]), '400 InvalidType [1]'],
  ['null in a list', saveList([null]), '400 InvalidType [0]'],
  ['an empty body', insert(''), '400 EmptyBody'],
  ['blanks for a body', insert(' \r\n\t '), '400 EmptyBody'],
  ['a byte order mark and nothing else', saveList('\ufeff'), '400 EmptyBody'],
  ['broken JSON', insert('{"Omsetning":1'), '400 MalformedJson'],
  ['JSON and something behind it', insert('{"Omsetning":1}}'), '400 MalformedJson'],
  [
    'a list that breaks off after good rows',
    saveList(`[${JSON.stringify(row)},${JSON.stringify(row)},`),
    '400 MalformedJson',
  ],
  ['a comma too many', saveList('[{"Omsetning":1},]'), '400 MalformedJson'],
  ['single quotes', insert("{'Omsetning':1}"), '400 MalformedJson'],
  ['a comment', insert('{"Omsetning":1 /* kasse */}'), '400 MalformedJson'],
  ['NaN', insert(withOne('Omsetning', 'NaN')), '400 MalformedJson'],
  ['a number that ends with its point', insert(withOne('Omsetning', '1.')), '400 MalformedJson'],
  ['a number with a leading zero', insert(withOne('Omsetning', '01')), '400 MalformedJson'],
  ['a number with a plus', insert(withOne('Omsetning', '+1')), '400 MalformedJson'],
  ['a line break in a text', insert('{"Merknad":"a\nb"}'), '400 MalformedJson'],
  ['an overlong encoding', insert(Buffer.from([0x22, 0xc0, 0xaf, 0x22])), '400 InvalidUtf8'],
  ['100,000 nested lists', saveList('['.repeat(100_000)), '400 JsonTooDeep'],
  ['100,000 nested objects', insert('{"a":'.repeat(100_000)), '400 JsonTooDeep'],
  [
    '17 levels in a field that nobody knows',
    insert(`{"Omsetning":1,"x":${'['.repeat(16)}${']'.repeat(16)}}`),
    '400 JsonTooDeep',
  ],
  ['100,001 rows', saveList(`[${'{},'.repeat(100_000)}{}]`), '400 TooManyItems'],
  ...Object.entries({
    'a text of megabytes': `{"Merknad":"${'x'.repeat(longMin)}"}`,
    'a text of megabytes with escapes': `{"Merknad":"${String.raw`\t`.repeat(longMin / 2)}"}`,
    'a name of megabytes': `{"${'x'.repeat(longMin)}":1}`,
    'a number of megabytes': `{"Omsetning":${'1'.repeat(longMin)}}`,
    'members of megabytes': `{${'"x":1,'.repeat(Math.ceil(longMin / 6))}"Omsetning":1}`,
    'an unknown list of megabytes': `{"x":[${'1,'.repeat(longMin / 2)}1]}`,
  }).map(([name, element]): Bad => [`a row with ${name}`, saveList(`[{},${element}]`), '400 ValueTooLong [1]']),
  ...Object.entries({
    'a text of megabytes': `<Merknad>${'x'.repeat(longMin)}</Merknad>`,
    'a name of megabytes': `<${'x'.repeat(longMin)}>1</x>`,
    'members of megabytes': '<x>1</x>'.repeat(longMin / 8),
  }).map(([name, members]): Bad => [
    `an XML row with ${name}`,
    saveList(`<a><b><Omsetning>1</Omsetning></b><b>${members}</b></a>`, {
      'content-type': 'application/xml',
      accept: 'application/json',
    }),
    '400 ValueTooLong [1]',
  ]),
  ['a body over its limit', insert(`{"Merknad":"${'x'.repeat(limits.bodyBytesMax)}"}`), '413 BodyTooLarge'],
  ['a list over its limit', saveList(Buffer.alloc(limits.listBytesMax + 1, ' ')), '413 BodyTooLarge'],
]

const types: Bad[] = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json; charset=utf-8; charset=utf-8',
    'application/json;\tcharset=utf-8',
    'application/jsonx',
    'json',
    '',
  ].map((type): Bad => [
    `the content type "${type}"`,
    insert(JSON.stringify(row), { 'content-type': type }),
    '415 UnsupportedMediaType header:Content-Type',
  ]),
  ...['gzip', 'br', 'deflate', 'zstd', 'identity'].map((encoding): Bad => [
    `a body in ${encoding}`,
    insert(JSON.stringify(row), { 'content-encoding': encoding }),
    '415 UnsupportedContentEncoding header:Content-Encoding',
  ]),
  ['XML that is called JSON', insert('<r><Omsetning>1</Omsetning></r>'), '400 MalformedJson'],
  [
    'JSON that is called XML',
    insert('{"Omsetning":1}', { 'content-type': 'text/xml', accept: 'application/json' }),
    '400 MalformedXml',
  ],
]

const xml = { 'content-type': 'application/xml', accept: 'application/json' }
const inXml: Bad[] = [
  [
    'a misspelled element',
    insert('<r><AvdelingID>20</AvdelingID><Omsetn>5</Omsetn></r>', xml),
    '400 UnknownField Omsetn',
  ],
  [
    'an Id that means the key',
    saveList('<l><r><Id>1</Id><Omsetning>5</Omsetning></r></l>', xml),
    '400 UnknownField [0].Id',
  ],
  [
    'an unknown element and no amount',
    insert('<r><AvdelingID>20</AvdelingID><Belop>5</Belop></r>', xml),
    '400 MissingField Omsetning',
  ],
  ['broken XML', insert('<r><Omsetning>1</r>', xml), '400 MalformedXml'],
  ['a DOCTYPE', insert('<!DOCTYPE r><r><Omsetning>1</Omsetning></r>', xml), '400 XmlNotAllowed'],
  ['an entity of its own', insert('<r><Merknad>&a;</Merknad></r>', xml), '400 MalformedXml'],
  [
    'a billion laughs',
    insert('<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><l>&b;</l>', xml),
    '400 XmlNotAllowed',
  ],
  ['a processing instruction', insert('<r><?x y?></r>', xml), '400 XmlNotAllowed'],
  ['100,000 nested elements', insert('<a>'.repeat(100_000), xml), '400 XmlNotAllowed'],
  ['100,001 elements', saveList(`<r>${'<o/>'.repeat(100_001)}</r>`, xml), '400 TooManyItems'],
  ['a bad amount', insert('<r><Omsetning>12,5</Omsetning></r>', xml), '400 InvalidNumber Omsetning'],
]

const queries: Bad[] = [
  ['an unknown option', find('$foo=1'), '400 UnknownQueryOption $foo'],
  ['a mistyped option', find('$fliter=true'), '400 UnknownQueryOption $fliter'],
  ['a mistyped option without $', find('fliter=true'), '400 UnknownQueryOption fliter'],
  ['an option of the newer interface', find('$expand=avdeling'), '400 UnknownQueryOption $expand'],
  ['an option of a read on a write', post('$top=1'), '400 UnknownQueryOption $top'],
  ['a mistyped parameter of a write', post('dry_run=true'), '400 UnknownQueryOption dry_run'],
  ['a parameter that begins with one of a write', post('atomicity=1'), '400 UnknownQueryOption atomicity'],
  [
    'a dry run of a call that has none',
    send('DELETE', '/omsetning/Omsetning(1)?dryRun=true'),
    '400 UnknownQueryOption dryRun',
  ],
  ['an unknown name in a filter', find('$filter=Avdelng+eq+null'), '400 UnknownProperty $filter:1'],
  ['an unknown name in a selection', find('$select=Dato,Beløp'), '400 UnknownProperty $select:6'],
  ['an unclosed quote', find("$filter=AvdelingID+eq+'20"), '400 InvalidFilter $filter:15'],
  ['a date as text', find("$filter=Dato+eq+'2024'"), '400 InvalidFilter $filter:9'],
  ['100,000 brackets', find(`$filter=${'('.repeat(10_000)}`), '400 FilterTooComplex'],
  ['a filter too deep', find(`$filter=${'('.repeat(40)}true${')'.repeat(40)}`), '400 FilterTooComplex'],
  ['another format', find('$format=atom'), '400 InvalidQueryOption $format'],
  ['a number with a foreign suffix', find('$filter=Omsetning+eq+12.5x'), '400 InvalidFilter'],
  ['$top=-1', find('$top=-1'), '400 InvalidTop $top'],
  ['$top=1e3', find('$top=1e3'), '400 InvalidTop $top'],
  ['$top beyond all numbers', find('$top=9007199254740993'), '400 InvalidTop $top'],
  ['$top with nothing', find('$top='), '400 InvalidTop $top'],
  ['$skip=-1', find('$skip=-1'), '400 InvalidTop $skip'],
  ['firma twice', find('firma=a&firma=a'), '400 DuplicateParameter firma'],
  ['$top beside top', find('$top=1&top=1'), '400 DuplicateParameter $top'],
  ['a broken escape', find('$filter=%zz'), '400 InvalidEncoding $filter'],
  ['an escaped NUL', find('$filter=%00'), '400 InvalidCharacter $filter'],
  ['an address too long', find(`$filter=${'x'.repeat(limits.urlBytesMax)}`), '414 UrlTooLong'],
]

const noDepartment = { 'Avdeling@odata.bind': "Avdeling('x')" }
const misspelledRelation = { 'Avdelng@odata.bind': "Avdeling('20')" }
const manyEmployees = { 'Ansatte@odata.bind': ['Ansatt(1)'] }
const behind = "POST Avdeling('20')/Ansatte"
const old = { 'if-match': 'W/"1"' }
const odataWrites: Bad[] = [
  ['a reference to no record', odata('POST Ansatt', noDepartment), '422 ReferenceNotFound'],
  ...[2_147_483_648, -2_147_483_649].map((AnsattId): Bad => [
    `the employee ${AnsattId}, who is no Edm.Int32`,
    odata('PATCH Transaksjon(1)', { AnsattId }),
    '400 NumberOutOfRange AnsattId',
  ]),
  ['a transaction of no department', odata('PATCH Transaksjon(1)', noDepartment), '422 ReferenceNotFound'],
  ['a misspelled relation', odata('POST Ansatt', misspelledRelation), '400 UnknownField'],
  ['references to many records', odata("PATCH Avdeling('20')", manyEmployees), '400 CollectionNotBindable'],
  ['another record than that of the URL', odata(behind, { AvdelingId: '21' }), '400 InvalidValue AvdelingId'],
  ['a related record', odata('PATCH Ansatt(1)', { Avdeling: { Id: '30' } }), '501 NotSupported Avdeling'],
  ...["Avdeling('20')", 'Ansatt(1)', 'Transaksjon(1)'].map((path): Bad => [
    `a change of another state of ${path}`,
    odata(`PATCH ${path}`, { EksternId: 'x' }, old),
    '412 PreconditionFailed header:If-Match',
  ]),
  ...["Avdeling('20')", 'Ansatt(1)', 'Transaksjon(1)', 'Omsetning(1)'].map((path): Bad => [
    `the deletion of another state of ${path}`,
    odata(`DELETE ${path}`, undefined, old),
    '412 PreconditionFailed header:If-Match',
  ]),
  [
    'an approval of another state',
    (revenueClient) => revenueClient.call('POST', '/prosjekt/Transaksjon(1)/Godkjenn', { headers: old }),
    '412 PreconditionFailed header:If-Match',
  ],
  ['two keys', odata('DELETE Omsetning(2)(1)'), '501 NotSupported'],
  ['a filter on DELETE', odata('DELETE Omsetning(1)?$filter=true'), '501 NotSupported $filter'],
  ['a filter on PATCH', odata('PATCH Transaksjon(1)?$filter=true', { Antall: 2 }), '501 NotSupported $filter'],
  ['DELETE behind a relation', odata("DELETE Avdeling('20')/Ansatte(1)"), '405 MethodNotAllowed'],
  ['DELETE of a reference', odata('DELETE Ansatt(1)/Avdeling/$ref'), '405 MethodNotAllowed'],
  ['an image', odata('POST Ansatt', 'x', { 'content-type': 'image/png' }), '415 UnsupportedMediaType'],
  ['a media stream', odata('PUT Ansatt(1)/$value', 'x'), '400 InvalidPath path:11'],
  ['a value of a property', odata('PUT Ansatt(1)/Fornavn/$value', 'Ola'), '405 MethodNotAllowed'],
  ['an action', odata('POST Ansatt(1)/Dagsverk.Forfrem', {}), '404 NotFound'],
  ['an action in parentheses', odata('POST Ansatt(1)/Dagsverk.Forfrem()', {}), '501 NotSupported'],
  ['an action import', odata('POST SlettAlt', {}), '404 NotFound'],
  ['a function import', odata('GET SumAv(felt=1)'), '404 NotFound'],
]

const callers: Bad[] = [
  [
    'no credentials',
    (revenueClient) => revenueClient.call('POST', '/dev/Omsetning/Lagre', { as: null, json: row }),
    '401 MissingCredentials',
  ],
  [
    'a wrong password',
    (revenueClient) =>
      revenueClient.call(
        'POST',
        `/dev/Omsetning/Lagre?firma=${encodeURIComponent(revenueClient.company.name)}&passord=feil`,
        { as: null, json: row },
      ),
    '401 InvalidCredentials',
  ],
  [
    'two credentials of which one is wrong',
    (revenueClient) =>
      revenueClient.call(
        'POST',
        `/dev/Omsetning/Lagre?firma=${encodeURIComponent(revenueClient.company.name)}&passord=feil`,
        { json: row },
      ),
    '401 InvalidCredentials',
  ],
  ['a wrong method', send('GET', '/dev/Omsetning/Lagre'), '405 MethodNotAllowed'],
  ['a method in place of another', send('PUT', '/dev/Omsetning/Oppdater'), '405 MethodNotAllowed'],
  ['an unknown address', send('POST', '/dev/Omsetning/Slett'), '404 NotFound'],
  [
    'a method in a header',
    (revenueClient) =>
      revenueClient.call('GET', '/dev/Omsetning/Lagre', { headers: { 'x-http-method-override': 'POST' } }),
    '405 MethodNotAllowed',
  ],
  [
    'an Idempotency-Key with a blank',
    insert(row, { 'idempotency-key': 'a b' }),
    '400 IdempotencyKeyInvalid header:Idempotency-Key',
  ],
]

describe.each(databases)('bad input on $name', (database) => {
  const server = useTestServer(database, 'bad-input')
  let revenueClient: RevenueClient
  let other: RevenueClient
  /** All records of both companies. */
  const everything = async () => [
    (await revenueClient.call('GET', '/odata/$all')).json.value,
    await revenueClient.records({ $select: '*,SistEndretDato' }),
    (await revenueClient.revenueLog()).json.value,
    await other.records({ $select: '*,SistEndretDato' }),
    (await other.revenueLog()).json.value,
  ]
  let stored: unknown
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
    other = await newRevenueClient(server)
    await revenueClient.saveList([row, { ...row, AvdelingID: '21' }])
    await other.saveList([row, row, row])
    for (const [set, record] of [
      ['Avdeling', { Id: '20' }],
      ['Ansatt', { AvdelingId: '20' }],
      ['Transaksjon', usage],
    ] as const)
      await revenueClient.call('POST', `/odata/${set}`, { json: record })
    stored = await everything()
  })

  describe.each<readonly [string, readonly Bad[]]>([
    ['fields', fields],
    ['names', byOtherNames],
    ['keys', keys],
    ['bodies', bodies],
    ['content types', types],
    ['XML', inXml],
    ['queries', queries],
    ['callers', callers],
    ['writes of OData clients', odataWrites],
  ])('in %s', (_, table) => {
    test.each<Bad>([...table])('7.2 %s is rejected, and nothing is stored', async (_name, sending, expected) => {
      const reply = await sending(revenueClient)
      const [status, code, target] = expected.split(' ')
      expect(reply.status, reply.text.slice(0, 500)).toBe(Number(status))
      const { error } = reply.json
      expect(error.outcome).toBe('not_applied')
      // An error of a list has its rows in the details.
      const rowError =
        ['InvalidRows', 'NotFound', 'Conflict'].includes(error.code) && error.details ? error.details[0] : error
      expect(rowError.code).toBe(code)
      if (target !== undefined) expect(rowError.target).toBe(target)
      expect(rowError.message).toMatch(/^.{10,}[.?]$/s)
      expect(await everything()).toEqual(stored)
    })
  })

  test('7.2 credentials of two companies are rejected, and nothing is stored in either', async () => {
    const reply = await revenueClient.call('POST', '/dev/Omsetning/Lagre', {
      json: row,
      headers: { 'x-firma': other.company.name, 'x-passord': other.company.password },
    })
    expectError(reply, 400, 'AmbiguousCredentials')
    expect(await everything()).toEqual(stored)
  })

  test('7.2 names such as __proto__ and constructor are ordinary names, wherever they occur', async () => {
    const before = Object.getOwnPropertyNames(Object.prototype)
    const polluting = '{"__proto__":{"Omsetning":5},"constructor":{"prototype":{"x":1}},"\\u005f\\u005fproto__":1}'
    const refused = [
      await revenueClient.insert(polluting),
      await revenueClient.saveList(`[${polluting}]`),
      await revenueClient.insert('<r><__proto__>1</__proto__><constructor>2</constructor></r>', {}, xml),
      await revenueClient.find({ $filter: '__proto__ eq null' }),
      await revenueClient.find({ $select: 'constructor' }),
      await revenueClient.find({ $orderby: 'toString' }),
    ]
    for (const reply of refused) expect(reply.status, reply.text).toBe(400)
    const ignoring = await revenueClient.call('GET', '/dev/Omsetning/Finn?__proto__=1&constructor=1')
    expect([ignoring.status, ignoring.headers['x-ignored-parameters']]).toEqual([200, '__proto__, constructor'])
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before)
    expect(await everything()).toEqual(stored)
  })

  describe('large but valid', () => {
    test('8 100,000 rows are accepted', async () => {
      const big = await newRevenueClient(server)
      await expectStatus(big.saveList(`[${'{"Omsetning":1},'.repeat(99_999)}{"Omsetning":2}]`))
      const found = await big.find({ $count: 'true', $top: '0' })
      expect(found.headers['x-total-count']).toBe('100000')
    })

    test('8 a body of exactly the maximum size is accepted', async () => {
      const big = await newRevenueClient(server)
      const padded = Buffer.alloc(limits.listBytesMax, ' ')
      padded.write('[{"Omsetning":1}]')
      expect((await big.saveList(padded)).status).toBe(200)
      const ofXml = `<a><b><Omsetning>1</Omsetning></b>${' '.repeat(longMin)}</a>`
      expect((await big.saveList(ofXml, {}, { 'content-type': 'application/xml' })).status).toBe(200)
      const one = Buffer.alloc(limits.bodyBytesMax, ' ')
      one.write('{"Omsetning":1}')
      expect((await big.insert(one)).status).toBe(200)
      expect(await big.records()).toHaveLength(3)
    })

    test('8 16 nested levels in an unknown field are skipped', async () => {
      const big = await newRevenueClient(server)
      const reply = await expectStatus(big.insert(`{"Omsetning":1,"x":${'['.repeat(15)}${']'.repeat(15)}}`))
      expect(reply.headers['x-ignored-fields']).toBe('x')
    })

    test('8 the limits are published without authentication', async () => {
      const reply = await server.call('GET', '/limits', { as: null })
      expect(reply.json).toMatchObject({
        listBytesMax: 33_554_432,
        bodyBytesMax: 1_048_576,
        urlBytesMax: 16_384,
        listRowsMax: 100_000,
        filterNodesMax: 2000,
        filterDepthMax: 32,
        filterListValuesMax: 1000,
      })
      expect(reply.json).not.toHaveProperty('nodeHeaderBytesMax')
    })
  })
})
