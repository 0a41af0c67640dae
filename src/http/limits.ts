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
  /** Bodies that are read before the caller is known: sign-in, set-up. */
  publicBodyBytesMax: 16 * KiB,
  /** The received bytes of all bodies that are being read or processed. */
  bodyBytesInFlightMax: 128 * MiB,
  /** Those of one credential, or signed-in person: a list of the maximum size. */
  bodyBytesPerCredentialMax: 32 * MiB,
  /** Those of all credentials and people of one company: less than a network, which it may share with others. */
  bodyBytesPerCompanyMax: 48 * MiB,
  /** Those from one network, behind which there may be many clients. */
  bodyBytesPerNetworkMax: 64 * MiB,
  /** Long replies of one company that wait for their readers: beyond it, bodies and long replies to reads are rejected. */
  unreadBytesPerCompanyMax: 128 * MiB,
  /** Connections from one network without a request of a known caller yet; a setting overrides it. */
  unauthenticatedConnectionsMax: 200,
  headersTimeoutMs: 5_000,
  /** The time limit of a body; every 32 KiB received extend it by one second. */
  bodyTimeoutMs: 15_000,
  bodyBytesPerSecondMin: 32 * KiB,
  /** A client that reads nothing for this long is disconnected. */
  stalledReaderTimeoutMs: 30_000,
  /**
   * How long the data of a streamed or long reply may wait for its reader, in all; what the reader takes extends it, by one second
   * for every 8 KiB.
   */
  slowReaderTimeoutMs: 30_000,
  streamBytesPerSecondMin: 8 * KiB,
  /** The maximum time of a streamed reply, which holds a database snapshot. */
  streamTimeoutMs: 600_000,
  keepAliveTimeoutMs: 65_000,
  stopTimeoutMs: 25_000,
} as const

export type Limits = Readonly<Record<keyof typeof limits, number>>
