// Health checks: how long /livez and /readyz take, one call after the other.
import { setTimeout as sleep } from 'node:timers/promises'

export const healthPaths = ['/livez', '/readyz']

/** By path, in ascending order. Throws where a reply is no success. */
export async function timesOfHealthChecks(
  port: number,
  durationMs: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const end = performance.now() + durationMs
  const measure = async (path: string): Promise<[string, number[]]> => {
    const times: number[] = []
    while (performance.now() < end) {
      const sentAt = performance.now()
      const reply = await fetch(`http://127.0.0.1:${port}${path}`)
      await reply.text()
      times.push(performance.now() - sentAt)
      if (!reply.ok) throw new Error(`${path}: ${reply.status}`)
      await sleep(pauseMs)
    }
    return [path, times.toSorted((a, b) => a - b)]
  }
  return new Map(await Promise.all(healthPaths.map(measure)))
}

const pauseMs = 20
