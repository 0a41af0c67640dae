// Import: columns of a file, dry run and import with progress, history, undo.
import type { ImportedSet, ImportEvent, ImportProgress, ImportRunReport } from '../../../src/app/contract/imports.ts'
import { createOfflineError, RequestError, sendFile, toUrl } from '../../api/client.ts'
import { replyQuery } from '../../api/reply-query.ts'

export const importsQuery = replyQuery(['imports'], 'imports')

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

/** The response streams JSON lines: progress events, then the report or an error. */
export async function runImport(
  { set, file, name, fields, clearsEmptyCells, takes, isDryRun }: ImportRequest,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportRunReport> {
  const url = toUrl('importRows', {
    set,
    fields: fields.join(','),
    file: name,
    takes,
    emptying: String(clearsEmptyCells),
    dry: String(isDryRun),
  })
  const response = await sendFile(url, file)
  for await (const line of readLines(response)) {
    const event: ImportEvent = JSON.parse(line)
    if ('report' in event) return event.report
    if ('error' in event) {
      const { code, message, requestId } = event.error
      throw new RequestError(code, 400, message, requestId)
    }
    onProgress(event)
  }
  throw createOfflineError()
}

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

export function saveRememberedFields(set: ImportedSet, headers: readonly string[], fields: readonly string[]): void {
  const known = new Map(readRememberedFields(set))
  headers.forEach((header, index) => known.set(header, fields[index] ?? ''))
  const latest = [...known].slice(-300)
  localStorage.setItem(storageKey(set), JSON.stringify(Object.fromEntries(latest)))
}

function storageKey(set: ImportedSet): string {
  return `dagsverk-import-${set}`
}
