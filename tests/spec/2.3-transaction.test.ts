// The tables of material, and what is read of them before anything is registered (interface 2.3).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../_support/databases.ts'
import { buildHouse, type House } from '../_support/house.ts'

describe.each(databases)('2.3 a material transaction on $name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'transaction')
  })
  afterAll(() => house.close())

  test('2.3 is read under every root, with what it is about', async () => {
    for (const root of ['ansatt', 'prosjekt', 'omsetning', 'odata']) {
      const answer = await house.call(
        'GET',
        `/${root}/Transaksjon?$expand=Ansatt,Avdeling,Prosjekt,Anlegg&$filter=Antall gt 0`,
      )
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json.value).toEqual([])
    }
  })
})
