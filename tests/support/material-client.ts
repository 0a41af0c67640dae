// A client of the material endpoints for a new company of its own.
import { expect } from 'vitest'
import type { Answer, CallOptions, Company, CompanyOptions, House } from './server.ts'
import { addressOf, type Options } from './revenue-client.ts'

export interface Depot {
  readonly company: Company
  readonly call: (method: string, address: string, options?: CallOptions) => Promise<Answer>
  /** Registers a batch. */
  readonly batch: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  /** Registers so many plain transactions; returns their ids. */
  readonly register: (count: number) => Promise<number[]>
  readonly post: (path: string, body?: unknown, query?: Options) => Promise<Answer>
  readonly approve: (...ids: number[]) => Promise<Answer>
  readonly mark: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  /** The export list. */
  readonly list: (query?: Options) => Promise<Answer>
  readonly listed: (query?: Options) => Promise<number[]>
  /** All transactions as they are read. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly all: (query?: Options) => Promise<any[]>
  /** All data visible to a test: to check that nothing changed. */
  readonly everything: () => Promise<unknown>
}

export const usage = { Dato: '2024-05-01', VareId: 'A1', Antall: 2, Salgspris: 10.5 } as const

export async function newDepot(house: House, options?: CompanyOptions): Promise<Depot> {
  depots += 1
  return depotOf(house, await house.company(`LAGER ${depots}`, options))
}

let depots = 0

function depotOf(house: House, company: Company): Depot {
  const call: Depot['call'] = (method, address, options) =>
    house.call(method, address, { as: company, ...options })
  const post: Depot['post'] = (path, body, query = {}) =>
    call('POST', addressOf(path, query), body === undefined ? {} : { json: body })
  const batch: Depot['batch'] = (body, query = {}, headers = {}) =>
    call('POST', addressOf('/prosjekt/Transaksjon/Batch', query), { json: body, headers })
  const list: Depot['list'] = (query = {}) =>
    call('GET', addressOf('/prosjekt/TransaksjonsEksport', query))
  const all: Depot['all'] = async (query = {}) => {
    const answer = await call('GET', addressOf('/prosjekt/Transaksjon', query))
    expect(answer.status, answer.text).toBe(200)
    return answer.json.value
  }
  return {
    company,
    call,
    post,
    batch,
    register: async (count) => {
      const answer = await batch(Array.from({ length: count }, () => usage))
      expect(answer.status, answer.text).toBe(200)
      return answer.json.resultater.map(({ id }: { id: number }) => id)
    },
    approve: (...ids) => post('/prosjekt/Transaksjon/Godkjenn', { ids }),
    mark: (body, query = {}, headers = {}) =>
      call('POST', addressOf('/prosjekt/Transaksjonseksport/Eksportert', query), {
        json: body,
        headers,
      }),
    list,
    listed: async (query) => {
      const answer = await list(query)
      expect(answer.status, answer.text).toBe(200)
      return answer.json.value.map(({ Id }: { Id: number }) => Id)
    },
    all,
    everything: () => all(),
  }
}
