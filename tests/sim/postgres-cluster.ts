// PostgreSQL servers of one test, alone or as a group with standbys, to be killed and restarted.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { freePort } from '../support/ports.ts'
import { makeDataFolder } from '../support/data-folder.ts'

const bin = process.env['DAGSVERK_TEST_POSTGRES_BIN']

export const canStartPostgres = bin !== undefined

export interface PostgresServer {
  readonly url: string
  readonly isRunning: boolean
  start(): void
  kill(): void
  remove(): Promise<void>
}

/** With fsync, so that acknowledged commits survive it. */
export async function startPostgres(): Promise<PostgresServer> {
  const { url, run, configure, ...server } = await createServerFolder()
  run('initdb', '--username=postgres', '--auth=trust', '--no-sync')
  configure([])
  server.start()
  let isRunning = true
  return {
    url,
    get isRunning() {
      return isRunning
    },
    start: () => {
      server.start()
      isRunning = true
    },
    kill: () => {
      server.kill()
      isRunning = false
    },
    remove: server.remove,
  }
}

export interface PostgresGroup {
  /** Names every server of it. */
  readonly url: string
  /** Of one server, in the order in which they were started; the first is the primary. */
  readonly urls: readonly string[]
  /** Ends the standbys once they have what is committed, until `failOver`, which then loses what is committed meanwhile. */
  stopStandbys(): Promise<void>
  /** Kills the primary, and promotes the standby that has received most. */
  failOver(): Promise<void>
  /** Starts the last primary again, which does not know that it was replaced. */
  startReplacedPrimary(): void
  /** Makes the last primary a standby of the present one. */
  rejoin(): Promise<void>
  remove(): Promise<void>
}

/**
 * The set-up of docs/operating.md: three servers, of which each follows whichever is the primary, and whose commits wait
 * for one standby unless they are not `synchronous`.
 */
export async function startPostgresGroup({ synchronous = true } = {}): Promise<PostgresGroup> {
  const members = await Promise.all(['a', 'b', 'c'].map(async (name) => ({ name, ...(await createServerFolder()) })))
  const ports = members.map(({ port }) => port)
  const primaryConnection = `host=${ports.map(() => '127.0.0.1').join()} port=${ports.join()} user=postgres target_session_attrs=read-write`
  const settings = (name: string) => [
    `cluster_name = '${name}'`,
    `synchronous_standby_names = '${synchronous ? 'ANY 1 (a, b, c)' : ''}'`,
    `primary_conninfo = '${primaryConnection}'`,
    "wal_retrieve_retry_interval = '1s'",
  ]
  const [first] = members
  if (first === undefined) throw new Error('no server')
  const follow = async (member: (typeof members)[number], source: number) => {
    await member.remove()
    const from = ['--host=127.0.0.1', `--port=${source}`, '--username=postgres']
    await member.create()
    member.run('pg_basebackup', ...from, '--checkpoint=fast', '--no-sync', '--write-recovery-conf')
    member.configure(settings(member.name))
    member.start()
  }
  first.run('initdb', '--username=postgres', '--auth=trust', '--no-sync')
  first.configure(settings(first.name))
  first.start()
  for (const member of members.slice(1)) await follow(member, first.port)
  let primary = first
  let replaced = first
  let stopped: typeof members = []
  const names = ports.map((port) => `127.0.0.1:${port}`).join()
  return {
    url: `postgres://postgres@${names}/postgres?target_session_attrs=read-write`,
    urls: members.map(({ url }) => url),
    stopStandbys: async () => {
      stopped = members.filter((member) => member !== primary)
      const written = await getPosition(primary.url, 'pg_current_wal_lsn()')
      for (const { url } of stopped) while ((await getPosition(url, received)) < written) await setTimeout(20)
      for (const { run } of stopped) run('pg_ctl', '--mode=fast', 'stop')
    },
    failOver: async () => {
      primary.kill()
      replaced = primary
      for (const { start } of stopped) start()
      stopped = []
      const standbys = members.filter((member) => member !== primary)
      const positions = await Promise.all(standbys.map(({ url }) => getPosition(url, received)))
      const best = standbys[positions.indexOf(Math.max(...positions))]
      if (best === undefined) throw new Error('no standby')
      best.run('pg_ctl', '--wait', 'promote')
      primary = best
    },
    startReplacedPrimary: () => replaced.start(),
    rejoin: () => follow(replaced, primary.port),
    remove: async () => {
      for (const { remove } of members) await remove()
    },
  }
}

const received = 'pg_last_wal_receive_lsn()'

/** Bytes of the write-ahead log. */
async function getPosition(url: string, position: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ bytes: string }>(`select pg_wal_lsn_diff(${position}, '0/0') as bytes`)
  await client.end()
  return Number(rows[0]?.bytes)
}

async function createServerFolder() {
  const port = await freePort()
  const user = process.env['DAGSVERK_TEST_POSTGRES_USER']
  let folder = ''
  const create = async () => {
    folder = makeDataFolder('cluster')
    if (user === undefined) return
    const [uid = 0, gid = 0] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, user])))
    chownSync(folder, uid, gid)
  }
  const run = (program: string, ...args: string[]): void => {
    const command = [join(bin ?? '', program), `--pgdata=${join(folder, 'data')}`, ...args]
    const [first = '', ...rest] = user === undefined ? command : ['runuser', '-u', user, '--', ...command]
    execFileSync(first, rest, { cwd: folder, stdio: 'ignore' })
  }
  const configure = (more: readonly string[]) => {
    const address = ["listen_addresses = '127.0.0.1'", `port = ${port}`, `unix_socket_directories = '${folder}'`]
    const lines = [...address, ...more].map((line) => `${line}\n`)
    // After those of the primary, which pg_basebackup copies.
    appendFileSync(join(folder, 'data', 'postgresql.auto.conf'), lines.join(''))
  }
  const kill = () => run('pg_ctl', '--mode=immediate', 'stop')
  await create()
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    create,
    run,
    configure,
    start: () => run('pg_ctl', '--wait', `--log=${join(folder, 'log')}`, 'start'),
    kill,
    remove: async () => {
      try {
        kill()
      } catch {
        // It is stopped already.
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
