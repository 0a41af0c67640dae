// Records of the export journal: one line of text each, chained by hashes.
import { createHash } from 'node:crypto'

/** One action on lines of one destination. */
export interface JournalAction {
  readonly kind: JournalActionKind
  readonly companyId: number
  /** All entries of the company's ledger up to this number are in the journal, or need not be. */
  readonly through: number
  /** Microseconds since 1970. */
  readonly at: number
  readonly destinationId: number
  readonly requestId: string
  readonly entries: readonly JournalEntry[]
}

/** The line is exported; a user closed it as handled elsewhere; it is exportable again. */
export type JournalActionKind = 'acknowledge' | 'close' | 'undo'

export interface JournalEntry {
  /** The number of the ledger entry within the company. */
  readonly ledger: number
  readonly lineId: number
  readonly revision: number
  readonly generation: number
  /** Kilde and EksternId of the transaction, by which its source would send it again. */
  readonly source: string | null
  readonly externalId: string | null
}

/** The ids of transactions and lines up to the ceiling are reserved: a restored database assigns higher ones. */
export interface JournalCeiling {
  readonly kind: 'ceiling'
  readonly companyId: number
  readonly ceiling: number
}

/** The first line of each file: a summary of the previous files, so that a start need not read them. */
export interface JournalOpening {
  readonly kind: 'opening'
  readonly database: string
  /** The hash of the last line of the previous file, `noHash` for the first file; each file starts its own chain. */
  readonly previousHash: string
  /** A write failed before: lines that nobody relied on may follow the one with `previousHash`. */
  readonly isAfterFailure?: boolean
  readonly companies: readonly CompanyWatermark[]
}

/** What the journal has of a company: the ids of its last ledger entry and its last ceiling. */
export interface CompanyWatermark {
  readonly companyId: number
  readonly through: number
  readonly ceiling: number
}

export type JournalRecord = JournalAction | JournalCeiling
export type JournalLine = JournalRecord | JournalOpening

/** The hash before the first line. */
export const noHash = ''

export function formatLine(line: JournalLine, previousHash: string): { readonly text: string; readonly hash: string } {
  const json = JSON.stringify(isAction(line) ? { ...line, entries: line.entries.map(packEntry) } : line)
  const hash = hashLine(previousHash, json)
  return { text: `${hash} ${json}\n`, hash }
}

/** Null for a line that is damaged or does not follow the line with `previousHash`. */
export function parseLine(
  text: string,
  previousHash: string,
): { readonly line: JournalLine; readonly hash: string } | null {
  const [hash = '', ...rest] = text.split(' ')
  const json = rest.join(' ')
  if (hash !== hashLine(previousHash, json)) return null
  // The hash proves that this program wrote the line; an older version may not know its kind.
  const line: PackedLine = JSON.parse(json)
  return kinds.has(line.kind) ? { line: unpackLine(line), hash } : null
}

export function isAction(line: JournalLine): line is JournalAction {
  return line.kind === 'acknowledge' || line.kind === 'close' || line.kind === 'undo'
}

function hashLine(previousHash: string, json: string): string {
  return createHash('sha256').update(previousHash).update(json).digest('base64url')
}

/** An action has up to 100,000 lines, so entries are arrays without member names. */
type PackedEntry = readonly [number, number, number, number, string | null, string | null]
type PackedLine =
  | Exclude<JournalLine, JournalAction>
  | (Omit<JournalAction, 'entries'> & { readonly entries: readonly PackedEntry[] })

function packEntry(entry: JournalEntry): PackedEntry {
  return [entry.ledger, entry.lineId, entry.revision, entry.generation, entry.source, entry.externalId]
}

function unpackLine(line: PackedLine): JournalLine {
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

const kinds = new Set<JournalLine['kind']>(['opening', 'ceiling', 'acknowledge', 'close', 'undo'])
