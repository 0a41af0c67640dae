// `dagsverk/client`: typed client for integrations, with safe retries (docs/integration.md).
import type { Client, ClaimLease, ListOptions, Results, AbortOptions } from './calls.ts'
import type { ElementResult } from './error.ts'
import { createExchange, type ClientOptions, type Exchange } from './exchange.ts'
import { runExportLoop } from './export-loop.ts'
import { afterId, type ExportLine } from './line.ts'

export type * from './calls.ts'
export type { ExportLine, NewTransaction } from './line.ts'
export type { ClientOptions } from './exchange.ts'
export { DagsverkError, type ElementResult, type Outcome } from './error.ts'
export { LineRejected } from './export-loop.ts'

/** Creates a client of one server. It is stateless; one per program is enough. */
export function connect(options: ClientOptions): Client {
  const exchange = createExchange(options)
  const post = async (path: string, json: unknown, { signal }: AbortOptions): Promise<Results> =>
    toResults(await exchange({ method: 'POST', path, json, signal }))
  const onClaim = async (
    claimId: number,
    verb: string,
    more: AbortOptions & { readonly json: unknown; readonly attempts?: number },
  ): Promise<ClaimLease> => toHolding(await exchange({ method: 'POST', path: `${claims}/${claimId}/${verb}`, ...more }))
  const client: Client = {
    exportable: (options = {}) => linesOf(exchange, options),
    markExported: (lines, options = {}) => {
      const items = lines.map((line) => (typeof line === 'number' ? { id: line } : line))
      return post(marks, { items }, options)
    },
    reportFailed: (failed, options = {}) => post(marks, { failed }, options),
    claim: async ({ signal, ...claimOptions } = {}) => {
      const call = { method: 'POST', path: claims, json: claimOptions, isIdempotent: true, signal } as const
      const claim = await exchange<WireClaim>(call)
      if (claim.BatchId === null) return null
      return { ...toHolding(claim), lines: claim.value, sums: { quantity: claim.SumAntall, amount: claim.SumBelop } }
    },
    extend: (claimId, { leaseSeconds, signal }) =>
      onClaim(claimId, 'Forleng', { json: { leaseSeconds }, attempts: 1, signal }),
    report: (claimId, { items = [], failed = [] }, options = {}) =>
      post(`${claims}/${claimId}/Resultat`, { items, failed }, options),
    release: (claimId, { signal } = {}) => onClaim(claimId, 'Frigi', { json: {}, signal }),
    registerBatch: async (transactions, { isAtomic = true, signal } = {}) => {
      const path = `/prosjekt/Transaksjon/Batch?atomic=${isAtomic}`
      const call = { method: 'POST', path, json: transactions, isIdempotent: true, signal } as const
      return toResults(await exchange(call))
    },
    exportLoop: (handle, options = {}) => runExportLoop(client, handle, options),
  }
  return client
}

const list = '/prosjekt/TransaksjonsEksport'
const claims = `${list}/Batch`
const marks = '/prosjekt/Transaksjonseksport/Eksportert'

/**
 * Pages by id and not by offset, so that concurrent marks do not shift the pages. The last page is empty: one that is
 * short may have lost lines between search and retrieval (ADR 0031).
 */
async function* linesOf(
  exchange: Exchange,
  { filter, after = 0, pageSize = 1000, signal }: ListOptions,
): AsyncGenerator<ExportLine, void> {
  for (let last = after; ;) {
    const $filter = afterId(last, filter)
    const query = new URLSearchParams({ $filter, $top: String(pageSize) })
    const path = `${list}?${query.toString()}`
    const { value } = await exchange<{ value: readonly ExportLine[] }>({ method: 'GET', path, signal })
    yield* value
    const end = value.at(-1)
    if (end === undefined) return
    last = end.Id
  }
}

interface WireResults {
  readonly resultater: readonly ElementResult[]
  readonly antall: Readonly<Record<string, number>>
}

function toResults({ resultater, antall }: WireResults): Results {
  return { results: resultater, counts: antall }
}

interface WireHolding {
  readonly BatchId: number
  readonly Sperrenummer: number
  readonly HoldesTil: string
}

type WireClaim =
  | { readonly BatchId: null }
  | (WireHolding & {
      readonly value: readonly ExportLine[]
      readonly SumAntall: string | number
      readonly SumBelop: string | number
    })

function toHolding({ BatchId, Sperrenummer, HoldesTil }: WireHolding): ClaimLease {
  return { id: BatchId, fencingToken: Sperrenummer, claimedUntil: HoldesTil }
}
