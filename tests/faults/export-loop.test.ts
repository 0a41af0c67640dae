// An integration is killed between processing and reporting, and the server meanwhile: no line is lost or
// doubled.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, describe, expect, test } from 'vitest'
import { connect, type Client } from '../../src/client/client.ts'
import { databases } from '../support/databases.ts'
import { freePort } from '../support/ports.ts'
import { root } from '../support/repository.ts'
import { openSimClient } from '../sim/client.ts'
import { useServerCluster } from '../sim/server-cluster.ts'

describe.each(databases)('an integration on $name', (database) => {
  const cluster = useServerCluster(database, 'loop', '--scopes', 'material:*')
  let environment: Record<string, string>
  let url: string
  beforeEach(async () => {
    // A restarted server has the same URL.
    const port = await freePort()
    environment = { DAGSVERK_PORT: String(port) }
    url = `http://127.0.0.1:${port}`
  })

  const approved = async (client: Client, count: number): Promise<string[]> => {
    const row = { Dato: '2026-11-02', VareId: 'A1', Antall: 2 }
    const { results } = await client.registerBatch(Array.from({ length: count }, () => row))
    const ids = results.map(({ id }) => Number(id))
    const manager = openSimClient(cluster.key, () => url)
    await manager.call('POST', '/prosjekt/Transaksjon/Godkjenn', { json: { ids } })
    return ids.map((id) => `T${id}.r1`)
  }
  const receiver = () => join(cluster.dataDir, '..', 'receiver')
  const received = () => readFileSync(receiver(), 'utf8').split('\n').slice(0, -1).toSorted()

  const work = (more: Readonly<Record<string, string>>) => {
    const child = spawn(process.execPath, ['tests/faults/export-worker.ts'], {
      cwd: root,
      env: { URL: url, KEY: cluster.key, RECEIVER: receiver(), ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let printed = ''
    child.stdout.on('data', (part: Buffer) => {
      printed += part.toString()
    })
    return once(child, 'close').then(([code, signal]) => ({ code, signal, printed }))
  }

  test.each(['yes', 'no'])(
    'with claims: %s, killed before and after processing and after a report, has every line once',
    async (CLAIMS) => {
      await cluster.start(undefined, environment)
      const client = connect({ url, key: cluster.key })
      const keys = await approved(client, 30)
      for (const CRASH_AT of ['before', 'after', 'report'])
        expect((await work({ CLAIMS, CRASH_AT, LINES: '5' })).signal).toBe('SIGKILL')
      expect(await Array.fromAsync(client.exportable())).not.toEqual([])
      expect((await work({ CLAIMS })).code).toBe(0)
      expect(received()).toEqual(keys.toSorted())
      expect(await Array.fromAsync(client.exportable())).toEqual([])
    },
    120_000,
  )

  test('continues when the server is stopped, killed and restarted meanwhile', async () => {
    let server = await cluster.start(undefined, environment)
    const client = connect({ url, key: cluster.key, attempts: 40 })
    const keys = await approved(client, 60)
    const working = work({})
    for (const end of ['kill', 'stop', 'kill'] as const) {
      await sleep(300)
      await server[end]()
      server = await cluster.start(undefined, environment)
    }
    expect((await working).code).toBe(0)
    expect(received()).toEqual(keys.toSorted())
    expect(await Array.fromAsync(client.exportable())).toEqual([])
  }, 120_000)
})
