// Live updates over server-sent events while the page is visible; polling where these fail (ADR 0105).
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { noteAway, noteHeard } from './connectivity.ts'

const topics = ['material', 'handOuts', 'revenue', 'directory'] as const

type Topic = (typeof topics)[number]

/** A query's refetch interval: none while live updates arrive. */
export function everyUnlessLive(intervalMs: number) {
  return (): number | false => (isLive ? false : intervalMs)
}

let isLive = false

/** Subscribes until the returned function is called. */
export function follow(client: QueryClient): () => void {
  const news = new News(client)
  let source: EventSource | null = null
  let failures = 0
  let again: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source = new EventSource('/app/data/hendelser')
    source.addEventListener('beat', ({ data }: MessageEvent<string>) => {
      // Catches up on what was missed; a page that has just loaded is current.
      if (failures > 0) news.all()
      failures = 0
      isLive = true
      noteHeard()
      news.onDay(dayIn(data))
    })
    source.addEventListener('changed', ({ data }: MessageEvent<string>) => {
      noteHeard()
      news.of(topicsIn(data))
    })
    source.addEventListener('error', () => {
      failures += 1
      // The stream is lost: queries poll from now on, starting now.
      if (isLive && failures > 1) {
        isLive = false
        news.all()
      }
      if (failures > 1) noteAway()
      // Rejected, not interrupted: the browser does not reconnect by itself.
      if (source?.readyState !== EventSource.CLOSED) return
      isLive = false
      news.all()
      again = setTimeout(open, 60_000)
    })
  }
  const close = () => {
    clearTimeout(again)
    source?.close()
    source = null
    isLive = false
  }
  const turn = () => {
    if (document.hidden) close()
    else if (source === null) {
      failures = 1
      open()
    }
  }
  if (!document.hidden) open()
  const reopen = () => {
    close()
    turn()
  }
  document.addEventListener('visibilitychange', turn)
  window.addEventListener('online', reopen)
  return () => {
    document.removeEventListener('visibilitychange', turn)
    window.removeEventListener('online', reopen)
    close()
    news.stop()
  }
}

/** Invalidates the queries of a topic, at most every three seconds: tills send faster than anybody reads. */
class News {
  readonly #client: QueryClient
  readonly #waiting = new Set<Topic>()
  #timer: ReturnType<typeof setTimeout> | undefined
  #day = ''

  constructor(client: QueryClient) {
    this.#client = client
  }

  all(): void {
    this.of(topics)
  }

  of(topics: readonly Topic[]): void {
    for (const topic of topics) this.#waiting.add(topic)
    if (this.#timer === undefined) this.#pass()
  }

  /** At midnight everything relative to "today" is stale. */
  onDay(day: string): void {
    if (this.#day !== day && this.#day !== '')
      void this.#client.invalidateQueries({ predicate: ({ queryKey }) => !isKeptStill(queryKey) })
    this.#day = day
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  #pass(): void {
    const topics = [...this.#waiting]
    this.#waiting.clear()
    this.#timer = topics.length === 0 ? undefined : setTimeout(() => this.#pass(), 3_000)
    for (const topic of topics)
      void this.#client.invalidateQueries({
        predicate: ({ queryKey }) => isAbout(topic, queryKey) && !isKeptStill(queryKey),
      })
  }
}

function isAbout(topic: Topic, [area, part]: QueryKey): boolean {
  if (topic === 'directory') return area === 'set'
  if (topic === 'handOuts') return area === 'material' && part === 'export'
  return area === topic || (topic === 'material' && area === 'audit')
}

/** Lists that somebody reads or selects in are not refreshed by themselves: they show a notice. */
function isKeptStill([area, part, detail]: QueryKey): boolean {
  return (
    area === 'material' &&
    (part === 'overview' || part === 'lines' || (part === 'export' && detail !== undefined))
  )
}

function dayIn(data: string): string {
  const told: { today: string } = JSON.parse(data)
  return told.today
}

function topicsIn(data: string): readonly Topic[] {
  const told: { topics: Topic[] } = JSON.parse(data)
  return told.topics
}
