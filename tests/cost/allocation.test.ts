// Cost of a point read, an upsert and a list, without a clock: the heap that they allocate, and the head of a reply.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { revenueValueNames } from '../../src/model/revenue.ts'
import { useServerCluster } from '../sim/server-cluster.ts'
import { sqlite } from '../support/databases.ts'
import { root } from '../support/repository.ts'
import type { MeasuredAllocation } from './allocation-program.ts'

/** Bytes of heap per point read, with those of a client on a socket: 1.01 times the 23,020 measured (Node 24). */
const heapBytesMax = 23_260

/** Per upsert of a stored cell, which is one commit: 1.05 times the 50,200 measured (Node 24). */
const upsertBytesMax = 52_700

/** Per row of a list of stored cells: 1.05 times the 2,000 measured with amount and remark (Node 24); a further field is some 170 more. */
const rowBytesMax = 2_100 + 190 * (revenueValueNames.length - 2)

/** Bytes of the status line and the headers of its reply. */
const headBytesMax = 568

/** No scavenge falls into a batch of requests. */
const nodeOptions = ['--expose-gc', '--min-semi-space-size=64', '--max-semi-space-size=64']

const cluster = useServerCluster(sqlite, 'allocation')

test('a point read, an upsert and a row of a list allocate little, and the head of a reply is short', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [...nodeOptions, 'tests/cost/allocation-program.ts', cluster.key],
    { cwd: root, env: { ...cluster.environment, DAGSVERK_RATE_LIMIT: '6000', DAGSVERK_LOG_LEVEL: 'info' } },
  )
  const { heapBytes, upsertBytes, rowBytes, headBytes } = JSON.parse(stdout) as MeasuredAllocation
  expect(heapBytes).toBeLessThanOrEqual(heapBytesMax)
  expect(upsertBytes).toBeLessThanOrEqual(upsertBytesMax)
  expect(rowBytes).toBeLessThanOrEqual(rowBytesMax)
  expect(headBytes).toBeLessThanOrEqual(headBytesMax)
}, 180_000)

/** Prints each flag of V8 that a program sets. */
const printsFlags = `
  import v8 from 'node:v8'
  import { syncBuiltinESMExports } from 'node:module'
  v8.setFlagsFromString = (flag) => console.log(flag)
  syncBuiltinESMExports()`

test('V8 does not allocate objects of short requests in the old generation because those of long lists were kept', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(printsFlags)}`, 'src/dagsverk.js', '--version'],
    { cwd: root },
  )
  expect(stdout).toContain('--no-allocation-site-pretenuring')
})
