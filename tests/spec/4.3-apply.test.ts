// What `$apply` makes of the records of a set (ADR 0075), on every database.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../_support/databases.ts'
import { fillDirectory } from '../_support/directory.ts'
import { buildHouse, type CallOptions, type House } from '../_support/house.ts'
import { addressOf, type Options } from '../_support/till.ts'

const day = (Dato: string, AvdelingID: string | null, Omsetning: number | null) => ({
  Dato,
  AvdelingID,
  Omsetning,
})

const takings = [
  day('2024-01-01', '10', 100.5),
  day('2024-01-15', '10', 200.25),
  day('2024-02-01', '10', 50),
  day('2024-01-02', '20', -10.0001),
  day('2024-02-03', '20', 0),
  day('2024-02-04', '30', null),
  day('2025-01-01', null, 7),
]

describe.each(databases)('what is made of records on $name', (database) => {
  let house: House
  let reader: CallOptions
  beforeAll(async () => {
    house = await buildHouse(database, 'apply')
    await fillDirectory(house, house.mine, {
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
    const saved = await house.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', {
      json: takings,
    })
    expect(saved.status, saved.text).toBe(200)
    const { secret } = await house.credential(house.mine, {
      kind: 'key',
      scopes: 'revenue:read,directory:read',
    })
    reader = { as: { ...house.mine, key: secret } }
  })
  afterAll(() => house.close())

  const get = (path: string, query: Options) => house.call('GET', addressOf(path, query), reader)

  const rowsOf = async (path: string, query: Options): Promise<string[]> => {
    const answer = await get(path, query)
    expect(answer.status, answer.text).toBe(200)
    return answer.json.value.map((one: unknown) => JSON.stringify(one))
  }

  test('one URL gives revenue per department and month', async () => {
    const $apply =
      'compute(year(Dato) as Aar,month(Dato) as Maaned)/groupby((AvdelingID,Aar,Maaned),aggregate(Omsetning with sum as Sum,$count as Antall))'
    const answer = await get('/odata/Omsetning', { $apply })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text.slice(answer.text.indexOf('#'))).toBe(
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
    ['aggregate(Dato with min as A,Dato with max as B)', ['{"A":"2024-01-01","B":"2025-01-01"}']],
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
  ])('%s', async ($apply, expected) => {
    expect(await rowsOf('/odata/Omsetning', { $apply })).toEqual(expected)
  })
})
