// Audit anchors: the last entry of every audit log, to be kept outside the database.
import { existsSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { formatTimestamp } from '../lib/timestamp.ts'
import { listCompanies } from '../store/accounts/companies.ts'
import { findLastAuditEntry } from '../store/audit/audit.ts'
import type { Store } from '../store/store.ts'

/** A line of JSON for each company with an audit entry. */
export async function formatAuditAnchors(store: Store): Promise<string> {
  let lines = ''
  for (const { id: companyId, name } of await listCompanies(store)) {
    const last = await findLastAuditEntry(store, { companyId })
    if (last === undefined) continue
    const { id, hash, at } = last
    lines += `${JSON.stringify({ company: name, id, hash, at: formatTimestamp(at) })}\n`
  }
  return lines
}

/**
 * Appends the audit anchors to a file now and every day, unless the file ends with the same ones. The returned function stops
 * this, and resolves when a running append is done.
 */
export function startDailyAnchors(store: Store, file: string, onError: (error: unknown) => void): () => Promise<void> {
  const append = async () => {
    const anchors = await formatAuditAnchors(store)
    // A file that cannot be written is reported before there is an entry.
    if (!existsSync(file)) return appendFile(file, anchors, { mode: 0o600 })
    // Another server or worker may have appended them.
    const present = await readFile(file, 'utf8')
    if (present.endsWith(anchors)) return
    // A crash may have cut the last line.
    const start = present === '' || present.endsWith('\n') ? '' : '\n'
    await appendFile(file, start + anchors, { mode: 0o600 })
  }
  let appending = append().catch(onError)
  const appendNow = () => {
    appending = append().catch(onError)
  }
  const timer = setInterval(appendNow, dayMs)
  return () => {
    clearInterval(timer)
    return appending
  }
}

const dayMs = 24 * 3_600_000
