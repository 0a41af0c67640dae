// Live updates: the events of the stream (ADR 0047).
import type { ChangeCounters } from '../../store/change-counters.ts'

export type Topic = keyof ChangeCounters

/** The topics of changes that a page can subscribe to. */
export const topics: readonly Topic[] = ['material', 'retrievals', 'revenue', 'directory']

/** The data of each event by its name. */
export interface LiveEvents {
  /** The company's date, `YYYY-MM-DD`. */
  readonly beat: { readonly today: string }
  readonly changed: { readonly topics: readonly Topic[] }
}
