// Kills the server during registration, approval and export: the receiver, which ignores known keys, has every
// line once. DAGSVERK_TEST_KILLS=1000 sets the number of kills per database.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../support/databases.ts'
import { openSimClient, type SimClient } from '../sim/client.ts'
import { seededRandom, type SeededRandom } from '../support/random.ts'
import { startServerCluster, type ServerCluster } from '../sim/server-cluster.ts'

const kills = Number(process.env['DAGSVERK_TEST_KILLS'] ?? 5)

interface Line {
  readonly Id: number
  readonly Eksportnokkel: string
}

describe.each(databases)('material on $name, while the server is killed', (database) => {
  let cluster: ServerCluster
  beforeEach(async () => {
    cluster = await startServerCluster(database, 'kill-material', '--scopes', 'material:*')
  })
  afterEach(() => cluster.destroy())

  test(
    'every line is handed off once, and nothing approved is lost',
    async () => {
      let address = ''
      const client = openSimClient(cluster.key, () => address)
      const random = seededRandom()
      const clients = new HandOffClients(client, random)
      for (let kill = 0; kill < kills; kill++) {
        const server = await cluster.start()
        address = server.address
        const work = clients.runUntilNoReply()
        await new Promise((resolve) => setTimeout(resolve, 50 + random.below(300)))
        await server.kill()
        await work
      }
      const server = await cluster.start()
      address = server.address
      await clients.exportRemaining()
      process.stderr.write(`${clients.booked.size} lines booked over ${kills} kills\n`)
      const all = await client.read('/prosjekt/Transaksjon', { $select: 'Id,Status' })
      const exported = all.filter(({ Status }) => Status === 'Eksportert').map(({ Id }) => Id)
      const approved = all.filter(({ Status }) => Status === 'Godkjent')
      expect(approved).toEqual([])
      expect(clients.booked.size).toBeGreaterThan(0)
      expect([...clients.booked.keys()].toSorted((a, b) => a - b)).toEqual(exported)
      expect(clients.exportedTwice).toEqual([])
      client.close()
    },
    60_000 + kills * 8000,
  )
})

/** The clients of the server, and the books of the receiver. */
class HandOffClients {
  /** The key of each booked line. */
  readonly booked = new Map<number, string>()
  /** Lines that were reported as newly exported more than once. */
  readonly exportedTwice: number[] = []
  readonly #keys = new Set<string>()
  readonly #newlyExported = new Set<number>()
  readonly #client: SimClient
  readonly #random: SeededRandom
  #sent = 0

  constructor(client: SimClient, random: SeededRandom) {
    this.#client = client
    this.#random = random
  }

  /** Runs until the server stops replying. */
  async runUntilNoReply(): Promise<void> {
    const forever = async (work: () => Promise<boolean>) => {
      while (await work());
    }
    await Promise.all([
      forever(() => this.#send()),
      forever(() => this.#decide()),
      forever(() => this.#fetch()),
      forever(() => this.#claim()),
    ])
  }

  /** Approves what is left, and retrieves it without claims. */
  async exportRemaining(): Promise<void> {
    await this.#send()
    for (let turn = 0; turn < 20; turn++) {
      await this.#decide()
      await this.#fetch()
    }
  }

  /** Repeats the last batch, and adds some more. */
  async #send(): Promise<boolean> {
    const first = Math.max(0, this.#sent - 10)
    const rows = Array.from({ length: 20 }, (_, index) => ({
      Dato: '2025-06-02',
      VareId: 'A1',
      Antall: 1,
      EksternId: `L-${first + index}`,
    }))
    this.#sent = first + rows.length
    return this.#hasReply('POST', '/prosjekt/Transaksjon/Batch?atomic=false', rows)
  }

  /** Approves waiting lines, and sometimes withdraws one. */
  async #decide(): Promise<boolean> {
    const query = '$filter=Status%20eq%20%27Registrert%27&$select=Id&$top=50'
    const waiting = await this.#client.call('GET', `/prosjekt/Transaksjon?${query}`)
    if (waiting.effect !== 'ok') return false
    const ids: number[] = waiting.json.value.map(({ Id }: Line) => Id)
    if (ids.length === 0) return true
    if (this.#random.below(4) === 0) {
      const id = this.#random.pick(ids)
      await this.#hasReply('POST', `/prosjekt/Transaksjon(${id})/Godkjenn`)
      await this.#hasReply('POST', `/prosjekt/Transaksjon(${id})/TrekkGodkjenning`)
    }
    return this.#hasReply('POST', '/prosjekt/Transaksjon/Godkjenn', { ids })
  }

  /** The integration that uses only the endpoints of the specification. */
  async #fetch(): Promise<boolean> {
    const list = await this.#client.call('GET', '/prosjekt/TransaksjonsEksport')
    if (list.effect !== 'ok') return false
    return this.#report('/prosjekt/Transaksjonseksport/Eksportert', list.json.value)
  }

  /** The integration that uses claims. */
  async #claim(): Promise<boolean> {
    const body = { max: 20, leaseSeconds: 1 }
    const claim = await this.#client.call('POST', '/prosjekt/TransaksjonsEksport/Batch', {
      json: body,
    })
    if (claim.status === 0) return false
    if (claim.effect !== 'ok' || claim.json.BatchId === null) return true
    const path = `/prosjekt/TransaksjonsEksport/Batch/${claim.json.BatchId}/Resultat`
    return this.#report(path, claim.json.value)
  }

  /** Books the lines whose keys are new, then reports all of them. */
  async #report(path: string, lines: readonly Line[]): Promise<boolean> {
    for (const { Id, Eksportnokkel } of lines) {
      if (this.#keys.has(Eksportnokkel)) continue
      this.#keys.add(Eksportnokkel)
      this.booked.set(Id, Eksportnokkel)
    }
    if (lines.length === 0) return true
    const reply = await this.#client.call('POST', path, {
      json: { ids: lines.map(({ Id }) => Id) },
    })
    if (reply.effect !== 'ok') return reply.status !== 0
    for (const { id, code } of reply.json.resultater) {
      if (code !== 'exported') continue
      if (this.#newlyExported.has(id)) this.exportedTwice.push(id)
      this.#newlyExported.add(id)
    }
    return true
  }

  async #hasReply(method: string, path: string, json?: unknown): Promise<boolean> {
    return (await this.#client.call(method, path, json === undefined ? {} : { json })).status !== 0
  }
}
