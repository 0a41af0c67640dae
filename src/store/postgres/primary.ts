// The primary of PostgreSQL: connections are opened to it only, among the servers of a URL.
import { Client, type ClientBase, type ClientConfig } from 'pg'
import { isUnavailable, NoPrimaryError, replyTimeoutMessage } from './errors.ts'
import { ReplyDeadline } from './reply-deadline.ts'
import { urlsOfServers } from '../../lib/postgres-url.ts'
import { shareRunning } from '../../lib/share-running.ts'

/**
 * The class of a pool's clients: each connects to the server that accepts writes, and fails where there is none. The
 * server is looked for at the first connection, and after a connection to it failed (ADR 0057).
 */
export function primaryClient(url: string, config: ListeningClientConfig): new () => Client {
  const search = new PrimarySearch(urlsOfServers(url), config)
  return class extends ListeningClient {
    override connect(): Promise<Client>
    override connect(callback: ConnectCallback): void
    override connect(callback?: ConnectCallback): Promise<Client> {
      const connecting = search.connect(this, () => super.connect())
      const done = callback as ((error: Error | null) => void) | undefined
      if (done !== undefined) void connecting.then(() => done(null), done)
      return connecting
    }
  }
}

/** The driver calls it with an error or null. */
type ConnectCallback = Parameters<Client['connect']>[0]

/** The pool passes its options on. */
export interface ListeningClientConfig extends ClientConfig {
  /** Closes a connection that waits for a reply so long; the `query_timeout` of the driver is a timer for each query. */
  readonly replyTimeoutMs?: number
  /** The processes of the server that work on a query, found over another connection; without it only the time limit counts. */
  readonly findWorkingProcesses?: () => Promise<ReadonlySet<number>>
  /** Receives the process of the server whose connection was closed so: it may hold locks. */
  readonly onReplyTimeout?: (processId: number) => void
  /** A connection has broken, idle or not. */
  readonly onConnectionLoss?: () => void
  /** Receives of each new connection when its server was started. */
  readonly onConnection?: (serverStart: string) => void
}

export class ListeningClient extends Client {
  readonly deadline: ReplyDeadline | null
  /** Of PostgreSQL itself; null until the connection is used. */
  serverProcessId: number | null = null
  #bytesRead = 0

  constructor(config: ListeningClientConfig = {}) {
    super(config)
    const { replyTimeoutMs, findWorkingProcesses, onReplyTimeout, onConnectionLoss = () => undefined } = config
    this.deadline =
      replyTimeoutMs === undefined
        ? null
        : new ReplyDeadline({
            limitMs: replyTimeoutMs,
            isLost: async () => findWorkingProcesses !== undefined && this.#isReplyLost(findWorkingProcesses),
            expire: () => {
              if (this.serverProcessId !== null) onReplyTimeout?.(this.serverProcessId)
              this.connection.stream.destroy(new Error(replyTimeoutMessage))
            },
          })
    // Without a listener, an error of an idle connection would end the process. It can be in the same packet as the
    // end of the connection's start, before the pool listens.
    this.on('error', onConnectionLoss)
  }

  /** Nothing is being sent or received, and the server does not work for this connection. */
  async #isReplyLost(findWorkingProcesses: () => Promise<ReadonlySet<number>>): Promise<boolean> {
    const { stream } = this.connection
    const { bytesRead = 0 } = stream as { readonly bytesRead?: number }
    const isMoving = stream.writableLength > 0 || bytesRead !== this.#bytesRead
    this.#bytesRead = bytesRead
    if (isMoving || this.serverProcessId === null) return false
    try {
      return !(await findWorkingProcesses()).has(this.serverProcessId)
    } catch {
      return false
    }
  }
}

/** The process of PostgreSQL itself that serves a connection, also behind a pooler. */
export function processIdOf(client: ClientBase): number | null {
  return client instanceof ListeningClient ? client.serverProcessId : null
}

class PrimarySearch {
  readonly #urls: readonly string[]
  readonly #config: ListeningClientConfig
  #found: ServerAddress | null = null
  /** Each promotion begins a higher one, so a primary of a lower one was replaced. */
  #lastTimeline = ''

  constructor(urls: readonly string[], config: ListeningClientConfig) {
    this.#urls = urls
    this.#config = config
  }

  /** Queries the server: a pooler accepts connections while it is unavailable, and repeats the parameters of its first connection. */
  async connect(client: Client, connect: () => Promise<Client>): Promise<Client> {
    const server = this.#urls.length === 1 ? client : (this.#found ?? (await this.#find()))
    client.host = server.host
    client.port = server.port
    try {
      await connect()
      const { isReadOnly, serverStart, processId } = await findServerState(client)
      if (isReadOnly) throw new NoPrimaryError([{ ...addressOf(client), reason: readOnly }])
      if (client instanceof ListeningClient) client.serverProcessId = processId
      this.#config.onConnection?.(serverStart)
      return client
    } catch (error) {
      if (this.#found === server) this.#found = null
      void client.end()
      throw error
    }
  }

  /** All at once, because one that does not respond must not delay the others. */
  readonly #find = shareRunning(async () => {
    const probes = await Promise.all(this.#urls.map((url) => probeServer(url, this.#config)))
    const [newest] = probes
      .filter(({ timeline }) => timeline !== '' && timeline >= this.#lastTimeline)
      .toSorted((a, b) => b.timeline.localeCompare(a.timeline))
    if (newest === undefined) {
      const isPermanent = probes.every(({ permanentError }) => permanentError !== null)
      throw (isPermanent && probes[0]?.permanentError) || new NoPrimaryError(probes)
    }
    this.#lastTimeline = newest.timeline
    this.#found = newest
    return newest
  })
}

interface ServerAddress {
  readonly host: string
  readonly port: number
}

interface ServerProbe extends ServerAddress {
  /** Hexadecimal, of constant length; '' unless the server accepts writes. */
  readonly timeline: string
  /** Why it is not the primary. */
  readonly reason: string
  /** An error that does not go away by itself, such as a wrong password. */
  readonly permanentError: Error | null
}

async function probeServer(url: string, config: ClientConfig): Promise<ServerProbe> {
  const client = new ListeningClient({
    ...config,
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  })
  const probe = { ...addressOf(client), timeline: '', reason: readOnly, permanentError: null }
  try {
    await client.connect()
    if ((await findServerState(client)).isReadOnly) return probe
    const { rows } = await client.query<{ timeline: string }>(timelineText)
    return { ...probe, timeline: rows[0]?.timeline ?? '', reason: 'was replaced by another' }
  } catch (error) {
    const permanentError = error instanceof Error && !isUnavailable(error) ? error : null
    return { ...probe, reason: reasonOf(error), permanentError }
  } finally {
    void client.end()
  }
}

function addressOf({ host, port }: ServerAddress): ServerAddress {
  return { host, port }
}

/** The message of an error, or its code: a host name with several addresses has an error without a message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.message || ('code' in error ? String(error.code) : error.name)
}

const readOnly = 'is a standby or read-only'

interface ConnectedServer {
  readonly isReadOnly: boolean
  readonly serverStart: string
  readonly processId: number | null
}

async function findServerState(client: Client): Promise<ConnectedServer> {
  const { rows } = await client.query<{ setting: string; start: string; id: number }>(
    `select current_setting('transaction_read_only') as setting, pg_postmaster_start_time()::text as start, pg_backend_pid() as id`,
  )
  const [state] = rows
  return { isReadOnly: state?.setting === 'on', serverStart: state?.start ?? '', processId: state?.id ?? null }
}

/** Its control file has the timeline only after the next checkpoint. */
const timelineText = 'select substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) as timeline'
/** Less than the time limit of a connection, which includes the search. */
const probeMs = 2000
