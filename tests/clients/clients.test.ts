// Unmodified client programs in several languages: what they send is what is stored.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { buildHouse, type House } from '../support/server.ts'
import { isMet } from '../support/requirements.ts'
import { newTill } from '../support/revenue-client.ts'
import { programs } from './programs.ts'

describe.each(databases)('$name', (database) => {
  let house: House
  let address: string
  beforeAll(async () => {
    house = await buildHouse(database, 'clients')
    address = await house.server.listen(0, '127.0.0.1')
  })
  afterAll(() => house.close())

  for (const { language, need, run } of programs)
    test.runIf(need === undefined || isMet(need))(
      `${language}: every record is stored once, on its date, with its amount`,
      async () => {
        const till = await newTill(house)
        const { name, password } = till.company
        const meant = (await run(address, name, password)).trim().split(/\r?\n/)
        const stored = (await till.records()).map(
          ({ Dato, AvdelingID, Omsetning }) => `${Dato.slice(0, 10)} ${AvdelingID} ${Omsetning}`,
        )
        expect(stored.toSorted()).toEqual(meant.toSorted())
      },
    )
})
