// A client of the material endpoints for a new company of its own.
import { beforeEach } from 'vitest'
import { updateDestination, type Destination } from '../../src/store/export/destinations.ts'
import type { TestReply, CallOptions, TestCompany, TestCompanyOptions, TestServer } from './server.ts'
import { callsOf, type Options } from './revenue-client.ts'
import { expectStatus } from './replies.ts'

export interface MaterialClient {
  readonly company: TestCompany
  readonly call: (method: string, address: string, options?: CallOptions) => Promise<TestReply>
  /** Registers a batch. */
  readonly registerBatch: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  /** Registers so many plain transactions; returns their ids. */
  readonly register: (count: number) => Promise<number[]>
  readonly post: (path: string, body?: unknown, query?: Options) => Promise<TestReply>
  readonly approve: (...ids: number[]) => Promise<TestReply>
  readonly acknowledge: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  /** Changes the settings of a destination to those of a new one and these. */
  readonly setDestination: (settings: Partial<Destination>, id?: number) => Promise<void>
  /** The export list. */
  readonly exportList: (query?: Options) => Promise<TestReply>
  readonly listedIds: (query?: Options) => Promise<number[]>
  /** All transactions as they are read. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly transactions: (query?: Options) => Promise<any[]>
  /** All data visible to a test: to check that nothing changed. */
  readonly snapshot: () => Promise<unknown>
}

export const usage = { Dato: '2024-05-01', VareId: 'A1', Antall: 2, Salgspris: 10.5 } as const

/** A client of a new company for each test; its members are missing before the first one. */
export function useMaterialClient(server: TestServer): MaterialClient {
  const client = {} as MaterialClient
  beforeEach(async () => {
    Object.assign(client, await newMaterialClient(server))
  })
  return client
}

export async function newMaterialClient(server: TestServer, options?: TestCompanyOptions): Promise<MaterialClient> {
  clientCount += 1
  return materialClientFor(server, await server.addCompany(`LAGER ${clientCount}`, options))
}

let clientCount = 0

const newDestination = {
  corrections: 'block',
  lockDate: null,
  isExclusive: 0,
  openClaimsMax: 1,
  failuresMax: 5,
} as const

export function materialClientFor(server: TestServer, company: TestCompany): MaterialClient {
  const { call, get, post } = callsOf(server, company)
  const registerBatch = post('/prosjekt/Transaksjon/Batch')
  const valueOf = async (path: string, query?: Options) => (await expectStatus(get(path, query))).json.value
  const transactions = (query?: Options) => valueOf('/prosjekt/Transaksjon', query)
  return {
    company,
    call,
    post: (path, body, query) => post(path)(body, query),
    registerBatch,
    register: async (count) => {
      const reply = await expectStatus(registerBatch(Array.from({ length: count }, () => usage)))
      return reply.json.resultater.map(({ id }: { id: number }) => id)
    },
    approve: (...ids) => post('/prosjekt/Transaksjon/Godkjenn')({ ids }),
    acknowledge: post('/prosjekt/Transaksjonseksport/Eksportert'),
    setDestination: (settings, id = 1) =>
      server.store.inSystemTransaction(async (writer) => {
        await updateDestination(writer, { companyId: company.id, id, ...newDestination, ...settings })
      }),
    exportList: (query) => get('/prosjekt/TransaksjonsEksport', query),
    listedIds: async (query) =>
      (await valueOf('/prosjekt/TransaksjonsEksport', query)).map(({ Id }: { Id: number }) => Id),
    transactions,
    snapshot: () => transactions(),
  }
}
