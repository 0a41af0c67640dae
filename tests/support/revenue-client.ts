// A client of the revenue endpoints for a new company of its own.
import { expect } from 'vitest'
import type { Answer, CallOptions, Company, CompanyOptions, House } from './server.ts'

export type Options = Readonly<Record<string, string>>

export interface Till {
  readonly company: Company
  /** Any call with the company's key. */
  readonly call: (method: string, address: string, options?: CallOptions) => Promise<Answer>
  readonly find: (query?: Options, headers?: Options) => Promise<Answer>
  readonly insert: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  readonly update: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  readonly saveList: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  readonly setPerDate: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  readonly accumulate: (body: unknown, query?: Options, headers?: Options) => Promise<Answer>
  readonly journal: (query?: Options) => Promise<Answer>
  readonly remove: (id: number, headers?: Options) => Promise<Answer>
  /** All records as `Finn` returns them. */
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly records: (query?: Options) => Promise<any[]>
  /** The keys that a filter finds, in the order of the reply. */
  readonly idsWhere: (filter: string, query?: Options) => Promise<number[]>
}

export async function newTill(house: House, options?: CompanyOptions): Promise<Till> {
  tills += 1
  return tillOf(house, await house.company(`KASSE ${tills}`, options))
}

let tills = 0

export function tillOf(house: House, company: Company): Till {
  const call: Till['call'] = (method, address, options) =>
    house.call(method, address, { as: company, ...options })
  const get = (path: string, query: Options = {}, headers: Options = {}) =>
    call('GET', addressOf(path, query), { headers })
  const post =
    (path: string): Till['insert'] =>
    (body, query = {}, headers = {}) =>
      call('POST', addressOf(path, query), payloadOf(body, headers))
  const records: Till['records'] = async (query) => {
    const answer = await get('/dev/Omsetning/Finn', query)
    expect(answer.status, answer.text).toBe(200)
    return answer.json
  }
  return {
    company,
    call,
    find: (query, headers) => get('/dev/Omsetning/Finn', query, headers),
    insert: post('/dev/Omsetning/Lagre'),
    update: post('/dev/Omsetning/Oppdater'),
    saveList: post('/dev/Omsetning/LagreEllerOppdaterListe'),
    setPerDate: post('/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato'),
    accumulate: post('/dev/Omsetning/AggsertOmsetning'),
    journal: (query) => get('/omsetning/OmsetningLogg', query),
    remove: (id, headers = {}) => call('DELETE', `/omsetning/Omsetning(${id})`, { headers }),
    records,
    idsWhere: async (filter, query) =>
      (await records({ ...query, $filter: filter, $select: 'InntektsPlanId' })).map(
        ({ InntektsPlanId }) => InntektsPlanId,
      ),
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
