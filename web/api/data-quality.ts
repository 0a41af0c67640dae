// Data quality of revenue: duplicates, missing days, unknown codes, and fixing them.
import { appPaths } from '../../src/app/contract/paths.ts'
import { queryOptions } from '@tanstack/react-query'
import { get, post } from './client.ts'
import type { UnknownCode } from '../../src/app/contract/revenue.ts'

export const dataIssuesQuery = queryOptions({
  queryKey: ['revenue', 'untidy'],
  queryFn: () => get(appPaths.revenueTidying),
  staleTime: 15_000,
})

/** `changedAt` is sent as precondition. */
export function deleteRevenueRecord({ id, changedAt }: { id: number; changedAt: number }) {
  return post(appPaths.revenueRemove, { id: String(id), before: String(changedAt) })
}

export function moveRecordsOfCode({ departmentId, first, last }: UnknownCode, to: string) {
  return post(appPaths.revenueMove, { from: departmentId, to, first, last })
}
