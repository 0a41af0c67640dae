// Live updates over server-sent events while the page is visible; polling where these fail (ADR 0047).
import { topics, type LiveEvents, type Topic } from '../../src/app/contract/live.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { toUrl } from './client.ts'
import { recordOffline, recordReply } from './connectivity.ts'

/** A query's refetch interval: none while live updates arrive. */
export function pollUnlessLive(intervalMs: number) {
  return (): number | false => (isLive ? false : intervalMs)
}

let isLive = false

/** Subscribes to the changes after a position, until the returned function is called. */
export function subscribeLiveUpdates(client: QueryClient, position: string): () => void {
  const refresher = createRefresher(client)
  let lastPosition = position
  let source: EventSource | null = null
  let failures = 0
  let retryTimer: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source = new EventSource(toUrl('live', { since: lastPosition }))
    source.addEventListener('beat', ({ data, lastEventId }: MessageEvent<string>) => {
      failures = 0
      isLive = true
      lastPosition = lastEventId
      recordReply()
      const { today }: LiveEvents['beat'] = JSON.parse(data)
      refresher.onDay(today)
    })
    source.addEventListener('changed', ({ data, lastEventId }: MessageEvent<string>) => {
      lastPosition = lastEventId
      recordReply()
      const { topics: changed }: LiveEvents['changed'] = JSON.parse(data)
      refresher.refresh(changed)
    })
    source.addEventListener('error', () => {
      failures += 1
      // The stream is lost: queries poll from now on, starting now.
      if (isLive && failures > 1) {
        isLive = false
        refresher.refresh(topics)
      }
      if (failures > 1) recordOffline()
      // Rejected, not interrupted: the browser does not reconnect by itself.
      if (source?.readyState !== EventSource.CLOSED) return
      isLive = false
      refresher.refresh(topics)
      retryTimer = setTimeout(open, 60_000)
    })
  }
  const close = () => {
    clearTimeout(retryTimer)
    source?.close()
    source = null
    isLive = false
  }
  const onVisibilityChange = () => {
    if (document.hidden) close()
    else if (source === null) {
      failures = 1
      open()
    }
  }
  if (!document.hidden) open()
  const reopen = () => {
    close()
    onVisibilityChange()
  }
  document.addEventListener('visibilitychange', onVisibilityChange)
  window.addEventListener('online', reopen)
  return () => {
    document.removeEventListener('visibilitychange', onVisibilityChange)
    window.removeEventListener('online', reopen)
    close()
    refresher.stop()
  }
}

/** Invalidates the queries of a topic, at most every three seconds: tills send faster than anybody reads. */
function createRefresher(client: QueryClient) {
  const pending = new Set<Topic>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastDay = ''
  const flush = () => {
    const changed = [...pending]
    pending.clear()
    timer = changed.length === 0 ? undefined : setTimeout(flush, 3_000)
    for (const topic of changed)
      void client.invalidateQueries({
        predicate: ({ queryKey }) => isAffected(topic, queryKey) && !isRefreshedOnDemand(queryKey),
      })
  }
  return {
    refresh: (changed: readonly Topic[]) => {
      for (const topic of changed) pending.add(topic)
      if (timer === undefined) flush()
    },
    /** At midnight everything relative to "today" is stale. */
    onDay: (day: string) => {
      if (lastDay !== day && lastDay !== '')
        void client.invalidateQueries({ predicate: ({ queryKey }) => !isRefreshedOnDemand(queryKey) })
      lastDay = day
    },
    stop: () => clearTimeout(timer),
  }
}

function isAffected(topic: Topic, [area, part]: QueryKey): boolean {
  if (topic === 'directory') return area === 'set'
  if (topic === 'retrievals') return area === 'material' && part === 'export'
  return area === topic || (topic === 'material' && area === 'audit')
}

/** Lists that somebody reads or selects in are not refreshed by themselves: they show a notice. */
function isRefreshedOnDemand([area, part, detail]: QueryKey): boolean {
  return area === 'material' && (part === 'overview' || part === 'lines' || (part === 'export' && detail !== undefined))
}
