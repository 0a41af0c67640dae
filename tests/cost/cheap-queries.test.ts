// ADR 0015: which reads SQLite runs on the server's own thread; and that range scans do use an index.
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReadPlan } from '../../src/engine/planner/read-plan.ts'
import {
  classifyCountQuery,
  classifyRowQuery,
  unknownSizes,
  type CheapQueryKind,
} from '../../src/store/is-cheap-query.ts'
import { readParameters, skipScanDaysStatement } from '../../src/store/read.ts'
import { orderValues } from '../../src/store/order-values.ts'
import { useEmptyFile } from '../support/empty-file.ts'
import { exportListPlan, finnPlanOf, planOf } from '../support/plans.ts'

const date = "datetime('2024-05-01')"
const later = "datetime('2024-06-01')"
const stamp = '2024-05-01T00:00:00Z'
const logCell = "Dato eq 2024-05-01 and AvdelingID eq '20' and ipType eq 'I'"

/** Statistics of a file too large to scan, where every index value matches many records. */
const large = { pages: () => 1_000_000, isFew: () => false, isShortChangeLog: () => true, skipScanDays: () => 4001 }

type Case = readonly [read: string, query: string, CheapQueryKind | null]

const casesByReason: Readonly<Record<string, readonly Case[]>> = {
  'filter and order follow the primary key': [
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato`, 'range'],
    ['Finn', `$filter=Dato ge ${date} and Dato lt ${later}&$orderby=Dato`, 'range'],
    ['Finn', `$filter=Dato lt ${later} and Dato ge ${date}&$orderby=Dato desc&$top=100`, 'range'],
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato,AvdelingID&$top=100`, 'range'],
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato,AvdelingID&$top=10000`, 'range'],
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato desc,AvdelingID desc,ipType desc`, 'range'],
    ['Finn', '$orderby=Dato&$top=100', 'range'],
  ],
  'the page and what it skips are at most 10,000 records': [
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato&$top=9000&$skip=1000`, 'range'],
  ],
  'the page and what it skips are more than 10,000 records': [
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato&$top=9000&$skip=1001`, null],
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato&$skip=20000`, null],
  ],
  'no index is in the order of mixed directions, or of another field': [
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato,AvdelingID desc&$top=100`, null],
    ['Finn', `$filter=Dato ge ${date}&$orderby=Dato,Omsetning&$top=100`, null],
    ['Finn', `$filter=Dato ge ${date}&$top=100`, null],
    ['Finn', `$filter=SistEndretDato gt ${stamp}`, null],
    ['Omsetning', `$filter=Dato ge 2024-05-01&$orderby=Avdeling/Navn&$top=100`, null],
    ['Ansatt', '$orderby=Fornavn&$top=5', null],
  ],
  'from above, a scan of dates would run to the last record without a date': [
    ['Finn', `$filter=Dato lt ${date}&$orderby=Dato desc&$top=100`, null],
  ],
  'other conditions may match no record': [
    ['Finn', `$filter=Dato ge ${date} and Omsetning gt 5&$orderby=Dato&$top=100`, null],
    ['Finn', `$filter=Dato ge ${date} or AvdelingID eq '20'&$orderby=Dato&$top=100`, null],
    ['Finn', `$filter=Dato ge ${date} and contains(Merknad,'x')&$orderby=Dato&$top=100`, null],
    ['Transaksjon', "$filter=Status eq 'Godkjent' and Antall gt 5&$top=50", null],
  ],
  'an index is searched by one bound in each direction; others are checked record by record': [
    ['Finn', '$filter=InntektsPlanId gt 0 and InntektsPlanId gt 900&$top=1', null],
    ['Finn', '$filter=InntektsPlanId gt 0 and InntektsPlanId lt 900 and InntektsPlanId lt 5', null],
    ['Finn', `$filter=Dato ge ${date} and Dato gt ${later}&$orderby=Dato&$top=100`, null],
    ['OmsetningLogg', "$filter=Av eq 'a' and Av eq 'b'", null],
    ['OmsetningLogg', "$filter=Av eq 'a' and Av gt 'b'", null],
  ],
  'filter and order follow the index of the key': [
    ['Finn', '', 'range'],
    ['Finn', '$filter=InntektsPlanId ge 200&$top=100', 'range'],
    ['OmsetningLogg', '$filter=Id gt 100&$top=100', 'range'],
    ['Ansatt(7)/Avdeling', '', 'range'],
  ],
  'filter and order follow another index': [
    ['Finn', `$filter=SistEndretDato gt ${stamp}&$orderby=SistEndretDato&$top=100`, 'range'],
    ['Finn', '$orderby=SistEndretDato desc&$top=1', 'range'],
    ['Ansatt', "$filter=AvdelingId eq '1'&$orderby=Id desc", 'range'],
    ['Ansatt', `$filter=SistEndretDato gt ${stamp}&$orderby=SistEndretDato`, 'range'],
    ['Anlegg', "$filter=EksternId eq 'x'", 'range'],
    ['Transaksjon', "$filter=Status eq 'Godkjent'&$top=50", 'range'],
    ['Transaksjon', "$filter=Status eq 'Godkjent' and Dato ge 2024-05-01&$orderby=Dato", 'range'],
  ],
  'the filter fixes the first field of the primary key': [
    ['Finn', `$filter=Dato eq ${date} and ipType eq 'I' and AvdelingID eq '20'`, 'lookup'],
    ['Finn', `$filter=Dato eq ${date} and AvdelingID gt '20'&$orderby=Dato,AvdelingID`, 'lookup'],
    ['Finn', `$filter=Dato eq ${date}`, 'lookup'],
    ['Finn', `$filter=Dato eq ${date} and contains(Merknad,'x')`, 'lookup'],
    ['Finn', `$filter=Dato in (${date},${later}) and Omsetning gt 5`, 'lookup'],
  ],
  'the filter fixes the key': [['Finn', '$filter=InntektsPlanId in (1,2,3)', 'lookup']],
  'chains may be long': [
    ['OmsetningLogg', `$filter=${logCell}&$top=5`, null],
    ['OmsetningLogg', '$filter=Dato ge 2024-05-01&$top=5', null],
  ],
  'no index begins with a field of the filter': [
    ['Finn', "$filter=AvdelingID eq '20'", null],
    ['Finn', "$filter=AvdelingID eq '20'&$orderby=Dato&$top=100", null],
    ['Finn', `$filter=OpprettetDato ge ${stamp}`, null],
    ['Finn', "$filter=ipType eq 'I'", null],
    ['OmsetningLogg', `$filter=Tid gt ${stamp}`, null],
    ['Ansatt', "$filter=Fornavn eq 'Kari'", null],
  ],
  'a relation to one record is looked up by its key': [
    ['Omsetning', `$filter=Dato ge 2024-05-01&$orderby=Dato&$expand=Avdeling`, 'range'],
    ['Omsetning', `$filter=InntektsPlanId ge 5&$top=100&$expand=Avdeling($select=Navn)`, 'range'],
    ['Ansatt', '$expand=Avdeling', 'range'],
    ['Ansatt', '$filter=Id ge 5&$orderby=Id&$top=100&$expand=Avdeling($select=Navn)', 'range'],
    ['Prosjekt', "$filter=AnleggId eq '1'&$expand=Avdeling,Anlegg", 'range'],
    ['Prosjekt', "$filter=Id ge '1'&$orderby=Id&$top=100&$expand=Avdeling,Anlegg", 'range'],
  ],
  'a relation to many records has any number of them': [['Avdeling', '$expand=Ansatte', null]],
  'an aggregation reads all records': [['Omsetning', `$apply=aggregate(Omsetning with sum as Sum)`, null]],
  'the lines of a destination are not known to be few': [['TransaksjonsEksport', '', null]],
}

const cases = Object.entries(casesByReason).flatMap(([reason, list]) =>
  list.map(([read, query, expected]) => [read, query, expected, reason] as const),
)

function plan(read: string, query: string): ReadPlan {
  if (read === 'Finn') return finnPlanOf(query)
  return read === 'TransaksjonsEksport' ? exportListPlan(query) : planOf(read, query)
}

describe('isCheapQuery', () => {
  const file = useEmptyFile('cheap')
  beforeAll(() => {
    file.sqlite.pragma('foreign_keys = off')
    const insert = file.sqlite.prepare(
      `insert into revenue ("companyId", id, date, kind, "departmentId", "changedAt", "createdAt", "cellRank")
       values (3, ?, ?, 'I', '30', 1, 1, ?)`,
    )
    for (const [index, day] of ['', '2024-05-01', '2024-05-10'].entries()) insert.run(index, day, index)
  })

  test.each(cases)('%s?%s: %s, because %s', (read, query, expected) => {
    const planned = plan(read, query)
    expect(classifyRowQuery(planned, large)).toBe(expected)
    if (expected !== 'range') return
    const steps = file.stepsOf(planned).join('\n')
    expect(steps).not.toContain('TEMP B-TREE')
    // The first entry of a change log is found by bisection.
    expect(steps).not.toMatch(/SCAN (?!half|CONSTANT)/)
  })

  test.each(cases.filter(([, , expected]) => expected === 'range'))(
    'the number of records of %s?%s is not bounded by a page',
    (read, query) => {
      expect(classifyCountQuery(plan(read, query), large)).not.toBe('range')
    },
  )

  test('an index lookup is cheap when the index statistics say that it matches few records', () => {
    const plans: ReadPlan[] = []
    const few = { ...large, isFew: (part: ReadPlan) => plans.push(part) > 0 }
    const reads = [
      plan('Finn', `$filter=SistEndretDato gt ${stamp}`),
      plan('Finn', `$filter=Dato ge ${date} and contains(Merknad,'x')&$orderby=Omsetning`),
      plan('TransaksjonsEksport', ''),
    ]
    for (const read of reads) {
      expect(classifyRowQuery(read, few)).toBe('few')
      expect(classifyCountQuery(read, few)).toBe('few')
    }
    // Conditions without an index are checked on what the index finds.
    expect(plans.map(({ filter }) => JSON.stringify(filter))).toEqual(
      ['changedAt', 'changedAt', 'date', 'date', 'destinationId', 'destinationId'].map((field) =>
        expect.stringMatching(new RegExp(`^[^}]*"field":"${field}"(?!.*"kind":"(text|field)".*"field")`)),
      ),
    )
  })

  test('a page of a change log is cheap when few of its entries are superseded', () => {
    const long = { ...large, isShortChangeLog: () => false }
    for (const query of [`$filter=SistEndretDato gt ${stamp}&`, '']) {
      const read = plan('Finn', `${query}$orderby=SistEndretDato&$top=100`)
      expect(classifyRowQuery(read, large)).toBe('range')
      expect(classifyRowQuery(read, long)).toBeNull()
    }
    expect(classifyRowQuery(plan('Finn', `$filter=Dato ge ${date}&$orderby=Dato`), long)).toBe('range')
  })

  test('a filter that uses two indexes is cheap only if the statistics of both say so', () => {
    const read = plan('Finn', `$filter=Dato ge ${date} and SistEndretDato gt ${stamp}`)
    const queries: string[] = []
    const isFew = (part: ReadPlan) => {
      queries.push(JSON.stringify(part.filter).includes('changedAt') ? 'changedAt' : 'date')
      return queries.at(-1) === 'date'
    }
    expect(classifyRowQuery(read, { ...large, isFew })).toBeNull()
    expect(queries).toEqual(['date', 'changedAt'])
  })

  test('chains are cheap when the statistics say that they are short, and one chain always on PostgreSQL', () => {
    const few = { ...large, isFew: () => true }
    for (const filter of [logCell, `${logCell} and Id gt 5`, 'Dato eq 2024-05-01']) {
      const read = plan('OmsetningLogg', `$filter=${filter}&$top=5`)
      expect(classifyRowQuery(read, few)).toBe('few')
      expect(classifyRowQuery(read, unknownSizes)).toBe(filter.startsWith(logCell) ? 'few' : null)
    }
  })

  test.each<[expected: CheapQueryKind | null, whenFewMatch: CheapQueryKind | null, query: string]>([
    ['few', 'few', "$filter=AvdelingID eq '20'&$orderby=Dato&$top=100"],
    ['few', 'few', "$filter=AvdelingID eq '20' and ipType eq 'I'&$orderby=Dato desc&$top=100"],
    ['few', 'few', `$filter=AvdelingID eq '20' and Dato ge ${date}&$orderby=Dato,AvdelingID&$top=100`],
    [null, 'few', "$filter=AvdelingID eq '20'&$orderby=Dato"],
    [null, 'few', "$filter=AvdelingID eq '20'&$orderby=Dato&$top=100&$skip=9901"],
    [null, 'few', "$filter=AvdelingID eq '20'&$top=100"],
    [null, 'few', "$filter=AvdelingID eq '20' and Omsetning gt 5&$orderby=Dato&$top=100"],
    // The first day before it is found after all records without a date.
    [null, null, `$filter=AvdelingID eq '20' and Dato lt ${date}&$orderby=Dato&$top=100`],
    [null, null, "$filter=ipType eq 'I'&$orderby=Dato&$top=100"],
    [null, null, "$filter=AvdelingID gt '20'&$orderby=Dato&$top=100"],
  ])('of a department with records in few days: %s, and %s if those are few: %s', (expected, whenFewMatch, query) => {
    const read = plan('Finn', query)
    const counted: ReadPlan[] = []
    const days = { ...large, skipScanDays: () => 4000 }
    const few = { ...days, isFew: (part: ReadPlan) => counted.push(part) > 0 }
    expect(classifyRowQuery(read, days)).toBe(expected)
    expect(classifyRowQuery(read, few)).toBe(whenFewMatch)
    expect(classifyCountQuery(read, few)).toBe(whenFewMatch)
    expect(JSON.stringify(counted.map(({ filter }) => filter))).not.toContain('amount')
    expect(classifyRowQuery(read, large)).toBeNull()
  })

  test.each([
    ['', 10],
    [` and Dato ge ${date}`, 10],
    [` and Dato gt ${date}`, 1],
    [` and Dato ge ${date} and Dato lt datetime('2024-05-10')`, 1],
    [` and Dato gt ${later}`, null],
  ])('the days of a department%s are counted from the ends of the primary key', (bounds, days) => {
    const read = plan('Finn', `$filter=AvdelingID eq '20'${bounds}&$orderby=Dato&$top=100`)
    const counting = skipScanDaysStatement(read)
    const searches = file.explain(counting).filter((step) => step.includes('revenue') || step.includes('t0'))
    expect(searches).toHaveLength(2)
    for (const step of searches) expect(step).toMatch(/^SEARCH t0 USING PRIMARY KEY \(companyId=\? AND date>\?/)
    const compiled = counting.compiled('sqlite')
    const values = orderValues(compiled, { ...readParameters(read), companyId: 3 })
    const row = file.sqlite.prepare(compiled.sql).get(...values)
    expect(row).toEqual({ days })
  })

  test('in a small file every read of a single set is cheap', () => {
    const small = { ...large, pages: () => 100 }
    expect(classifyRowQuery(plan('Finn', "$filter=AvdelingID eq '20'"), small)).toBe('small')
  })
})
