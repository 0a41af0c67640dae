// Hand-off clients: they register, approve and export material, and keep the books of a receiver.
import type { SimClient, SimReply } from '../sim/client.ts'
import type { SeededRandom } from '../support/random.ts'

interface Line {
  readonly Id: number
  readonly Eksportnokkel: string
}

/** The clients of a server, and the books of the receiver, which ignores known keys. */
export class HandOffClients {
  /** The key of each booked line. */
  readonly booked = new Map<number, string>()
  /** Lines that were reported as newly exported more than once. */
  readonly #exportedTwice: number[] = []
  readonly #keys = new Set<string>()
  readonly #newlyExported = new Set<number>()
  readonly #client: SimClient
  readonly #random: SeededRandom
  #sent = 0
  #isOver: (reply: SimReply) => boolean = () => false
  #hasEnded = false

  constructor(client: SimClient, random: SeededRandom) {
    this.#client = client
    this.#random = random
  }

  /** Runs until a reply says that it is over. */
  async runUntil(isOver: (reply: SimReply) => boolean): Promise<void> {
    this.#isOver = isOver
    this.#hasEnded = false
    const repeat = async (work: () => Promise<void>) => {
      while (!this.#hasEnded) await work()
    }
    await Promise.all([
      repeat(() => this.#send()),
      repeat(() => this.#decide()),
      repeat(() => this.#fetch()),
      repeat(() => this.#claim()),
    ])
    this.#isOver = () => false
  }

  /** Approves what is left, and retrieves it without claims. */
  async exportRemaining(): Promise<void> {
    await this.#send()
    for (let turn = 0; turn < 20; turn++) {
      await this.#decide()
      await this.#fetch()
    }
  }

  /** Lines that were lost or exported twice; to be called when all are exported. */
  async violations(): Promise<string[]> {
    const all = await this.#client.read('/prosjekt/Transaksjon', { $select: 'Id,Status' })
    const exported = new Set<number>()
    for (const { Id, Status } of all) if (Status === 'Eksportert') exported.add(Id)
    return [
      ...all.filter(({ Status }) => Status === 'Godkjent').map(({ Id }) => `${Id} is not exported`),
      ...[...this.booked.keys()].filter((id) => !exported.has(id)).map((id) => `${id} is booked, but not exported`),
      ...[...exported].filter((id) => !this.booked.has(id)).map((id) => `${id} is not booked`),
      ...this.#exportedTwice.map((id) => `${id} was exported twice`),
    ]
  }

  /** Repeats the last batch, and adds some more. */
  async #send(): Promise<void> {
    const first = Math.max(0, this.#sent - 10)
    const rows = Array.from({ length: 20 }, (_, index) => ({
      Dato: '2025-06-02',
      VareId: 'A1',
      Antall: 1,
      EksternId: `L-${first + index}`,
    }))
    this.#sent = first + rows.length
    await this.#call('POST', '/prosjekt/Transaksjon/Batch?atomic=false', rows)
  }

  /** Approves waiting lines, and sometimes withdraws one. */
  async #decide(): Promise<void> {
    const query = '$filter=Status%20eq%20%27Registrert%27&$select=Id&$top=50'
    const waiting = await this.#call('GET', `/prosjekt/Transaksjon?${query}`)
    if (waiting.effect !== 'ok') return
    const ids: number[] = waiting.json.value.map(({ Id }: Line) => Id)
    if (ids.length === 0) return
    if (this.#random.below(4) === 0) {
      const id = this.#random.pick(ids)
      await this.#call('POST', `/prosjekt/Transaksjon(${id})/Godkjenn`)
      await this.#call('POST', `/prosjekt/Transaksjon(${id})/TrekkGodkjenning`)
    }
    await this.#call('POST', '/prosjekt/Transaksjon/Godkjenn', { ids })
  }

  /** The integration that uses only the endpoints of the specification. */
  async #fetch(): Promise<void> {
    const list = await this.#call('GET', '/prosjekt/TransaksjonsEksport')
    if (list.effect !== 'ok') return
    await this.#report('/prosjekt/Transaksjonseksport/Eksportert', list.json.value)
  }

  /** The integration that uses claims. */
  async #claim(): Promise<void> {
    const body = { max: 20, leaseSeconds: 1 }
    const claim = await this.#call('POST', '/prosjekt/TransaksjonsEksport/Batch', body)
    if (claim.effect !== 'ok' || claim.json.BatchId === null) return
    const path = `/prosjekt/TransaksjonsEksport/Batch/${claim.json.BatchId}/Resultat`
    await this.#report(path, claim.json.value)
  }

  /** Books the lines whose keys are new, then reports all of them. */
  async #report(path: string, lines: readonly Line[]): Promise<void> {
    for (const { Id, Eksportnokkel } of lines) {
      if (this.#keys.has(Eksportnokkel)) continue
      this.#keys.add(Eksportnokkel)
      this.booked.set(Id, Eksportnokkel)
    }
    if (lines.length === 0) return
    const reply = await this.#call('POST', path, { ids: lines.map(({ Id }) => Id) })
    if (reply.effect !== 'ok') return
    for (const { id, code } of reply.json.resultater) {
      if (code !== 'exported') continue
      if (this.#newlyExported.has(id)) this.#exportedTwice.push(id)
      this.#newlyExported.add(id)
    }
  }

  async #call(method: string, path: string, json?: unknown): Promise<SimReply> {
    const reply = await this.#client.call(method, path, { json })
    if (this.#isOver(reply)) this.#hasEnded = true
    return reply
  }
}
