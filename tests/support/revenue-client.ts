// A client of the revenue endpoints for a new company of its own.
import { beforeEach } from 'vitest'
import type { TestReply, CallOptions, TestCompany, TestCompanyOptions, TestServer } from './server.ts'
import { expectStatus } from './replies.ts'

export type Options = Readonly<Record<string, string>>

export interface RevenueClient {
  readonly company: TestCompany
  /** Any call with the company's key. */
  readonly call: (method: string, address: string, options?: CallOptions) => Promise<TestReply>
  readonly find: (query?: Options, headers?: Options) => Promise<TestReply>
  readonly insert: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  readonly update: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  readonly saveList: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  readonly setPerDate: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  readonly accumulate: (body: unknown, query?: Options, headers?: Options) => Promise<TestReply>
  readonly revenueLog: (query?: Options) => Promise<TestReply>
  readonly delete: (id: number, headers?: Options) => Promise<TestReply>
  /** All records as `Finn` returns them. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly records: (query?: Options) => Promise<any[]>
  /** The keys that a filter finds, in the order of the reply. */
  readonly idsWhere: (filter: string, query?: Options) => Promise<number[]>
}

/** A client of a new company for each test; its members are missing before the first one. */
export function useRevenueClient(server: TestServer): RevenueClient {
  const client = {} as RevenueClient
  beforeEach(async () => {
    Object.assign(client, await newRevenueClient(server))
  })
  return client
}

export async function newRevenueClient(server: TestServer, options?: TestCompanyOptions): Promise<RevenueClient> {
  clientCount += 1
  return revenueClientFor(server, await server.addCompany(`KASSE ${clientCount}`, options))
}

let clientCount = 0

export function revenueClientFor(server: TestServer, company: TestCompany): RevenueClient {
  const { call, get, post } = callsOf(server, company)
  const records: RevenueClient['records'] = async (query) =>
    (await expectStatus(get('/dev/Omsetning/Finn', query))).json
  return {
    company,
    call,
    find: (query, headers) => get('/dev/Omsetning/Finn', query, headers),
    insert: post('/dev/Omsetning/Lagre'),
    update: post('/dev/Omsetning/Oppdater'),
    saveList: post('/dev/Omsetning/LagreEllerOppdaterListe'),
    setPerDate: post('/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'),
    accumulate: post('/dev/Omsetning/AggsertOmsetning'),
    revenueLog: (query) => get('/omsetning/OmsetningLogg', query),
    delete: (id, headers = {}) => call('DELETE', `/omsetning/Omsetning(${id})`, { headers }),
    records,
    idsWhere: async (filter, query) =>
      (await records({ ...query, $filter: filter, $select: 'InntektsPlanId' })).map(
        ({ InntektsPlanId }) => InntektsPlanId,
      ),
  }
}

/** Calls with the key of a company. */
export function callsOf(server: TestServer, company: TestCompany) {
  const call = (method: string, address: string, options?: CallOptions): Promise<TestReply> =>
    server.call(method, address, { as: company, ...options })
  return {
    call,
    get: (path: string, query: Options = {}, headers: Options = {}) => call('GET', addressOf(path, query), { headers }),
    post:
      (path: string) =>
      (body?: unknown, query: Options = {}, headers: Options = {}) =>
        call('POST', addressOf(path, query), payloadOf(body, headers)),
  }
}

export function addressOf(path: string, query: Options): string {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

/**
 * Text and bytes are sent unchanged, as JSON unless the headers say otherwise; all else is
 * serialized as JSON.
 */
function payloadOf(body: unknown, headers: Options): CallOptions {
  return typeof body === 'string' || Buffer.isBuffer(body)
    ? { body, headers: { 'content-type': 'application/json', ...headers } }
    : { json: body, headers }
}
