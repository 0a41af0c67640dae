// Audit entries.
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

/** Undefined: no restriction. */
export interface AuditFilter {
  /** Id of a line or its transaction. */
  readonly line: number | undefined
  /** Substring. */
  readonly actor: string | undefined
  readonly action: string | undefined
  readonly signIns: 'without' | undefined
}

/** In the URL, in place of an action. */
export const everything = 'alt'

/** From `auditFile` in larger pages, after signing in again. */
export function auditQuery(filter: AuditFilter, from: 'audit' | 'auditFile' = 'audit') {
  return infiniteQueryOptions({
    queryKey: ['audit', from, filter],
    queryFn: ({ pageParam }) => get(from, { ...filter, before: pageParam === 0 ? undefined : pageParam }),
    initialPageParam: 0,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
  })
}
