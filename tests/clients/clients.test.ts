// Unmodified client programs in several languages: what they send is what is stored.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { useTestServer } from '../support/server.ts'
import { isAvailable } from '../support/requirements.ts'
import { newRevenueClient } from '../support/revenue-client.ts'
import { programs } from './programs.ts'

describe.each(databases)('$name', (database) => {
  const server = useTestServer(database, 'clients')
  let address: string
  beforeAll(async () => {
    address = await server.http.listen(0, '127.0.0.1')
  })

  for (const { language, requirement, run } of programs)
    test.runIf(requirement === undefined || isAvailable(requirement))(
      `${language}: every record is stored once, on its date, with its amount`,
      async () => {
        const revenueClient = await newRevenueClient(server)
        const { name, password } = revenueClient.company
        const meant = (await run(address, name, password)).trim().split(/\r?\n/)
        const stored = (await revenueClient.records()).map(
          ({ Dato, AvdelingID, Omsetning }) => `${Dato.slice(0, 10)} ${AvdelingID} ${Omsetning}`,
        )
        expect(stored.toSorted()).toEqual(meant.toSorted())
      },
    )
})
