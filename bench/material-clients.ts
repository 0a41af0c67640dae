// Clients of the material comparison: the same steps of a line's life at Dagsverk and at the peer.
import { addApiKey, type DagsverkServer } from './dagsverk.ts'
import { capPath, capRoot, revenuePath } from './requests.ts'
import type { usageOf } from './rows.ts'
import type { ServerUnderTest } from './server.ts'

export type MaterialLine = ReturnType<typeof usageOf>

/** The steps of one company's lines. Each throws unless all of its lines were accepted. */
export interface MaterialClient {
  readonly server: ServerUnderTest
  /** Returns the ids of the lines. */
  readonly register: (lines: readonly MaterialLine[]) => Promise<readonly number[]>
  readonly approve: (ids: readonly number[]) => Promise<void>
  /** Reads all lines that are approved and not acknowledged. */
  readonly retrieve: () => Promise<Retrieved>
  readonly acknowledge: (ids: readonly number[]) => Promise<void>
}

interface Retrieved {
  readonly lines: number
  readonly bytes: number
}

/** No line of the company waits for export when this resolves. */
export async function dagsverkClient(server: DagsverkServer, company: number): Promise<MaterialClient> {
  const key = { name: 'material', scopes: 'material:*' }
  const headers = { 'tb-key': await addApiKey(server.installation, company, key) }
  const post = async (path: string, body: unknown) =>
    (await requestJson(server, path, { headers, body })) as MaterialResults
  const acknowledge = async (ids: readonly number[]) => {
    const { antall } = await post('/prosjekt/Transaksjonseksport/Eksportert', { ids })
    requireCount(antall['exported'] ?? 0, ids.length)
  }
  const waiting = await requestJson(server, `${exportPath}?$select=Id`, { headers })
  await acknowledge((waiting as { value: { Id: number }[] }).value.map(({ Id }) => Id))
  return {
    server,
    register: async (lines) => {
      const { resultater } = await post('/prosjekt/Transaksjon/Batch', lines)
      return resultater.map(({ id }) => id)
    },
    approve: async (ids) => {
      const { antall } = await post('/prosjekt/Transaksjon/Godkjenn', { ids })
      requireCount(antall['approved'] ?? 0, ids.length)
    },
    retrieve: () => retrieve(server, exportPath, headers),
    acknowledge,
  }
}

export function capClient(server: ServerUnderTest, company: number): MaterialClient {
  const post = async (action: string, body: unknown) =>
    (await requestJson(server, `${capRoot}/${action}`, { body })) as { value: unknown }
  const change = async (action: string, ids: readonly number[]) => {
    const { value } = await post(action, { ids })
    requireCount(Number(value), ids.length)
  }
  const filter = `$filter=Firma eq ${company} and Status eq 'Godkjent'`
  const waitingPath = capPath('Transaksjon', [filter, '$orderby=Id', '$top=1000000'])
  return {
    server,
    register: async (lines) => {
      const rader = lines.map((line) => ({ Firma: company, ...line }))
      return (await post('Registrer', { rader })).value as number[]
    },
    approve: (ids) => change('Godkjenn', ids),
    retrieve: () => retrieve(server, waitingPath, {}),
    acknowledge: (ids) => change('Eksporter', ids),
  }
}

/** Reads the first `records` revenue records of a company, for comparison with a retrieval. */
export async function findRecords(server: ServerUnderTest, company: number, records: number): Promise<void> {
  const found = await requestJson(server, revenuePath(company, 'Finn', [`$top=${records}`]), {})
  requireCount((found as unknown[]).length, records)
}

const exportPath = '/prosjekt/TransaksjonsEksport'

interface MaterialResults {
  readonly resultater: readonly { readonly id: number }[]
  /** The number of results by code. */
  readonly antall: Readonly<Record<string, number>>
}

interface JsonRequest {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with POST; without it the method is GET. */
  readonly body?: unknown
}

async function requestJson(
  { port }: ServerUnderTest,
  path: string,
  { headers = {}, body }: JsonRequest,
): Promise<unknown> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${path}: ${reply.status} ${(await reply.text()).slice(0, 500)}`)
  return reply.json()
}

/** Counts the lines of a list while it arrives: a million of them are longer than a string can be. */
async function retrieve(
  { port }: ServerUnderTest,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Retrieved> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
  if (!reply.ok || reply.body === null) throw new Error(`${path}: ${reply.status}`)
  let bytes = 0
  let braces = 0
  for await (const chunk of reply.body) {
    bytes += chunk.length
    for (let at = chunk.indexOf(brace); at !== -1; at = chunk.indexOf(brace, at + 1)) braces++
  }
  return { lines: braces - 1, bytes }
}

/** Each line has one, and the envelope. */
const brace = 0x7b

function requireCount(count: number, expected: number): void {
  if (count !== expected) throw new Error(`expected ${expected} lines, got ${count}`)
}
