import { describe, expect, it } from 'vitest'
import type { CompanyId } from '../../model/resource.ts'
import { serviceSchema } from '../../../model/service-schema.ts'
import { revenue } from '../../../model/revenue.ts'
import type { ReadPlan } from '../../planner/read-plan.ts'
import { defaultRecordFormat } from '../../planner/record-format.ts'
import { jsonArraySerializer, xmlArraySerializer, type ArraySerializer } from './row-serializer.ts'

function planOf(dates: ReadPlan['dates']): ReadPlan {
  return {
    number: 0,
    resource: revenue,
    joins: [],
    computed: [],
    outerFields: new Set(),
    companyId: 1 as CompanyId,
    select: [
      { field: 'date', as: 'Dato' },
      { field: 'amount', as: 'omsetning' },
    ],
    selected: null,
    expand: [],
    filter: null,
    orderBy: [],
    skip: 0,
    top: null,
    count: false,
    dates,
    recordFormat: defaultRecordFormat,
    schema: serviceSchema,
    parent: null,
    etagField: null,
    apply: null,
    unionPlans: [],
    sources: new Map(),
    extraColumns: [],
    relationCount: 0,
    collectionCount: 0,
    values: [],
  }
}

function written(writer: ArraySerializer, batches: (string | number | null)[][][]) {
  return writer.start + batches.map((rows, index) => writer.rows(rows, index === 0)).join('') + writer.end
}

describe('rows', () => {
  it('are one JSON array, whatever batches they come in', () => {
    expect(written(jsonArraySerializer, [[['{"a":1}'], ['{"a":2}']], [['{"a":3}']]])).toBe('[{"a":1},{"a":2},{"a":3}]')
    expect(written(jsonArraySerializer, [])).toBe('[]')
  })

  it('are elements of one array in XML, null as xsi:nil', () => {
    const batches = [
      [
        ['2013-01-01', 12_345_000],
        [null, 1000],
      ],
      [['2013-01-02', 0]],
    ]
    expect(written(xmlArraySerializer(planOf('midnight')), batches)).toBe(
      '<?xml version="1.0" encoding="utf-8"?><ArrayOfOmsetning xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        '<Omsetning><Dato>2013-01-01T00:00:00</Dato><omsetning>1234.5</omsetning></Omsetning>' +
        '<Omsetning><Dato xsi:nil="true"/><omsetning>0.1</omsetning></Omsetning>' +
        '<Omsetning><Dato>2013-01-02T00:00:00</Dato><omsetning>0</omsetning></Omsetning></ArrayOfOmsetning>',
    )
  })
})
