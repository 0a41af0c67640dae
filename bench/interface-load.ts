// Load test of the interface: the requests of its sections 4.1 to 4.4 on 64 connections, none of them rejected.
import { interfaceRequestKinds } from './interface-requests.ts'
import type { LoadGenerators } from './interference.ts'
import type { LoadJob, LoadMeasurement } from './load-job.ts'
import { figure } from './figure.ts'
import { markdown, type BenchmarkResult } from './report.ts'
import type { ServerUnderTest } from './server.ts'

export interface InterfaceLoad {
  readonly result: BenchmarkResult
  readonly problems: readonly string[]
  /** The replies by request and status. */
  readonly table: string
}

/** Either until a time is up, or until a number of requests is answered. */
export type LoadLength = Pick<LoadJob, 'durationMs' | 'replies'>

/**
 * 63 connections send every other request in turn, the last one reads all records of a company again and again:
 * eight such streams are served at once.
 */
export async function measureInterfaceLoad(
  server: Pick<ServerUnderTest, 'dialect' | 'size' | 'port'>,
  { large, small }: LoadGenerators,
  length: LoadLength,
): Promise<InterfaceLoad> {
  const { dialect, size, port } = server
  const target = { dialect, size, seed: 1, port, serverPid: 0, warmUpMs: 0, isDraining: true }
  const started = Promise.withResolvers<void>()
  const streaming = small.measure({ ...target, case: 'everyRecord' }, started.resolve)
  await Promise.race([started.promise, streaming])
  const requests = await large.measure({ ...target, case: 'interface', ...length })
  small.stop()
  const streams = await streaming
  return {
    result: resultOf(requests, streams),
    problems: problemsOf(requests, streams),
    table: markdown(replyRows([requests, streams])),
  }
}

function resultOf(requests: LoadMeasurement, streams: LoadMeasurement): BenchmarkResult {
  const sent = requests.requests + requests.rejected + streams.requests + streams.rejected
  const longestMs = Math.max(...(requests.replyCounts ?? []).map((each) => each.longestMs))
  return {
    title: 'interface: requests rejected',
    value: requests.rejected + streams.rejected,
    unit: '',
    goal: 'interfaceRejections',
    detail: `of ${figure(sent)} in ${figure(requests.seconds)} s; longest wait ${figure(longestMs)} ms`,
  }
}

function problemsOf(requests: LoadMeasurement, streams: LoadMeasurement): string[] {
  const rejections = [requests, streams].flatMap(({ rejected, firstRejection }) =>
    rejected === 0 ? [] : [`interface: ${rejected} requests were rejected: ${firstRejection}`],
  )
  const kinds = new Set((requests.replyCounts ?? []).map(({ name }) => name))
  const missing = interfaceRequestKinds - kinds.size
  return missing === 0 ? rejections : [...rejections, `interface: ${missing} kinds were not sent`]
}

function replyRows(measurements: readonly LoadMeasurement[]): string[][] {
  const rows = measurements
    .flatMap(({ replyCounts = [] }) => replyCounts)
    .map(({ name, status, replies, longestMs }) => [name, String(status), String(replies), figure(longestMs)])
  return [['Request', 'Status', 'Replies', 'Longest ms'], ...rows]
}
