// A server with a small directory and some revenue, for clients that use sockets.
import { beforeAll } from 'vitest'
import { fillDirectory } from '../support/directory.ts'
import { useTestServer, type TestServer, type TestServerOptions } from '../support/server.ts'
import type { DatabaseKind } from '../support/databases.ts'

export interface ListeningTestServer {
  readonly server: TestServer
  /** `http://127.0.0.1:…`, without a trailing slash. */
  readonly address: string
}

/** For all tests of a suite, as `useTestServer`. */
export function useListeningTestServer(
  database: DatabaseKind,
  name: string,
  options?: () => TestServerOptions,
): ListeningTestServer {
  const server = useTestServer(database, name, options)
  const listening = { server, address: '' }
  beforeAll(async () => {
    await fillSmallDirectory(server)
    listening.address = await server.http.listen(0, '127.0.0.1')
  })
  return listening
}

async function fillSmallDirectory(server: TestServer): Promise<void> {
  await fillDirectory(server, server.tenantA, {
    departments: [
      { id: '10', name: 'Byggevarer', isActive: true, responsibleId: 1 },
      { id: '20', name: "Kiosken 'Åpent'", parentId: '10', isActive: false },
      { id: '30', name: null },
    ],
    sites: [{ id: 'A1', name: 'Oslo nord' }],
    projects: [
      { id: 'P1', name: 'Nybygg', departmentId: '10', siteId: 'A1', startedOn: '2024-05-01' },
      { id: 'P2', name: '100 % & mer', departmentId: '20' },
    ],
    employees: [
      { id: 1, firstName: 'Kari', departmentId: '10', positionPercent: 375_000, isActive: true },
      { id: 2, firstName: 'Ola', departmentId: '20', bornOn: '1980-01-02', projectId: 'P1' },
      { id: 3, firstName: 'Åse', departmentId: '10' },
    ],
  })
  const revenue = [1, 2, 3].map((day) => ({ Dato: `2024-05-0${day}`, AvdelingID: '10', Omsetning: day * 1000.5 }))
  await server.call('POST', '/dev/Omsetning/LagreEllerOppdaterListe', { json: revenue })
}
