// System status of the server.
import { queryOptions } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

export interface SystemStatus {
  readonly version: string
  readonly database: 'sqlite' | 'postgres'
  readonly databaseBytes: number
  readonly degraded: readonly string[]
  readonly backup: Backup | null
  readonly backupFolder: string
  readonly mail: {
    readonly isSet: boolean
    readonly waiting: number
    readonly givenUp: number
    readonly lastSentAt: number | null
  }
  readonly limits: {
    /** Null: unlimited. */
    readonly rateLimit: number | null
    readonly listBytesMax: number
    readonly bodyBytesMax: number
    readonly bodyBytesInFlightMax: number
    readonly urlBytesMax: number
  }
}

export interface Backup {
  readonly at: number
  readonly rows: number
  readonly file: string
}

export const systemQuery = queryOptions({
  queryKey: ['system'],
  queryFn: () => get<SystemStatus>('/app/data/drift'),
  staleTime: 10_000,
})
