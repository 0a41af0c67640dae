// Files of a spreadsheet: their columns, a try or a run with its progress, the runs there were, and taking one back.
import { queryOptions } from '@tanstack/react-query'
import { act, addressOf, ask, Refusal, sendFile } from '../../api/client.ts'
import type { ImportedSet } from '../../api/imported-sets.ts'

export interface Run {
  readonly id: number
  /** Microseconds. */
  readonly at: number
  readonly actor: string
  readonly resource: ImportedSet
  readonly file: string
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly wrong: number
  readonly undoneAt: number | null
  readonly undoneBy: string | null
  readonly isUndoable: boolean
}

export const runsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: () =>
    ask<{ subjects: readonly ImportedSet[]; runs: readonly Run[] }>('/app/data/import'),
})

export interface ImportField {
  readonly wire: string
  readonly type: 'text' | 'integer' | 'decimal' | 'date' | 'boolean' | 'stamp'
  readonly nb: string
  readonly en: string
}

export interface FileColumns {
  readonly headers: readonly string[]
  /** A field for each header, or null. */
  readonly guessed: readonly (string | null)[]
  /** Those that are kept, as they lie on these columns; the one that was saved last comes first. */
  readonly mappings: readonly SavedMapping[]
  readonly rows: number
  readonly first: readonly { readonly line: number; readonly cells: readonly string[] }[]
  /** Of each group one field must be there. */
  readonly needs: readonly (readonly string[])[]
  readonly fields: readonly ImportField[]
}

export interface SavedMapping {
  readonly name: string
  readonly fields: readonly (string | null)[]
  /** It was saved for these headers. */
  readonly isFitting: boolean
}

export interface MappedColumn {
  readonly header: string
  /** '' leaves it out. */
  readonly field: string
}

/** In the place of the one that has this name. */
export function keepMapping(
  set: ImportedSet,
  name: string,
  columns: readonly MappedColumn[],
): Promise<null> {
  return act('POST', `${mappingAddress(set)}${addressOf({ name })}`, columns)
}

export function renameMapping(set: ImportedSet, name: string, to: string): Promise<null> {
  return act('POST', `${mappingAddress(set)}/navn`, { name, to })
}

/** What it was: it was saved for other headers, perhaps. */
export async function dropMapping(
  set: ImportedSet,
  name: string,
): Promise<readonly MappedColumn[]> {
  return (await act<{ columns: readonly MappedColumn[] }>('DELETE', mappingAddress(set), { name }))
    .columns
}

function mappingAddress(set: ImportedSet): string {
  return `/app/data/import/${set}/oppsett`
}

export async function columnsIn(set: ImportedSet, file: Blob): Promise<FileColumns> {
  return (await sendFile(`/app/data/import/${set}/kolonner`, file)).json()
}

export interface Report {
  readonly isStored: boolean
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly wrongCount: number
  /** The first hundred. */
  readonly wrong: readonly { readonly line: number; readonly problems: readonly string[] }[]
  /** A file of the wrong rows; null where there are none. */
  readonly errors: string | null
  readonly run: number | null
}

export interface Asked {
  readonly set: ImportedSet
  readonly file: Blob
  readonly name: string
  /** A field for each column; '' leaves it out. */
  readonly fields: readonly string[]
  readonly isEmptying: boolean
  readonly takes: 'all' | 'good'
  readonly isDryRun: boolean
}

export interface Progress {
  readonly step: 'reading' | 'storing'
  readonly rows: number
}

/** The answer comes line by line: progress, and last the report or what was refused. */
export async function runFile(
  { set, file, name, fields, isEmptying, takes, isDryRun }: Asked,
  onProgress: (progress: Progress) => void,
): Promise<Report> {
  const query = addressOf({
    fields: fields.join(','),
    file: name,
    takes,
    emptying: String(isEmptying),
    dry: String(isDryRun),
  })
  const response = await sendFile(`/app/data/import/${set}/rader${query}`, file)
  for await (const line of linesOf(response)) {
    const told: Told = JSON.parse(line)
    if ('report' in told) return told.report
    if ('refused' in told) throw new Refusal(told.refused.code, 400, told.refused.message, null)
    onProgress(told)
  }
  throw new Refusal('Offline', 0, '', null)
}

type Told =
  | Progress
  | { readonly report: Report }
  | { readonly refused: { readonly code: string; readonly message: string } }

async function* linesOf({ body }: Response): AsyncGenerator<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done = true, value = '' } = (await reader?.read()) ?? {}
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (done) return
  }
}

export interface Undone {
  readonly undone: number
  /** The first hundred. */
  readonly kept: readonly { readonly key: string; readonly why: keyof UndoReasons }[]
  readonly keptCount: number
}

interface UndoReasons {
  readonly changed: string
  readonly gone: string
  readonly used: string
  readonly refused: string
}

export function undoRun(id: number): Promise<Undone> {
  return act<Undone>('POST', '/app/data/import/angre', { run: String(id) })
}

/** What was chosen for a header the last time, so that the same file is mapped once. */
export function rememberedFields(set: ImportedSet): ReadonlyMap<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storedAs(set)) ?? '{}')
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
    return new Map(entries.map(([header, field]) => [header, String(field)]))
  } catch {
    return new Map()
  }
}

export function rememberFields(
  set: ImportedSet,
  headers: readonly string[],
  fields: readonly string[],
): void {
  const known = new Map(rememberedFields(set))
  headers.forEach((header, index) => known.set(header, fields[index] ?? ''))
  const latest = [...known].slice(-300)
  localStorage.setItem(storedAs(set), JSON.stringify(Object.fromEntries(latest)))
}

function storedAs(set: ImportedSet): string {
  return `dagsverk-import-${set}`
}
