// Section 4 of docs/interface.md, in code: every fixed address, and the operation behind it.
import { deletesRevenue } from '#api/delete.ts'
import { finds, readsSet } from '#api/read.ts'
import {
  accumulateRevenueList,
  insertRevenue,
  saveRevenueList,
  setRevenueListPerDate,
  updateRevenue,
} from '#api/revenue-operations.ts'
import type { Operation } from '#api/operation.ts'
import type { Method } from '#http/request.ts'
import { revenueLog } from '#model/revenue-log.ts'
import { revenue } from '#model/revenue.ts'

export interface Route {
  readonly method: Method
  readonly path: string
  readonly operation: Operation
}

const findRevenue = finds(revenue, {
  summary: 'Find revenue records',
  rule: '4.1',
  scope: 'revenue:read',
})

const revenueSet = readsSet(revenue, {
  summary: 'Read revenue records as an entity set',
  rule: '4.1',
  scope: 'revenue:read',
})

const revenueLogSet = readsSet(revenueLog, {
  summary: 'Read the journal of revenue: every change, deletions too',
  rule: '4.1',
  scope: 'revenue:read',
})

const route =
  (method: Method) =>
  (operation: Operation, ...paths: readonly string[]): Route[] =>
    paths.map((path) => ({ method, path, operation }))

const get = route('GET')
const post = route('POST')
const del = route('DELETE')

export const routes: readonly Route[] = [
  ...get(findRevenue, '/dev/Omsetning/Finn'),
  ...post(insertRevenue, '/dev/Omsetning/Lagre'),
  ...post(updateRevenue, '/dev/Omsetning/Oppdater'),
  // One description writes the list's path without the segment.
  ...post(
    saveRevenueList,
    '/dev/Omsetning/LagreEllerOppdaterListe',
    '/dev/LagreEllerOppdaterListe',
  ),
  ...post(
    setRevenueListPerDate,
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato',
    '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDatoPrAvdeling',
  ),
  // The document gives no address for it (ADR 0011).
  ...post(
    accumulateRevenueList,
    '/omsetning/AggsertOmsetning',
    '/omsetning/Omsetning/AggsertOmsetning',
    '/dev/Omsetning/AggsertOmsetning',
    '/dev/AggsertOmsetning',
  ),
  ...get(revenueSet, '/omsetning/Omsetning'),
  ...get(revenueLogSet, '/omsetning/OmsetningLogg'),
  ...del(deletesRevenue, '/omsetning/Omsetning(:id)'),
]
