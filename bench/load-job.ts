// Load jobs and their measurements: the messages between load-generator.ts and its process, load-process.ts.
import type { CaseName, RequestChoices } from './cases.ts'
import type { ReplyCount } from './reply-counter.ts'
import type { RequestDialect } from './requests.ts'
import type { ServerCpu } from './server-cpu.ts'

export interface LoadJob extends RequestChoices {
  readonly case: CaseName
  readonly dialect: RequestDialect
  readonly port: number
  /** The process whose CPU time is measured; 0 measures none. */
  readonly serverPid: number
  /** The PostgreSQL database whose local processes are measured, too. */
  readonly database?: string | undefined
  readonly connections?: number
  readonly warmUpMs: number
  /** Ends after this time, after this many replies without a warm-up, or, with neither, at the command `stop`. */
  readonly durationMs?: number
  readonly replies?: number
  /** Whether the replies that are pending at the end are waited for and counted. */
  readonly isDraining?: boolean
}

export interface LoadMeasurement extends ServerCpu {
  /** The number of correct replies; rejected requests are counted separately. */
  readonly requests: number
  readonly rejected: number
  /** The first error reply, with its status. */
  readonly firstRejection: string | null
  readonly seconds: number
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly longestMs: number
  readonly bytes: number
  /** Of a case that sends several kinds of requests. */
  readonly replyCounts?: readonly ReplyCount[]
}

export type LoadCommand = { readonly type: 'measure'; readonly job: LoadJob } | { readonly type: 'stop' }

export type LoadReport =
  | { readonly type: 'started' }
  | { readonly type: 'measured'; readonly measurement: LoadMeasurement }
  | { readonly type: 'failed'; readonly reason: string }
