// What others changed meanwhile: told by the server while the page can be seen, and asked for where it cannot tell.
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { noteAway, noteHeard } from './connectivity.ts'

const topics = ['material', 'handOuts', 'revenue', 'directory'] as const

type Topic = (typeof topics)[number]

/** A query's interval: none while the server tells. */
export function everyUnlessLive(intervalMs: number) {
  return (): number | false => (isLive ? false : intervalMs)
}

let isLive = false

/** Follows the company until the function that it gives is called; `onExpired` when the session is over. */
export function follow(client: QueryClient): () => void {
  const news = new News(client)
  let source: EventSource | null = null
  let failures = 0
  let again: ReturnType<typeof setTimeout> | undefined

  const open = () => {
    source = new EventSource('/app/data/hendelser')
    source.addEventListener('beat', ({ data }: MessageEvent<string>) => {
      // What happened while nobody told is asked for; a page that has just loaded knows it.
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
      // It is told no more: from now on each question asks again by itself, beginning with this one.
      if (isLive && failures > 1) {
        isLive = false
        news.all()
      }
      if (failures > 1) noteAway()
      // Refused, and not cut: the browser does not try again by itself.
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

/** Asks anew for what a topic is about, every three seconds at most: tills push faster than anybody reads. */
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

  /** At midnight everything that is said of today is said of another day. */
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

/** A list that somebody reads or ticks does not move under their hands: it says that there is more. */
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
