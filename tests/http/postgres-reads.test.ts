// Shares of the connections to PostgreSQL: chunks of costly streams and pages have turns of their own (ADR 0015).
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { fillDirectory } from '../support/directory.ts'
import { addressOf } from '../support/revenue-client.ts'
import { useTestServer } from '../support/server.ts'

describe.each(databases.filter(({ name }) => name === 'PostgreSQL'))('on $name', (database) => {
  const server = useTestServer(database, 'turns')

  test('ADR 0015 costly streams of a company that the database does not answer keep none of its pages waiting', async () => {
    const list = '/dev/Omsetning/LagreEllerOppdaterListe'
    const json = Array.from({ length: 1500 }, (_, day) => ({
      Dato: '2024-01-01',
      AvdelingID: `${day}`,
      Omsetning: 1,
      Merknad: 'regn',
    }))
    expect((await server.call('POST', list, { json })).status).toBe(200)
    const departments = Array.from({ length: 300 }, (_, index) => ({ id: `${index}`, name: 'Avdeling' }))
    await fillDirectory(server, server.tenantA, { departments })
    const costly = () => server.call('GET', addressOf('/dev/Omsetning/Finn', { $filter: `contains(Merknad,'regn')` }))
    // From then on it is known to be long.
    expect((await costly()).json).toHaveLength(1500)

    const holder = new Client({ connectionString: server.url })
    await holder.connect()
    await holder.query('begin; lock table revenue')
    const asNeighbour = () => server.call('GET', '/odata/Avdeling', { as: server.tenantB })
    try {
      expect((await asNeighbour()).status).toBe(200)
      const streams = [costly(), costly(), costly()]
      const blocked = async () => {
        expect((await asNeighbour()).status).toBe(200)
        const { rows } = await holder.query<{ count: string }>('select count(*) from pg_locks where not granted')
        return Number(rows[0]?.count)
      }
      await expect.poll(blocked).toBeGreaterThan(0)
      const page = await server.call('GET', addressOf('/odata/Avdeling', { $top: '250' }))
      expect(page.json.value).toHaveLength(250)
      await holder.query('rollback')
      for (const { json: rows } of await Promise.all(streams)) expect(rows).toHaveLength(1500)
    } finally {
      await holder.end()
    }
  })
})
