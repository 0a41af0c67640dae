// The audit in the app: who did what, for auditors and administrators of the company alone.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../_support/databases.ts'
import { newDepot } from '../_support/depot.ts'
import { buildHouse, type House } from '../_support/house.ts'
import { visit } from './visitor.ts'

const audit = '/app/data/revisjon'

describe.each(databases)('$name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'app-audit')
  })
  afterAll(() => house.close())

  test('a decision names the person and the lines, the latest entry first, page by page', async () => {
    const depot = await newDepot(house)
    const [a = 0] = await depot.register(1)
    const manager = await house.person([{ company: depot.company, role: 'admin' }])
    const visitor = await visit(house, manager)
    await visitor.act('POST', '/app/data/uttak/beslutt', { act: 'approve', ids: String(a) })
    const { rows } = (await visitor.get(audit)).json
    expect(rows).toMatchObject([
      { action: 'approve', actor: manager.email, data: JSON.stringify({ ids: String(a) }) },
      { action: 'register', actor: expect.stringMatching(/^key:/) },
    ])
    const next = (await visitor.get(audit, { before: String(rows[0].id) })).json.rows
    expect(next.map(({ action }: { action: string }) => action)).toEqual(['register'])
    expect((await visitor.get(audit, { before: '-1' })).status).toBe(400)
  })

  test('nobody reads another company’s, and no manager this one', async () => {
    const mine = await newDepot(house)
    const theirs = await newDepot(house)
    await theirs.register(2)
    const auditor = await house.person([{ company: mine.company, role: 'auditor' }])
    expect((await (await visit(house, auditor)).get(audit)).json.rows).toEqual([])
    const manager = await house.person([{ company: theirs.company, role: 'approver' }])
    expect((await (await visit(house, manager)).get(audit)).json.error.code).toBe('RoleMissing')
  })
})
