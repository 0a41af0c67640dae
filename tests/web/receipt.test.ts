// Receipt of a retrieval: escapes every text, and prints the checksum of its lines.
import type { ExportLineDetails } from '../../src/app/contract/export.ts'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { getChecksumText, renderReceipt, type Receipt } from '../../web/features/export/receipt.ts'
import { receiptTexts } from '../../web/features/export/receipt-i18n.ts'

function line(id: number, more: Partial<ExportLineDetails> = {}): ExportLineDetails {
  return {
    id,
    revision: 1,
    materialId: id,
    lineKind: 'Original',
    reversesId: null,
    replacesId: null,
    date: '2026-11-12',
    employeeId: null,
    departmentId: '20',
    projectId: 'P003',
    siteId: null,
    itemId: 'A1',
    itemName: 'Gips',
    quantity: 25_000,
    unit: 'stk',
    costPrice: null,
    salesPrice: null,
    isBillable: null,
    amount: 1_255_000,
    remark: null,
    source: 'lager',
    sourceExternalId: null,
    generation: 1,
    state: 'exported',
    readyAt: 0,
    postingDate: '2026-11-12',
    approvedAt: 0,
    approvedBy: 'key:a',
    acknowledgedAt: 0,
    acknowledgedBy: 'key:a',
    failures: 0,
    parkedAt: null,
    externalId: `B-${id}`,
    exportKey: `T${id}.r1`,
    ...more,
  }
}

function hashOf(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}

function receipt(lines: readonly ExportLineDetails[], hash = hashOf(getChecksumText(lines))): Receipt {
  return {
    retrieval: {
      id: 6,
      destinationId: 1,
      actor: 'key:a',
      at: 0,
      query: null,
      lastLineId: lines.length,
      count: lines.length,
      quantity: '5',
      amount: '251',
      hash,
      requestId: 'r-1',
      claimId: null,
      claimState: null,
      expiresAt: null,
    },
    lines,
    company: 'Fjord & Co',
    currency: 'NOK',
    zone: 'Europe/Oslo',
    destination: 'Regnskap',
    by: 'nøkkel a',
    query: 'alt som ventet',
    states: { ready: 'Klart', exported: 'Eksportert', closed: 'Lukket', withdrawn: 'Trukket' },
    madeAt: 0,
  }
}

describe.each(['nb', 'en'] as const)('receipt in %s', (language) => {
  const t = receiptTexts[language]
  const render = (of: Receipt) => renderReceipt(of, t, language)

  test('lines are sorted by id, and their text matches the checksum', async () => {
    const text = await render(receipt([line(10), line(9, { revision: 2 })]))
    expect(text).toContain('<p id="content">9:2,10:1,</p>')
    expect(text).toContain(t.matches)
    expect(text).toContain(createHash('sha256').update('9:2,10:1,').digest('hex'))
    expect(text.indexOf('T9.r1')).toBeLessThan(text.indexOf('T10.r1'))
  })

  test('a checksum that does not match the lines is reported', async () => {
    const text = await render(receipt([line(1)], hashOf('2:1,')))
    expect(text).toContain(t.differs)
    expect(text).not.toContain(t.matches)
  })

  test('with missing lines the checksum cannot be verified', async () => {
    const whole = receipt([line(1)])
    const text = await render({ ...whole, retrieval: { ...whole.retrieval, count: 2 } })
    expect(text).toContain(t.incomplete('1', '2'))
    expect(text).not.toContain('id="content"')
  })

  test('sums by department and project are exact, with a row for lines without a code', async () => {
    const lines = [line(1), line(2, { projectId: null }), line(3, { amount: null })]
    const text = await render(receipt(lines))
    const row = (name: string, count: string, sum: RegExp) =>
      new RegExp(`<td>${name}</td><td class="number">${count}</td><td class="number">${sum.source}`)
    expect(text).toMatch(row('20', '3', /251[.,]00/))
    expect(text).toMatch(row('P003', '2', /125[.,]50/))
    expect(text).toMatch(row(t.without, '1', /125[.,]50/))
  })

  test('texts of lines are escaped', async () => {
    const hostile = '<img src=x onerror=alert(1)>"&'
    const text = await render({
      ...receipt([line(1, { itemName: hostile, externalId: hostile, departmentId: hostile })]),
      company: hostile,
      destination: hostile,
      by: hostile,
      query: hostile,
    })
    expect(text).not.toContain('<img')
    expect(text).not.toMatch(/<script|onerror=alert\(1\)>/)
    expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;&quot;&amp;')
  })
})
