// Durable commits of a server and the writes in them, from its metrics.

export interface CommitTotals {
  readonly commits: number
  readonly operations: number
}

/** The totals since the start of the server; zero of a server without metrics. */
export async function commitTotals(metricsPort: number | undefined): Promise<CommitTotals> {
  if (metricsPort === undefined) return { commits: 0, operations: 0 }
  const reply = await fetch(`http://127.0.0.1:${metricsPort}/metrics`)
  const metrics = await reply.text()
  const total = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN)
  return { commits: total('dagsverk_store_commits_total'), operations: total('dagsverk_store_operations_total') }
}
