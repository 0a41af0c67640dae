// Import: columns of a file, dry run and import with progress, history, undo.
import { queryOptions } from '@tanstack/react-query'
import { request, queryString, get, RequestError, sendFile } from '../../api/client.ts'
import type { ImportedSet } from '../../api/imported-sets.ts'

export interface ImportRunSummary {
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

export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: () =>
    get<{ subjects: readonly ImportedSet[]; runs: readonly ImportRunSummary[] }>(
      '/app/data/import',
    ),
})

export interface ImportField {
  readonly wire: string
  readonly type: 'text' | 'integer' | 'decimal' | 'date' | 'boolean' | 'stamp'
  readonly nb: string
  readonly en: string
}

export interface FileColumns {
  readonly headers: readonly string[]
  /** A field per header, or null. */
  readonly guessed: readonly (string | null)[]
  /** Saved mappings applied to these columns, the last saved first. */
  readonly mappings: readonly SavedMapping[]
  readonly rows: number
  readonly first: readonly { readonly line: number; readonly cells: readonly string[] }[]
  /** At least one field of each group is required. */
  readonly needs: readonly (readonly string[])[]
  readonly fields: readonly ImportField[]
}

export interface SavedMapping {
  readonly name: string
  readonly fields: readonly (string | null)[]
  /** It was saved for exactly these headers. */
  readonly isFitting: boolean
}

export interface MappedColumn {
  readonly header: string
  /** '' ignores the column. */
  readonly field: string
}

/** Replaces a mapping of the same name. */
export function saveMapping(
  set: ImportedSet,
  name: string,
  columns: readonly MappedColumn[],
): Promise<null> {
  return request('POST', `${getMappingPath(set)}${queryString({ name })}`, columns)
}

export function renameMapping(set: ImportedSet, name: string, to: string): Promise<null> {
  return request('POST', `${getMappingPath(set)}/navn`, { name, to })
}

/** Returns the deleted mapping, which may have been saved for other headers. */
export async function deleteMapping(
  set: ImportedSet,
  name: string,
): Promise<readonly MappedColumn[]> {
  return (
    await request<{ columns: readonly MappedColumn[] }>('DELETE', getMappingPath(set), { name })
  ).columns
}

function getMappingPath(set: ImportedSet): string {
  return `/app/data/import/${set}/oppsett`
}

export async function readColumns(set: ImportedSet, file: Blob): Promise<FileColumns> {
  return (await sendFile(`/app/data/import/${set}/kolonner`, file)).json()
}

export interface ImportRunReport {
  readonly isStored: boolean
  readonly inserted: number
  readonly changed: number
  readonly unchanged: number
  readonly wrongCount: number
  /** The first 100. */
  readonly wrong: readonly { readonly line: number; readonly problems: readonly string[] }[]
  /** CSV of the rejected rows; null when there are none. */
  readonly errors: string | null
  readonly run: number | null
}

export interface ImportRequest {
  readonly set: ImportedSet
  readonly file: Blob
  readonly name: string
  /** A field per column; '' ignores it. */
  readonly fields: readonly string[]
  readonly clearsEmptyCells: boolean
  readonly takes: 'all' | 'good'
  readonly isDryRun: boolean
}

export interface ImportProgress {
  readonly step: 'reading' | 'storing'
  readonly rows: number
}

/** The response streams JSON lines: progress events, then the report or an error. */
export async function runImport(
  { set, file, name, fields, clearsEmptyCells, takes, isDryRun }: ImportRequest,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportRunReport> {
  const query = queryString({
    fields: fields.join(','),
    file: name,
    takes,
    emptying: String(clearsEmptyCells),
    dry: String(isDryRun),
  })
  const response = await sendFile(`/app/data/import/${set}/rader${query}`, file)
  for await (const line of readLines(response)) {
    const event: ImportProgressEvent = JSON.parse(line)
    if ('report' in event) return event.report
    if ('refused' in event)
      throw new RequestError(event.refused.code, 400, event.refused.message, null)
    onProgress(event)
  }
  throw new RequestError('Offline', 0, '', null)
}

type ImportProgressEvent =
  | ImportProgress
  | { readonly report: ImportRunReport }
  | { readonly refused: { readonly code: string; readonly message: string } }

async function* readLines({ body }: Response): AsyncGenerator<string> {
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

export interface ImportUndoResult {
  readonly undone: number
  /** The first 100. */
  readonly kept: readonly { readonly key: string; readonly why: keyof UndoReasons }[]
  readonly keptCount: number
}

interface UndoReasons {
  readonly changed: string
  readonly gone: string
  readonly used: string
  readonly refused: string
}

export function undoImport(id: number): Promise<ImportUndoResult> {
  return request<ImportUndoResult>('POST', '/app/data/import/angre', { run: String(id) })
}

/** The last choice per header, so that a file needs to be mapped once. */
export function readRememberedFields(set: ImportedSet): ReadonlyMap<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(set)) ?? '{}')
    const entries = Object.entries(typeof stored === 'object' && stored !== null ? stored : {})
    return new Map(entries.map(([header, field]) => [header, String(field)]))
  } catch {
    return new Map()
  }
}

export function saveRememberedFields(
  set: ImportedSet,
  headers: readonly string[],
  fields: readonly string[],
): void {
  const known = new Map(readRememberedFields(set))
  headers.forEach((header, index) => known.set(header, fields[index] ?? ''))
  const latest = [...known].slice(-300)
  localStorage.setItem(storageKey(set), JSON.stringify(Object.fromEntries(latest)))
}

function storageKey(set: ImportedSet): string {
  return `dagsverk-import-${set}`
}
