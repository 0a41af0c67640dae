// Default limits on the size and time of requests and replies.

const KiB = 1024
const MiB = 1024 * KiB

export const limits = {
  urlBytesMax: 16 * KiB,
  headersBytesMax: 16 * KiB,
  headersMax: 100,
  /** Above the sum of the two, so that this server replies to both errors, not Node. */
  nodeHeaderBytesMax: 48 * KiB,
  /** Bodies that hold a list. */
  listBytesMax: 32 * MiB,
  bodyBytesMax: 1 * MiB,
  /** Bodies that are read before authentication: sign-in, set-up. */
  publicBodyBytesMax: 16 * KiB,
  /** The received bytes of all bodies that are being read or processed. */
  bodyBytesInFlightMax: 128 * MiB,
  headersTimeoutMs: 5_000,
  /** The time limit of a body; every 32 KiB received extend it by one second. */
  bodyTimeoutMs: 15_000,
  bodyBytesPerSecondMin: 32 * KiB,
  /** A client that reads nothing for this long is disconnected. */
  stalledReaderTimeoutMs: 30_000,
  /** The maximum time of a streamed reply, which holds a database snapshot. */
  streamTimeoutMs: 600_000,
  keepAliveTimeoutMs: 65_000,
  stopTimeoutMs: 25_000,
} as const

export type Limits = Readonly<Record<keyof typeof limits, number>>
