// Interface 4.1: the query options of Finn, and the errors of queries that cannot be parsed.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { expectError } from '../support/replies.ts'
import { useTestServer } from '../support/server.ts'
import { newRevenueClient, type RevenueClient } from '../support/revenue-client.ts'
import { revenueNames } from '../support/revenue-record.ts'

/** Keys 1 to 7, in this order. */
const rows = [
  { Dato: '2013-01-01', AvdelingID: '20', Omsetning: 100, Merknad: 'Åpent til ti' },
  { Dato: '2013-01-01', AvdelingID: '21', Omsetning: 0, Merknad: "o'hara" },
  { Dato: '2013-01-02', AvdelingID: '20', Omsetning: -5.5, ipType: 'B' },
  { Dato: '2014-12-31', AvdelingID: 'a b', Omsetning: 99999999999.9999 },
  { AvdelingID: '20', Merknad: 'uten dag' },
  { Dato: '2013-01-03', Omsetning: 0.0001, Merknad: '100%_' },
  { Dato: '2012-02-29', AvdelingID: 'Å', Omsetning: 100 },
]
const all = [1, 2, 3, 4, 5, 6, 7]

describe.each(databases)('query options of Finn on $name', (database) => {
  const server = useTestServer(database, '4.1-query')
  let revenueClient: RevenueClient
  beforeAll(async () => {
    revenueClient = await newRevenueClient(server)
    const stored = await revenueClient.saveList(rows)
    expect(stored.json).toHaveLength(rows.length)
  })

  describe('$filter', () => {
    test.each<[string, number[]]>([
      // Dates, in every spelling.
      ["Dato eq datetime('2013-01-01')", [1, 2]],
      ["Dato eq datetime'2013-01-01'", [1, 2]],
      ["Dato eq datetime'2013-01-01T00:00:00'", [1, 2]],
      ['Dato eq 2013-01-01', [1, 2]],
      ['Dato eq 2013-01-01T00:00:00', [1, 2]],
      ['Dato eq 2013-01-01T00:00:00+01:00', [1, 2]],
      ['Dato eq 2012-12-31T23:00:00Z', [1, 2]],
      ["datetime('2013-01-01') eq Dato", [1, 2]],
      ["Dato ne datetime('2013-01-01')", [3, 4, 5, 6, 7]],
      ["Dato gt datetime('2013-01-01')", [3, 4, 6]],
      ["Dato ge datetime('2013-01-01')", [1, 2, 3, 4, 6]],
      ["Dato lt datetime('2013-01-01')", [7]],
      ["Dato le datetime('2013-01-01')", [1, 2, 7]],
      ["Dato ge datetime('2013-01-01') and Dato lt datetime('2013-01-03')", [1, 2, 3]],
      ["Dato in (datetime('2013-01-02'),2012-02-29)", [3, 7]],
      // A date counts as its midnight, and a literal keeps its time of day.
      ['Dato eq 2013-01-01T10:00:00', []],
      ['Dato lt 2013-01-01T10:00:00', [1, 2, 7]],
      ['Dato ge 2013-01-01T10:00:00', [3, 4, 6]],
      ['Dato lt 9999-12-31', [1, 2, 3, 4, 6, 7]],
      ['Dato gt 0001-01-01', [1, 2, 3, 4, 6, 7]],
      // Amounts.
      ['Omsetning eq 100', [1, 7]],
      ['Omsetning eq 100.0000', [1, 7]],
      ['Omsetning ne 100', [2, 3, 4, 5, 6]],
      ['Omsetning gt 0', [1, 4, 6, 7]],
      ['Omsetning ge -5.5', [1, 2, 3, 4, 6, 7]],
      ['Omsetning lt 0', [3]],
      ['Omsetning le 0.0001', [2, 3, 6]],
      ['Omsetning lt 0.00005', [2, 3]],
      ['Omsetning eq 0.00005', []],
      ['Omsetning in (100,-5.5)', [1, 3, 7]],
      ['Omsetning eq 99999999999.9999', [4]],
      ['Omsetning lt 1e30', [1, 2, 3, 4, 6, 7]],
      ['100 lt Omsetning', [4]],
      // Text, compared case-sensitively.
      ["AvdelingID eq '20'", [1, 3, 5]],
      ["AvdelingID ne '20'", [2, 4, 6, 7]],
      ["AvdelingID eq 'å'", []],
      ["AvdelingID eq 'Å'", [7]],
      ["AvdelingID gt '20'", [2, 4, 7]],
      ["AvdelingID lt '21'", [1, 3, 5]],
      ["AvdelingID in ('20','Å')", [1, 3, 5, 7]],
      ["AvdelingID in ('20','x','20')", [1, 3, 5]],
      ['AvdelingID in ()', []],
      ["Merknad eq 'o''hara'", [2]],
      ["ipType eq 'B'", [3]],
      ["ipType eq 'b'", []],
      // Keys, in both spellings.
      ['InntektsPlanId ge 6', [6, 7]],
      ['InntekstplanId in (2,4,4711)', [2, 4]],
      ['InntektsPlanId eq 2.5', []],
      ['InntektsPlanId gt 6.5', [7]],
      // Null.
      ['Dato eq null', [5]],
      ['Dato ne null', [1, 2, 3, 4, 6, 7]],
      ['AvdelingID eq null', [6]],
      ['AvdelingID ne null', [1, 2, 3, 4, 5, 7]],
      ['Omsetning eq null', [5]],
      ['null ne Omsetning', [1, 2, 3, 4, 6, 7]],
      ['Merknad eq null', [3, 4, 7]],
      ['Omsetning gt null', []],
      ['not (Omsetning gt null)', all],
      ['Omsetning in (null,0)', [2, 5]],
      ["AvdelingID lt '0'", []],
      ["AvdelingID eq ''", []],
      // Logical operators.
      ["ipType eq 'I' and AvdelingID eq '20'", [1, 5]],
      ["ipType eq 'B' or AvdelingID eq '21'", [2, 3]],
      ["ipType eq 'B' or AvdelingID eq '21' and Omsetning eq 100", [3]],
      ["(ipType eq 'B' or AvdelingID eq '21') and Omsetning eq 0", [2]],
      ["not (AvdelingID eq '20')", [2, 4, 6, 7]],
      ["not (AvdelingID eq '20' or Omsetning eq 100)", [2, 4, 6]],
      ['not (Omsetning gt 0)', [2, 3, 5]],
      ["not (not (AvdelingID eq '20'))", [1, 3, 5]],
      // Text functions.
      ["startswith(AvdelingID,'2')", [1, 2, 3, 5]],
      ["endswith(AvdelingID,'0')", [1, 3, 5]],
      ["contains(Merknad,'til')", [1]],
      ["substringof('til',Merknad)", [1]],
      ["contains(Merknad,'TIL')", []],
      ["contains(Merknad,'%')", [6]],
      ["contains(Merknad,'_')", [6]],
      ["endswith(Merknad,'%_')", [6]],
      ["startswith(Merknad,'')", [1, 2, 5, 6]],
      ["endswith(Merknad,'')", [1, 2, 5, 6]],
      ["contains(Merknad,'')", [1, 2, 5, 6]],
      ["startswith(Merknad,'Åpent') eq true", [1]],
      ["substringof('til',Merknad) eq false", [2, 5, 6]],
      ["not contains(Merknad,'til')", [2, 5, 6]],
      ['startswith(AvdelingID,null)', []],
      // Names in any letter case, spaces anywhere.
      ["  AVDELINGID   eq   '20'  ", [1, 3, 5]],
      ["(((avdelingid eq '20')))", [1, 3, 5]],
      ['true', all],
      ['false', []],
    ])('4.1 $filter=%s finds %j', async (filter, expected) => {
      expect(await revenueClient.idsWhere(filter)).toEqual(expected)
    })

    test('4.1 timestamps compare as UTC when the literal has no zone', async () => {
      const [{ SistEndretDato: last }] = await revenueClient.records({
        $select: 'SistEndretDato',
        $orderby: 'SistEndretDato desc',
        $top: '1',
      })
      expect(await revenueClient.idsWhere(`SistEndretDato eq ${last}`)).toEqual([7])
      expect(await revenueClient.idsWhere(`SistEndretDato ge ${last.slice(0, -1)}`)).toEqual([7])
      expect(await revenueClient.idsWhere(`SistEndretDato gt datetime'${last.slice(0, -1)}'`)).toEqual([])
      expect(await revenueClient.idsWhere('OpprettetDato gt 2020-01-01')).toEqual(all)
      expect(await revenueClient.idsWhere('OpprettetDato lt SistEndretDato')).toEqual([])
      expect(await revenueClient.idsWhere('OpprettetDato eq SistEndretDato')).toEqual(all)
    })

    test.each<[filter: string, code: string, target: string, status?: number]>([
      ["Dato eq '2024'", 'InvalidFilter', '$filter:9'],
      ["Dato eq datetime('2013-02-30')", 'InvalidFilter', '$filter:9'],
      ["Dato eq datetime('hei')", 'InvalidFilter', '$filter:18'],
      ['Dato eq 2024-04-30T22:30:00Z', 'AmbiguousDate', '$filter:9'],
      ["Omsetning gt '5'", 'InvalidFilter', '$filter:14'],
      ['Omsetning gt 5,5', 'InvalidFilter', '$filter:15'],
      ['AvdelingID eq 20', 'InvalidFilter', '$filter:15'],
      ["AvdelingID eq '20", 'InvalidFilter', '$filter:15'],
      ['AvdelingID eq "20"', 'InvalidFilter', '$filter:15'],
      ["Avdeling eq '20'", 'UnknownProperty', '$filter:1'],
      ["ipType eq 'I' and Dta eq null", 'UnknownProperty', '$filter:19'],
      ["AvdelingID = '20'", 'InvalidFilter', '$filter:12'],
      ["AvdelingID eq '20' AvdelingID eq '21'", 'InvalidFilter', '$filter:20'],
      ["(AvdelingID eq '20'", 'InvalidFilter', '$filter:1'],
      ["AvdelingID eq '20')", 'InvalidFilter', '$filter:19'],
      ['AvdelingID eq', 'InvalidFilter', '$filter:14'],
      ['AvdelingID', 'InvalidFilter', '$filter:1'],
      ["'20'", 'InvalidFilter', '$filter:1'],
      ['', 'InvalidFilter', '$filter:1'],
      ["contains(Omsetning,'1')", 'InvalidFilter', '$filter:10'],
      ['contains(Merknad)', 'InvalidFilter', '$filter:1'],
      ["not AvdelingID eq '20'", 'InvalidFilter', '$filter:1'],
      ["matchespattern(AvdelingID,'x')", 'NotSupported', '$filter:1', 501],
      ["AvdelingID has '1'", 'InvalidFilter', '$filter:12', 400],
    ])('4.1 $filter=%s is rejected with %s at %s', async (filter, code, target, status = 400) => {
      expectError(await revenueClient.find({ $filter: filter }), status, code, { target })
    })

    test('4.1 an unknown field in $filter is rejected with the closest known name', async () => {
      const reply = await revenueClient.find({ $filter: "AvdelngID eq '20'" })
      expect(reply.json.error.message).toContain('Did you mean "AvdelingID"?')
    })

    test('4.1 a chain of one operator counts as one node, however long; nodes and lists are limited', async () => {
      const chain = (length: number) => Array.from({ length }, (_, index) => `InntektsPlanId eq ${index}`).join(' or ')
      expect(await revenueClient.idsWhere(chain(400))).toEqual(all)
      expect(await revenueClient.idsWhere(Array(1500).fill('true').join(' or '))).toEqual(all)
      expect(await revenueClient.idsWhere(Array(1500).fill('true').join(' and '))).toEqual(all)
      const list = (length: number) => `InntektsPlanId in (${Array.from({ length }, (_, one) => one).join()})`
      expect(await revenueClient.idsWhere(list(1000))).toEqual(all)
      const tooLong = await revenueClient.find({ $filter: list(1001) })
      expect(tooLong.json.error.code).toBe('FilterTooComplex')
      for (const filter of [
        Array(2020).fill('true').join(' or '),
        `${'('.repeat(40)}true${')'.repeat(40)}`,
        `${'not '.repeat(40)}true`,
      ]) {
        const reply = await revenueClient.find({ $filter: filter })
        expectError(reply, 400, 'FilterTooComplex')
        expect(reply.json.error.target).toMatch(/^\$filter:\d+$/)
      }
    })

    test('4.1 no $filter can reach the records of another company', async () => {
      await server.call('POST', '/dev/Omsetning/Lagre', { as: server.tenantB, json: rows[0] })
      for (const filter of ['companyId eq 1', 'true or companyId eq 2'])
        expect((await revenueClient.find({ $filter: filter })).json.error.code).toBe('UnknownProperty')
      expect(await revenueClient.idsWhere('true or true')).toEqual(all)
    })
  })

  describe('$select', () => {
    test.each<[string, readonly string[]]>([
      ['Omsetning', ['Omsetning']],
      ['Omsetning,Dato', ['Omsetning', 'Dato']],
      [' omsetning , DATO ', ['Omsetning', 'Dato']],
      ['InntekstplanId', ['InntektsPlanId']],
      ['Dato,Dato', ['Dato']],
      ['*', revenueNames],
      ['SistEndretDato,OpprettetDato', ['SistEndretDato', 'OpprettetDato']],
    ])('4.1 $select=%s returns the fields %j', async (select, fields) => {
      const records = await revenueClient.records({ $select: select })
      for (const record of records) expect(Object.keys(record)).toEqual(fields)
      expect(records).toHaveLength(rows.length)
    })

    test.each([
      ['Omsetnin', 'UnknownProperty', '$select:1'],
      ['Dato,Firma', 'UnknownProperty', '$select:6'],
      ['Dato,', 'InvalidSelect', '$select:6'],
      ['', 'InvalidSelect', '$select:1'],
      ['Dato Omsetning', 'InvalidSelect', '$select:6'],
    ])('4.1 $select=%s is rejected with %s at %s', async (select, code, target) => {
      expectError(await revenueClient.find({ $select: select }), 400, code, { target })
    })
  })

  describe('$orderby', () => {
    test.each<[string, number[]]>([
      ['InntektsPlanId desc', [7, 6, 5, 4, 3, 2, 1]],
      ['Omsetning', [5, 3, 2, 6, 1, 7, 4]],
      ['Omsetning asc', [5, 3, 2, 6, 1, 7, 4]],
      ['Omsetning desc', [4, 1, 7, 6, 2, 3, 5]],
      ['Omsetning desc,InntektsPlanId desc', [4, 7, 1, 6, 2, 3, 5]],
      ['Dato', [5, 7, 1, 2, 3, 6, 4]],
      // Records of one date by department and type, in the same direction.
      ['Dato desc', [4, 6, 3, 2, 1, 7, 5]],
      ['Dato desc,AvdelingID desc', [4, 6, 3, 2, 1, 7, 5]],
      // By code point, on both databases.
      ['AvdelingID', [6, 1, 3, 5, 2, 4, 7]],
      [' avdelingid   DESC'.replace('DESC', 'desc'), [7, 4, 2, 1, 3, 5, 6]],
      ['ipType,Dato', [3, 5, 7, 1, 2, 6, 4]],
      ['SistEndretDato desc', [7, 6, 5, 4, 3, 2, 1]],
    ])('4.1 $orderby=%s gives the order %j, nulls first when ascending', async (orderby, expected) => {
      expect(await revenueClient.idsWhere('true', { $orderby: orderby })).toEqual(expected)
    })

    test.each([
      ['Omsetnin', 'UnknownProperty', '$orderby:1'],
      ['Dato ned', 'InvalidOrderBy', '$orderby:6'],
      ['Dato,', 'InvalidOrderBy', '$orderby:6'],
      ['', 'InvalidOrderBy', '$orderby:1'],
    ])('4.1 $orderby=%s is rejected with %s at %s', async (orderby, code, target) => {
      expectError(await revenueClient.find({ $orderby: orderby }), 400, code, { target })
    })
  })

  describe('$top, $skip and $count', () => {
    test.each<[Record<string, string>, number[]]>([
      [{ $top: '2' }, [1, 2]],
      [{ $top: '0' }, []],
      [{ $top: '9007199254740991' }, all],
      [{ $skip: '0', $top: '2' }, [1, 2]],
      [{ $skip: '5' }, [6, 7]],
      [{ $skip: '7' }, []],
      [{ $skip: '2', $top: '2' }, [3, 4]],
      [{ $skip: '1', $top: '2', $orderby: 'Omsetning desc' }, [1, 7]],
      [{ top: '1', skip: '1' }, [2]],
    ])('4.1 %j returns the records %j', async (query, expected) => {
      expect(await revenueClient.idsWhere('true', query)).toEqual(expected)
    })

    test('4.1 the record of a cell is skipped by $skip=1 only, before and after reads of it without $skip', async () => {
      const cell = "Dato eq 2013-01-01 and ipType eq 'I' and AvdelingID eq '20'"
      for (const [skip, ids] of [
        ['0', [1]],
        ['1', []],
        [null, [1]],
        ['1', []],
        ['0', [1]],
      ] as const)
        expect(await revenueClient.idsWhere(cell, skip === null ? {} : { $skip: skip })).toEqual(ids)
    })

    test.each(['-1', '1e3', '9007199254740992', '', ' ', 'ti', '1 2', '1.0', '+1', '0x1', '٣'])(
      '4.1 $top=%s is rejected, and so is $skip',
      async (value) => {
        for (const name of ['$top', '$skip'])
          expectError(await revenueClient.find({ [name]: value }), 400, 'InvalidTop', { target: name })
      },
    )

    test('4.1 $count=true returns the total in X-Total-Count, independent of $top and $skip', async () => {
      const reply = await revenueClient.find({ $count: 'true', $top: '1', $skip: '1', $filter: 'Omsetning eq 100' })
      expect(reply.headers['x-total-count']).toBe('2')
      expect(reply.json).toHaveLength(1)
      expect((await revenueClient.find({ $count: 'TRUE' })).headers['x-total-count']).toBe('7')
      expect((await revenueClient.find({ $count: 'false' })).headers['x-total-count']).toBeUndefined()
      expect((await revenueClient.find()).headers['x-total-count']).toBeUndefined()
      expect((await revenueClient.find({ $count: 'ja' })).json.error).toMatchObject({
        code: 'InvalidQueryOption',
        target: '$count',
      })
    })
  })

  describe('parameters', () => {
    test('ADR 0008 an unknown parameter is ignored and named, because clients add cache busters', async () => {
      for (const name of ['_', 'utm_source', 'cb', 'page', 't', 'keyword', 'Blåbær=1\r\n']) {
        const reply = await revenueClient.find({ [name]: '1699999999' })
        expect(reply.status, name).toBe(200)
        const parameter = name.replace(/=.*/s, '…')
        expect(reply.headers['x-ignored-parameters']).toBe(encodeURIComponent(parameter))
      }
      expect((await revenueClient.find()).headers).not.toHaveProperty('x-ignored-parameters')
      const many = await revenueClient.call(
        'GET',
        `/odata/Omsetning?${Array.from({ length: 30 }, (_, index) => `x${index}`).join('&')}`,
      )
      expect(many.headers['x-ignored-parameters']?.split(', ')).toHaveLength(20)
    })

    test.each([
      ['$foo', undefined],
      ['$expand', undefined],
      ['$fliter', '$filter'],
      ['fliter', '$filter'],
      ['orderyb', '$orderby'],
      ['slect', '$select'],
      ['passor', 'passord'],
      ['firma[]', 'firma'],
      ['order', '$orderby'],
      ['filterBy', '$filter'],
    ])('ADR 0008 %s looks mistyped and is rejected', async (name, nearest) => {
      const reply = await revenueClient.find({ [name]: '1' })
      expectError(reply, 400, 'UnknownQueryOption', { target: name })
      if (nearest !== undefined) expect(reply.json.error.message).toContain(`"${nearest}"`)
    })

    test.each([
      ['$top=1&$top=1', '$top'],
      ['$top=1&top=2', '$top'],
      ['$TOP=1&%24top=1', '$top'],
      ['x=1&x=2', 'x'],
      ['x=1&X=2', 'X'],
      ['firma=a&Firma=b', 'firma'],
    ])('ADR 0008 %s repeats a parameter and is rejected, at %s', async (query, target) => {
      const reply = await revenueClient.call('GET', `/dev/Omsetning/Finn?${query}`)
      expectError(reply, 400, 'DuplicateParameter', { target })
    })

    test.each([
      ['$filter=%', 'InvalidEncoding'],
      ['$filter=%zz', 'InvalidEncoding'],
      ['$filter=%ff', 'InvalidUtf8'],
      ['$filter=%c0%af', 'InvalidUtf8'],
      ["$filter=AvdelingID+eq+'%00'", 'InvalidCharacter'],
      ["$filter=AvdelingID+eq+'%01'", 'InvalidCharacter'],
    ])('ADR 0008 %s is rejected with %s', async (query, code) => {
      expectError(await revenueClient.call('GET', `/dev/Omsetning/Finn?${query}`), 400, code, { target: '$filter' })
    })
  })
})
