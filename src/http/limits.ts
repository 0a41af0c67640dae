// How much of what a caller may send, and how long it may take.

const KiB = 1024
const MiB = 1024 * KiB

export const limits = {
  urlBytesMax: 16 * KiB,
  headersBytesMax: 16 * KiB,
  headersMax: 100,
  /** Above the sum of the two, so that both are refused by us, in our words. */
  nodeHeaderBytesMax: 48 * KiB,
  /** A body that holds a list. */
  listBytesMax: 32 * MiB,
  bodyBytesMax: 1 * MiB,
  /** A body that is read before the caller is authenticated: a sign-in, a set-up. */
  openBodyBytesMax: 16 * KiB,
  /** The bytes received of all bodies that are being read or worked on. */
  bodyBytesInFlightMax: 128 * MiB,
  headersTimeoutMs: 5_000,
  /** A body may take this long, and a second more for every 32 KiB that came. */
  bodyTimeoutMs: 15_000,
  bodyBytesPerSecondMin: 32 * KiB,
  /** A reader that takes nothing for so long is cut off. */
  stalledReaderTimeoutMs: 30_000,
  /** One that takes a little now and then does not hold its snapshot of the database any longer. */
  streamTimeoutMs: 600_000,
  keepAliveTimeoutMs: 65_000,
  stopTimeoutMs: 25_000,
} as const

export type Limits = Readonly<Record<keyof typeof limits, number>>
