// Unix sockets: a PostgreSQL server on the same machine is reached without TCP.
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { PostgresStore } from '../src/store/postgres/postgres-store.ts'
import { crossCompanyStatement } from '../src/store/statement.ts'
import { databases } from './support/databases.ts'
import { useTestServer } from './support/server.ts'

describe.each(databases.slice(1))('on $name', (database) => {
  const server = useTestServer(database, 'socket')

  test('`host` in the URL is the folder of the socket', async () => {
    const row = await server.store.first(socketFolder, {})
    const url = new URL(server.url)
    url.searchParams.set('host', row?.folder ?? '')
    const store = new PostgresStore({ url: url.href })
    onTestFinished(() => store.close())
    expect(await server.store.first(isOverSocket, {})).toEqual({ isOverSocket: false })
    expect(await store.first(isOverSocket, {})).toEqual({ isOverSocket: true })
  })
})

const socketFolder = crossCompanyStatement<{ folder: string }>(
  () => sql`select split_part(current_setting('unix_socket_directories'), ',', 1) as folder`,
)
const isOverSocket = crossCompanyStatement<{ isOverSocket: boolean }>(
  () => sql`select inet_client_addr() is null as "isOverSocket"`,
)
