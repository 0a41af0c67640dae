// $apply (ADR 0026): aggregation of the records of a set, on every database.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { expectError, expectStatus } from '../support/replies.ts'
import { recordsIn } from '../support/etags.ts'
import { useTestServer, type CallOptions, type TestReply } from '../support/server.ts'
import { addressOf, type Options } from '../support/revenue-client.ts'

function day(Dato: string, AvdelingID: string | null, Omsetning: number | null) {
  return { Dato, AvdelingID, Omsetning }
}

const takings = [
  day('2024-01-01', '10', 100.5),
  day('2024-01-15', '10', 200.25),
  day('2024-02-01', '10', 50),
  day('2024-01-02', '20', -10.0001),
  day('2024-02-03', '20', 0),
  day('2024-02-04', '30', null),
  day('2025-01-01', null, 7),
]

describe.each(databases)('aggregation with the apply option on $name', (database) => {
  const server = useTestServer(database, 'apply')
  let reader: CallOptions
  beforeAll(async () => {
    await fillDirectory(server, server.tenantA, {
      departments: [
        { id: '10', name: 'Byggevarer' },
        { id: '20', name: 'Hage', parentId: '10' },
        { id: '30', name: 'Frø' },
      ],
      employees: [
        { id: 1, firstName: 'Kari', departmentId: '10', address: 'Storgata 1' },
        { id: 2, firstName: 'Ola', departmentId: '10' },
        { id: 3, firstName: 'Åse', departmentId: null },
      ],
    })
    await expectStatus(server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json: takings }))
    const { secret } = await server.addCredential(server.tenantA, {
      kind: 'key',
      scopes: 'revenue:read,directory:read',
    })
    reader = { as: { ...server.tenantA, key: secret } }
  })

  const get = (path: string, query: Options) => server.call('GET', addressOf(path, query), reader)

  const rowsOf = async (path: string, query: Options): Promise<string[]> =>
    recordsIn(await expectStatus(get(path, query))).map((one: unknown) => JSON.stringify(one))

  test('one URL gives revenue per department and month', async () => {
    const $apply =
      'compute(year(Dato) as Aar,month(Dato) as Maaned)/groupby((AvdelingID,Aar,Maaned),aggregate(Omsetning with sum as Sum,$count as Antall))'
    const reply = await expectStatus(get('/odata/Omsetning', { $apply }))
    expect(reply.text.slice(reply.text.indexOf('#'))).toBe(
      '#Omsetning(AvdelingID,Aar,Maaned,Sum,Antall)","value":[' +
        [
          '{"AvdelingID":null,"Aar":2025,"Maaned":1,"Sum":7,"Antall":1}',
          '{"AvdelingID":"10","Aar":2024,"Maaned":1,"Sum":300.75,"Antall":2}',
          '{"AvdelingID":"10","Aar":2024,"Maaned":2,"Sum":50,"Antall":1}',
          '{"AvdelingID":"20","Aar":2024,"Maaned":1,"Sum":-10.0001,"Antall":1}',
          '{"AvdelingID":"20","Aar":2024,"Maaned":2,"Sum":0,"Antall":1}',
          '{"AvdelingID":"30","Aar":2024,"Maaned":2,"Sum":null,"Antall":1}',
        ].join(',') +
        ']}',
    )
  })

  test.each([
    ['aggregate($count as N)', ['{"N":7}']],
    ['aggregate(Omsetning with sum as S)', ['{"S":347.7499}']],
    ['filter(false)/aggregate(Omsetning with sum as S,$count as N)', ['{"S":null,"N":0}']],
    ['aggregate(Omsetning with min as A,Omsetning with max as B)', ['{"A":-10.0001,"B":200.25}']],
    ['aggregate(Omsetning with average as A)', ['{"A":57.9583}']],
    ['aggregate(AvdelingID with countdistinct as N)', ['{"N":3}']],
    [
      'aggregate(Dato with min as A,Dato with max as Dato)',
      ['{"A@odata.type":"#Date","A":"2024-01-01","Dato":"2025-01-01"}'],
    ],
    ['aggregate(Omsetning mul 2 with sum as S)', ['{"S":695.4998}']],
    [
      'groupby((AvdelingID))',
      ['{"AvdelingID":null}', '{"AvdelingID":"10"}', '{"AvdelingID":"20"}', '{"AvdelingID":"30"}'],
    ],
    ["filter(AvdelingID eq '20')/aggregate(Omsetning with average as A)", ['{"A":-5.0001}']],
    [
      'groupby((Avdeling/Navn),aggregate($count as N))',
      [
        '{"Avdeling":{"Navn":null},"N":1}',
        '{"Avdeling":{"Navn":"Byggevarer"},"N":3}',
        '{"Avdeling":{"Navn":"Frø"},"N":1}',
        '{"Avdeling":{"Navn":"Hage"},"N":2}',
      ],
    ],
    [
      'groupby((Avdeling/Navn,Avdeling/Id,Avdeling/Hovedavdeling/Navn))/orderby(Avdeling/Id desc)/top(2)',
      [
        '{"Avdeling":{"Navn":"Frø","Id":"30","Hovedavdeling":{"Navn":null}}}',
        '{"Avdeling":{"Navn":"Hage","Id":"20","Hovedavdeling":{"Navn":"Byggevarer"}}}',
      ],
    ],
    [
      'groupby((rollup(AvdelingID,Dato)),aggregate(Omsetning with sum as S))/filter(S gt 40)',
      [
        '{"AvdelingID":"10","Dato":"2024-01-01","S":100.5}',
        '{"AvdelingID":"10","Dato":"2024-01-15","S":200.25}',
        '{"AvdelingID":"10","Dato":"2024-02-01","S":50}',
        '{"AvdelingID":"10","S":350.75}',
      ],
    ],
    ['topcount(2,Omsetning)/aggregate(Omsetning with min as A)', ['{"A":100.5}']],
    ['topcount(+2,Omsetning)/aggregate(Omsetning with min as A)', ['{"A":100.5}']],
    ['topcount(-(-2),Omsetning)/aggregate(Omsetning with min as A)', ['{"A":100.5}']],
    ['topcount(-(-(2)),Omsetning)/aggregate(Omsetning with min as A)', ['{"A":100.5}']],
    ['topsum(300,Omsetning)/aggregate($count as N)', ['{"N":2}']],
    ['topsum(300.76,Omsetning)/aggregate($count as N)', ['{"N":3}']],
    ['toppercent(50,Omsetning)/aggregate($count as N)', ['{"N":1}']],
    ['bottomsum(0,Omsetning)/aggregate($count as N)', ['{"N":0}']],
    ['bottomcount(3,Omsetning)/aggregate(Omsetning with max as A)', ['{"A":0}']],
    [
      'groupby((AvdelingID),topcount(1,Omsetning)/aggregate(Omsetning with sum as S))/filter(S ne null)',
      ['{"AvdelingID":null,"S":7}', '{"AvdelingID":"10","S":200.25}', '{"AvdelingID":"20","S":0}'],
    ],
    [
      'concat(groupby((AvdelingID),aggregate(Omsetning with sum as S))/topcount(1,S),aggregate(Omsetning with sum as S,$count as N))',
      ['{"AvdelingID":"10","S":350.75}', '{"S":347.7499,"N":7}'],
    ],
    ['aggregate(Omsetning with sum from AvdelingID with average as A)', ['{"A":115.9166}']],
    [
      'orderby(Omsetning desc)/skip(1)/top(2)/groupby((AvdelingID,Omsetning))',
      ['{"AvdelingID":"10","Omsetning":50}', '{"AvdelingID":"10","Omsetning":100.5}'],
    ],
    ['identity/aggregate($count as N)', ['{"N":7}']],
    [
      'filter(Dato ge 2024-02-03)/groupby((rollup(Dato,AvdelingID)),aggregate($count as N))/groupby((AvdelingID),aggregate(N with sum as M))',
      ['{"AvdelingID":null,"M":4}', '{"AvdelingID":"20","M":1}', '{"AvdelingID":"30","M":1}'],
    ],
    [
      'groupby((rollup(Dato,AvdelingID)),aggregate($count as N))/filter(AvdelingID eq null and Dato gt 2024-02-03)',
      ['{"Dato":"2025-01-01","AvdelingID":null,"N":1}', '{"Dato":"2024-02-04","N":1}', '{"Dato":"2025-01-01","N":1}'],
    ],
    [
      'groupby((AvdelingID),concat(aggregate($count as N),aggregate(Omsetning with sum as S)))/filter(AvdelingID eq null)',
      ['{"AvdelingID":null,"N":1}', '{"AvdelingID":null,"S":7}'],
    ],
    [
      'groupby((AvdelingID))/filter(AvdelingID ne null)/aggregate($count as N,AvdelingID with min as A)',
      ['{"N":3,"A":"10"}'],
    ],
    ["groupby((AvdelingID,Dato))/filter(AvdelingID lt '25')/aggregate($count as N)", ['{"N":5}']],
  ])('%s', async ($apply, expected) => {
    expect(await rowsOf('/odata/Omsetning', { $apply })).toEqual(expected)
  })

  const perDepartment = 'groupby((AvdelingID),aggregate(Omsetning with sum as Sum))'

  test.each([
    [{ $filter: 'Sum gt 1' }, ['{"AvdelingID":null,"Sum":7}', '{"AvdelingID":"10","Sum":350.75}']],
    [{ $filter: 'Sum eq null', $select: 'AvdelingID' }, ['{"AvdelingID":"30"}']],
    [{ $orderby: 'Sum desc', $top: '2', $skip: '1', $select: 'Sum' }, ['{"Sum":7}', '{"Sum":-10.0001}']],
    [
      { $compute: 'Sum mul 2 as Dobbel', $filter: 'Dobbel gt 100' },
      ['{"AvdelingID":"10","Sum":350.75,"Dobbel":701.5}'],
    ],
  ])('the other query options apply to the output of $apply: %j', async (query, expected) => {
    expect(await rowsOf('/odata/Omsetning', { $apply: perDepartment, ...query })).toEqual(expected)
  })

  test('$count counts the output rows of $apply', async () => {
    const query = { $apply: perDepartment, $count: 'true', $filter: 'Sum ne null', $top: '1' }
    const reply = await get('/odata/Omsetning', query)
    expect(reply.json).toEqual({
      '@odata.context': 'http://localhost/odata/$metadata#Omsetning(AvdelingID,Sum)',
      '@odata.count': 3,
      value: [{ AvdelingID: null, Sum: 7 }],
    })
  })

  test.each([
    ['groupby((Avdeling/Navn,Avdeling/Id,AvdelingID))', '#Omsetning(Avdeling(Navn,Id),AvdelingID)'],
    ['filter(Omsetning gt 1)', '#Omsetning'],
    ['compute(Omsetning mul 2 as Dobbel)', '#Omsetning(*,Dobbel)'],
    ['aggregate($count as N)', '#Omsetning(N)'],
  ])('the context of %s', async ($apply, context) => {
    const reply = await get('/odata/Omsetning', { $apply })
    expect(reply.json['@odata.context']).toBe(`http://localhost/odata/$metadata${context}`)
  })

  test('a nested property is selected and ordered by its path', async () => {
    const query = {
      $apply: 'groupby((Avdeling/Navn,Avdeling/Id))',
      $select: 'Avdeling/Navn',
      $orderby: 'Avdeling/Id desc',
      $top: '2',
    }
    const rows = ['{"Avdeling":{"Navn":"Frø"}}', '{"Avdeling":{"Navn":"Hage"}}']
    expect(await rowsOf('/odata/Omsetning', query)).toEqual(rows)
  })

  test('output that is still entities can be expanded, selected and searched', async () => {
    const query = { $apply: 'search(a)/topcount(2,Id)', $select: 'Id', $expand: 'Avdeling($select=Navn)' }
    expect(await rowsOf('/odata/Ansatt', query)).toEqual([
      '{"Id":1,"Avdeling":{"Navn":"Byggevarer"}}',
      '{"Id":2,"Avdeling":{"Navn":"Byggevarer"}}',
    ])
  })

  test.each([
    ["Avdeling('10')/Ansatte", 'aggregate($count as N)', ['{"N":2}']],
    ['Avdeling', 'aggregate(Ansatte/$count as N)', ['{"N":2}']],
    [
      'Avdeling',
      'groupby((Navn),aggregate(Ansatte/$count as N))/orderby(N desc)/top(1)',
      ['{"Navn":"Byggevarer","N":2}'],
    ],
    ['Ansatt', 'aggregate(Avdeling with countdistinct as N)', ['{"N":1}']],
    ['Ansatt', 'groupby((Sluttet),aggregate(Id with max as M))', ['{"Sluttet":null,"M":3}']],
  ])('%s: %s', async (set, $apply, expected) => {
    expect(await rowsOf(`/odata/${set}`, { $apply })).toEqual(expected)
  })

  test('null properties are omitted where the client prefers that', async () => {
    const $apply = 'groupby((Avdeling/Navn,AvdelingID),aggregate(Omsetning with sum as S))'
    const address = addressOf('/odata/Omsetning', { $apply, $filter: 'S eq 7 or S eq null' })
    const headers = { prefer: 'omit-values=nulls' }
    const reply = await server.call('GET', address, { ...reader, headers })
    expect(reply.json.value).toEqual([
      { Avdeling: { Navn: null }, S: 7 },
      { Avdeling: { Navn: 'Frø' }, AvdelingID: '30' },
    ])
  })

  test('returns full metadata and IEEE754-compatible numbers', async () => {
    const $format = 'application/json;odata.metadata=full;IEEE754Compatible=true'
    const query = { $apply: perDepartment, $format, $top: '2', $count: 'true' }
    const reply = await get('/odata/Omsetning', query)
    expect(reply.json).toEqual({
      '@odata.context': 'http://localhost/odata/$metadata#Omsetning(AvdelingID,Sum)',
      '@odata.count': '4',
      value: [
        { AvdelingID: null, 'Sum@odata.type': '#Decimal', Sum: '7' },
        { AvdelingID: '10', 'Sum@odata.type': '#Decimal', Sum: '350.75' },
      ],
    })
    const none = { ...query, $format: 'application/json;odata.metadata=none;IEEE754Compatible=true' }
    expect((await get('/odata/Omsetning', none)).json.value).toEqual([
      { AvdelingID: null, Sum: '7' },
      { AvdelingID: '10', Sum: '350.75' },
    ])
  })

  test.each([
    [{ $search: 'x' }, 501, '$search:1'],
    [{ $expand: 'Avdeling' }, 400, '$expand:1'],
    [{ $select: 'Omsetning' }, 400, '$select:1'],
    [{ $filter: 'Summ gt 1' }, 400, '$filter:1'],
  ])('fields that $apply removed are unknown to later options: %j', async (query, status, target) => {
    const reply = await get('/odata/Omsetning', { $apply: perDepartment, ...query })
    expect([reply.status, reply.json.error.target]).toEqual([status, target])
  })

  test('aggregating an unknown record returns nothing', async () => {
    await expectStatus(get("/odata/Avdeling('99')/Ansatte", { $apply: 'aggregate($count as N)' }), 404)
  })

  test('plain clients get names as they spelled them', async () => {
    const $apply = 'groupby((avdelingid,avdeling/NAVN),aggregate($count as antall))'
    const [first] = await rowsOf('/omsetning/omsetning', { $apply, $filter: "avdelingid eq '10'" })
    expect(first).toBe('{"avdelingid":"10","avdeling":{"NAVN":"Byggevarer"},"antall":3}')
  })

  test('output rows have a total order, so that paging is stable', async () => {
    const $apply = 'concat(groupby((AvdelingID)),groupby((AvdelingID)),aggregate($count as N))/compute(1 as En)'
    const whole = await rowsOf('/odata/Omsetning', { $apply })
    expect(whole).toHaveLength(9)
    const paged: string[] = []
    let address: string | undefined = addressOf('/odata/Omsetning', { $apply })
    while (address !== undefined) {
      const headers = { prefer: 'odata.maxpagesize=2' }
      const reply: TestReply = await expectStatus(server.call('GET', address, { ...reader, headers }))
      paged.push(...reply.json.value.map((one: unknown) => JSON.stringify(one)))
      address = reply.json['@odata.nextLink']?.replace('http://localhost', '')
    }
    expect(paged).toEqual(whole)
  })

  describe('decimal results', () => {
    const largest = 99_999_999_999.9999
    let rich: CallOptions
    beforeAll(async () => {
      const company = await server.addCompany('RIK')
      rich = { as: company }
      const rows = Array.from({ length: 20 }, (_, index) =>
        day(`2024-01-${String(index + 1).padStart(2, '0')}`, '10', index < 10 ? largest : -largest),
      )
      await expectStatus(server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { ...rich, json: rows }))
    })

    const ask = ($apply: string) => server.call('GET', addressOf('/odata/Omsetning', { $apply }), rich)

    test.each([
      ['aggregate(Omsetning with sum as S)', '[{"S":0}]'],
      ['filter(Dato le 2024-01-09)/aggregate(Omsetning with sum as S)', '[{"S":899999999999.9991}]'],
      ['filter(Omsetning gt 0)/aggregate(Omsetning with average as A)', '[{"A":99999999999.9999}]'],
      ['topsum(99999999999.9999,Omsetning)/aggregate($count as N)', '[{"N":1}]'],
      ['bottompercent(1,Omsetning)/aggregate($count as N)', '[{"N":0}]'],
    ])('%s', async ($apply, rows) => {
      const reply = await ask($apply)
      expect(reply.text.slice(reply.text.indexOf('"value":') + 8, -1)).toBe(rows)
    })

    test.each([
      'filter(Omsetning gt 0)/aggregate(Omsetning with sum as S)',
      'filter(Omsetning lt 0)/aggregate(Omsetning with sum as S)/filter(S gt 1)',
      'filter(Omsetning gt 0)/groupby((AvdelingID),aggregate(Omsetning with sum as S))',
    ])('a sum out of range is rejected: %s', async ($apply) => {
      const reply = await ask($apply)
      expect([reply.status, reply.json.error.code, reply.json.error.target]).toEqual([
        400,
        'NumberOutOfRange',
        '$apply',
      ])
    })
  })

  test.each([
    ['groupby((Datoen))', 400, 'UnknownProperty', '$apply:10'],
    ['groupby((Dato))/filter(Omsetning gt 1)', 400, 'UnknownProperty', '$apply:24'],
    ['aggregate(Omsetning with summ as S)', 400, 'InvalidApply', '$apply:26'],
    ['aggregate(Merknad with sum as S)', 400, 'InvalidApply', '$apply:11'],
    ['aggregate(Omsetning)', 400, 'InvalidApply', '$apply:11'],
    ['aggregate(Forecast)', 400, 'UnknownProperty', '$apply:11'],
    ['groupby((Dato),aggregate($count as dato))', 400, 'InvalidApply', '$apply:36'],
    ['compute(1 as Dato)', 400, 'InvalidApply', '$apply:14'],
    ['topcount(0,Omsetning)', 400, 'InvalidApply', '$apply:10'],
    ['topcount(Omsetning,Omsetning)', 501, 'NotSupported', '$apply:10'],
    ['toppercent(101,Omsetning)', 400, 'InvalidApply', '$apply:12'],
    ['topsum(1,Merknad)', 400, 'InvalidApply', '$apply:10'],
    ['groupby((rollup(Dato)))', 400, 'InvalidApply', '$apply:10'],
    ['groupby((rollup(Avdeling,Dato)))', 501, 'NotSupported', '$apply:17'],
    ['aggregate(Avdeling/Prosjekter/Id with max as M)', 501, 'NotSupported', '$apply:20'],
    ['groupby((Dato))/search(x)', 501, 'NotSupported', '$apply:17'],
    [`${'concat(identity,identity,identity,identity)/'.repeat(3)}identity`, 400, 'FilterTooComplex', '$apply:89'],
    [`groupby((${'rollup(Dato,AvdelingID),'.repeat(500)}Dato))`, 400, 'FilterTooComplex', '$apply:1'],
    ['join(Avdeling as A)', 400, 'InvalidApply', '$apply:6'],
    ['identity/'.repeat(3) + 'top(1)/'.repeat(61) + 'identity', 400, 'FilterTooComplex', '$apply:441'],
  ] as const)('%s is rejected at its position', async ($apply, status, code, target) => {
    expectError(await get('/odata/Omsetning', { $apply }), status, code, { target })
  })

  describe('columns of steps', () => {
    const outcome = async (set: string, $apply: string) => {
      const { status, json } = await get(`/odata/${set}`, { $apply })
      return [status, json.error?.code ?? json.value.length > 0]
    }
    /** Each step adds a column of the one before. */
    const chain = (count: number, next: (name: string) => string, first = 'Omsetning add 1') =>
      Array.from(
        { length: count },
        (_, index) => `compute(${index === 0 ? first : next(`X${index - 1}`)} as X${index})`,
      )
    const double = (name: string) => `${name} add ${name}`

    test('cannot grow exponentially', async () => {
      expect(await outcome('Omsetning', chain(9, double).join('/'))).toEqual([200, true])
      expect(await outcome('Omsetning', chain(30, double).join('/'))).toEqual([400, 'FilterTooComplex'])
      const filters = Array.from({ length: 10 }, (_, index) => `X8 gt ${index}`)
      const filtered = [...chain(9, double), `filter(${filters.join(' or ')})`]
      expect(await outcome('Omsetning', filtered.join('/'))).toEqual([400, 'FilterTooComplex'])
      const related = chain(10, double, 'Id add 1').join('/')
      const joined = ['A/X9 add A/X9 as Y', 'Y add Y as Z'].map((item) => `compute(${item})`)
      const joins = [`join(Ansatte as A,${related})`, ...joined].join('/')
      expect(await outcome('Avdeling', joins)).toEqual([400, 'FilterTooComplex'])
    })

    test('may refer to each other in a long chain', async () => {
      expect(await outcome('Omsetning', chain(40, (name) => `${name} add 1`).join('/'))).toEqual([200, true])
    })

    test('are at most 90 in the result', async () => {
      const sums = (count: number) =>
        `aggregate(${Array.from({ length: count }, (_, index) => `Omsetning with sum as S${index}`).join(',')})`
      expect(await outcome('Omsetning', sums(90))).toEqual([200, true])
      expect(await outcome('Omsetning', sums(91))).toEqual([400, 'FilterTooComplex'])
    })

    test('of aggregates that are concatenated again and again are read at most 16 times', async () => {
      const totals = (count: number) =>
        Array.from({ length: count }, (_, index) => `concat(identity,aggregate($count as N${index}))`).join('/')
      expect(await outcome('Omsetning', totals(4))).toEqual([200, true])
      expect(await outcome('Omsetning', totals(10))).toEqual([400, 'FilterTooComplex'])
    })
  })

  test.each([
    ['Avdeling', 'Ansatte/Stillingsprosent with average', /^average or countdistinct over a coll/],
    ['Omsetning', 'Avdeling/Prosjekter/Id with max', /^aggregation of a collection that is reached/],
    ['Avdeling', 'Ansatte with countdistinct', /^countdistinct of a collection/],
  ])('the error names what is not supported: %s?$apply=aggregate(%s as A)', async (...row) => {
    const [set, aggregated, feature] = row
    const reply = await get(`/odata/${set}`, { $apply: `aggregate(${aggregated} as A)` })
    expect(reply.json.error).toMatchObject({ code: 'NotSupported', message: expect.stringMatching(feature) })
  })

  test.each([
    ['groupby((Adresse))', '$apply:10'],
    ['filter(Adresse ne null)/aggregate($count as N)', '$apply:8'],
    ['aggregate(Adresse with max as M)', '$apply:11'],
    ['compute(length(Adresse) as L)', '$apply:16'],
    ['topcount(1,Adresse)', '$apply:12'],
    ['orderby(Adresse)', '$apply:9'],
    ['concat(identity,groupby((Adresse)))', '$apply:26'],
  ])('personal fields require their scope in $apply too: %s', async ($apply, target) => {
    expectError(await get('/odata/Ansatt', { $apply }), 403, 'ScopeMissing', { target })
    await expectStatus(server.call('GET', addressOf('/odata/Ansatt', { $apply })))
  })

  test('TransaksjonsEksport does not support $apply', async () => {
    const $apply = 'aggregate($count as N)'
    expectError(await server.call('GET', addressOf('/odata/TransaksjonsEksport', { $apply })), 501, 'NotSupported')
  })
})
