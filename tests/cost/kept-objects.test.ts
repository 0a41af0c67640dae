// Memory of a server, without a clock: the objects that it keeps after requests of each kind.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'
import { databases } from '../support/databases.ts'
import { root } from '../support/repository.ts'
import type { KeptObjects } from './kept-objects-program.ts'

/** The first requests of a kind fill caches. */
const [warmUpRequests, measuredRequests] = [600, 400]
/** One object for each request would be 400. */
const objectsMax = 100

describe.each(databases)('a server on $name', (database) => {
  let cluster: ServerCluster
  afterEach(() => cluster.destroy())

  test('keeps no object of a request that is over, whatever its reply', { timeout: 300_000 }, async () => {
    cluster = await startServerCluster(database, 'kept', '--scopes', 'revenue:*,material:*,export:*,directory:*')
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['tests/cost/kept-objects-program.ts', cluster.key, `${warmUpRequests}`, `${measuredRequests}`],
      { cwd: root, env: cluster.environment },
    )
    const kept = JSON.parse(stdout) as KeptObjects
    expect(Object.keys(kept)).toHaveLength(10)
    expect(Object.entries(kept).filter(([, count]) => count > objectsMax)).toEqual([])
  })
})
