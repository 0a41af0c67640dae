// A PostgreSQL server owned by one test, which can be stopped, killed and restarted.
import { execFileSync } from 'node:child_process'
import { appendFileSync, chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const bin = process.env['DAGSVERK_TEST_POSTGRES_BIN']

export const canStartPostgres = bin !== undefined

/** With fsync, so that acknowledged commits survive it. */
export async function startPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'dagsverk-cluster-'))
  const user = process.env['DAGSVERK_TEST_POSTGRES_USER']
  const run = (program: string, ...args: string[]): void => {
    const command = [join(bin ?? '', program), `--pgdata=${join(folder, 'data')}`, ...args]
    const [first = '', ...rest] =
      user === undefined ? command : ['runuser', '-u', user, '--', ...command]
    execFileSync(first, rest, { cwd: folder, stdio: 'ignore' })
  }
  if (user !== undefined) {
    const [uid = 0, gid = 0] = ['-u', '-g'].map((of) => Number(execFileSync('id', [of, user])))
    chownSync(folder, uid, gid)
  }
  run('initdb', '--username=postgres', '--auth=trust', '--no-sync')
  const port = await freePort()
  appendFileSync(
    join(folder, 'data', 'postgresql.conf'),
    `listen_addresses = '127.0.0.1'\nport = ${port}\nunix_socket_directories = '${folder}'\n`,
  )
  const log = `--log=${join(folder, 'log')}`
  const start = () => run('pg_ctl', '--wait', log, 'start')
  const kill = () => run('pg_ctl', '--mode=immediate', 'stop')
  start()
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    start,
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

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
