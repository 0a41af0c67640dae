// The data of programs that poll: revenue of 200 days, employees, and lines that await export.
import Database from 'better-sqlite3'
import { expect } from 'vitest'
import { fillDirectory } from './directory.ts'
import { newMaterialClient, type MaterialClient } from './material-client.ts'
import { newRevenueClient, type RevenueClient } from './revenue-client.ts'
import type { TestServer } from './server.ts'

export interface PolledData {
  /** A record of each date, department and kind; amounts count up from 0. Employees of one department. */
  readonly revenueClient: RevenueClient
  /** Another company, whose lines await export. */
  readonly materialClient: MaterialClient
  /** The stamp before the last 300 records. */
  readonly lastStamp: string
}

export const [days, departments, employees] = [200, 50, 400] as const

export async function insertPolledData(server: TestServer, waitingLines: number): Promise<PolledData> {
  const revenueClient = await newRevenueClient(server)
  const materialClient = await newMaterialClient(server)
  const rows = Array.from({ length: days * departments * 2 }, (_, index) => ({
    Dato: day(Math.floor(index / (2 * departments))),
    AvdelingID: String(index % departments),
    ipType: Math.floor(index / departments) % 2 === 0 ? 'I' : 'K',
    Omsetning: index,
  }))
  expect((await revenueClient.saveList(rows.slice(0, -300))).status).toBe(200)
  const latest = await revenueClient.records({ $select: 'SistEndretDato', $orderby: 'SistEndretDato desc', $top: '1' })
  expect((await revenueClient.saveList(rows.slice(-300))).status).toBe(200)
  for (let left = waitingLines; left > 0; left -= linesOfBatch)
    await materialClient.approve(...(await materialClient.register(Math.min(left, linesOfBatch))))
  await fillDirectory(server, revenueClient.company, {
    departments: [{ id: '1', name: 'Hage' }],
    employees: Array.from({ length: employees }, (_, at) => ({ id: at + 1, departmentId: '1' })),
  })
  if (server.store.dialect === 'sqlite') enlargeFile(server.url)
  return { revenueClient, materialClient, lastStamp: latest[0].SistEndretDato }
}

/** As it is written in `$filter` of an OData address. */
export function day(at: number): string {
  return new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10)
}

/** As it is written in `$filter` of `Finn`. */
export function literal(at: number): string {
  return `datetime('${day(at)}')`
}

/** So large that no query is cheap because of the file's size. */
function enlargeFile(url: string): void {
  const file = new Database(url.replace('sqlite:', ''))
  file.exec('create table ballast (content blob) strict')
  file.exec('insert into ballast values (zeroblob(60000000))')
  file.close()
}

const linesOfBatch = 4000
