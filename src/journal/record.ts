// What stands in the export journal: one line of text a record, each with the hash of the line before.
import { createHash } from 'node:crypto'

/** What one act did to lines of one destination. */
export interface JournalAct {
  readonly kind: ActKind
  readonly companyId: number
  /** Every entry of the company's ledger up to this number is written down, or needs not be. */
  readonly through: number
  /** Microseconds since 1970. */
  readonly at: number
  readonly destinationId: number
  readonly requestId: string
  readonly entries: readonly JournalEntry[]
}

/** The line is exported; a person closed it as handled elsewhere; it is offered again. */
export type ActKind = 'mark' | 'close' | 'undo'

export interface JournalEntry {
  /** The number of the ledger entry within the company. */
  readonly ledger: number
  readonly lineId: number
  readonly revision: number
  readonly generation: number
  /** Kilde and EksternId of the transaction: under these its source would send it again. */
  readonly source: string | null
  readonly externalId: string | null
}

/** No id above `ceiling` was given out when this was written. */
export interface JournalCeiling {
  readonly kind: 'ceiling'
  readonly companyId: number
  readonly ceiling: number
}

/** How far the audit chain of a company had come. */
export interface JournalHead {
  readonly kind: 'head'
  readonly companyId: number
  readonly sequence: number
  readonly hash: string
}

/** The first line of each file: what the files before it hold, so that a start need not read them. */
export interface JournalOpening {
  readonly kind: 'opening'
  /** Whose ledger is written down. */
  readonly database: string
  /** The hash of the last line of the file before; each file begins a chain of its own. */
  readonly previousHash: string
  readonly companies: readonly CompanyExtent[]
}

export interface CompanyExtent {
  readonly companyId: number
  readonly through: number
  readonly ceiling: number
}

export type JournalRecord = JournalAct | JournalCeiling | JournalHead
export type JournalLine = JournalRecord | JournalOpening

export interface WrittenLine {
  readonly text: string
  readonly hash: string
}

/** The hash of the line before the first. */
export const noHash = ''

export function writeLine(line: JournalLine, previousHash: string): WrittenLine {
  const json = JSON.stringify(isAct(line) ? { ...line, entries: line.entries.map(packed) } : line)
  const hash = hashOf(previousHash, json)
  return { text: `${hash} ${json}\n`, hash }
}

/** Null for what is no whole line, or does not follow the line with `previousHash`. */
export function readLine(
  text: string,
  previousHash: string,
): { readonly line: JournalLine; readonly hash: string } | null {
  const [hash = '', ...rest] = text.split(' ')
  const json = rest.join(' ')
  if (hash !== hashOf(previousHash, json)) return null
  const line: unknown = JSON.parse(json)
  return isLine(line) ? { line: unpacked(line), hash } : null
}

export function isAct(line: JournalLine): line is JournalAct {
  return line.kind === 'mark' || line.kind === 'close' || line.kind === 'undo'
}

function hashOf(previousHash: string, json: string): string {
  return createHash('sha256').update(previousHash).update(json).digest('base64url')
}

/** A call marks up to 100,000 lines: their names are not repeated for each. */
type PackedEntry = readonly [number, number, number, number, string | null, string | null]
type PackedLine =
  | Exclude<JournalLine, JournalAct>
  | (Omit<JournalAct, 'entries'> & { readonly entries: readonly PackedEntry[] })

function packed(entry: JournalEntry): PackedEntry {
  return [
    entry.ledger,
    entry.lineId,
    entry.revision,
    entry.generation,
    entry.source,
    entry.externalId,
  ]
}

function unpacked(line: PackedLine): JournalLine {
  return 'entries' in line
    ? {
        ...line,
        entries: line.entries.map(([ledger, lineId, revision, generation, source, externalId]) => ({
          ledger,
          lineId,
          revision,
          generation,
          source,
          externalId,
        })),
      }
    : line
}

const kinds: ReadonlySet<unknown> = new Set([
  ...(['opening', 'ceiling', 'head'] satisfies JournalLine['kind'][]),
  ...(['mark', 'close', 'undo'] satisfies ActKind[]),
])

/** The hash has told already that this program wrote the line; the kind tells whether an older one knew it. */
function isLine(line: unknown): line is PackedLine {
  return typeof line === 'object' && line !== null && 'kind' in line && kinds.has(line.kind)
}
