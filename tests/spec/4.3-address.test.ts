// Addresses below a service root that are none, or say what only `Finn` takes: refused for what they are.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../_support/databases.ts'
import { buildHouse, type House } from '../_support/house.ts'

describe.each(databases)('addresses below a service root on $name', (database) => {
  let house: House
  beforeAll(async () => {
    house = await buildHouse(database, 'address')
  })
  afterAll(() => house.close())

  test.each([
    ['/ansatt/Ansatt(1', 400, 'InvalidPath', 'path:9'],
    ['/ansatt/Ansatt(1)/$count/Navn', 400, 'InvalidPath', 'path:18'],
    ["/odata/Avdeling('a')/Navn('b'c')", 400, 'InvalidPath', 'path:23'],
    ['/odata/$crossjoin(Ansatt,Avdeling)', 501, 'NotSupported', 'path:1'],
    ['/odata/Ansatt(1)/Dagsverk.Ansatt', 501, 'NotSupported', 'path:11'],
    ["/odata/Omsetning?$filter=Dato eq datetime('2013-01-01')", 400, 'InvalidFilter', '$filter:9'],
    ['/odata/Ukjent', 404, 'NotFound', undefined],
    ['/odata/Ansatt(1)/Ukjent', 404, 'NotFound', undefined],
    ['/elsewhere/Ansatt(1', 404, 'NotFound', undefined],
  ])('4.3 %s is %i %s', async (address, status, code, target) => {
    const answer = await house.call('GET', address)
    expect(answer.status).toBe(status)
    expect(answer.json.error).toMatchObject({ code, ...(target === undefined ? {} : { target }) })
  })
})
