// Excel workbooks, written in the browser; the library is loaded on demand.
import { downloadFile } from '../../api/csv.ts'

/** A day is `YYYY-MM-DD`. */
export type WorkbookValue = { readonly day: string } | number | string | null

/** Text is never a formula. */
export async function downloadXlsx(
  name: string,
  headers: readonly string[],
  rows: readonly (readonly WorkbookValue[])[],
): Promise<void> {
  const { default: writeXlsxFile } = await import('write-excel-file/universal')
  const data = [
    headers.map((value) => ({ value, type: String, fontWeight: 'bold' as const })),
    ...rows.map((row) => row.map(toWorkbookCell)),
  ]
  const columns = headers.map(() => ({ width: 16 }))
  downloadFile(name, await writeXlsxFile(data, { columns, stickyRowsCount: 1 }).toBlob())
}

function toWorkbookCell(value: WorkbookValue) {
  if (value === null || value === '') return null
  if (typeof value === 'number') return { value, type: Number, format: '#,##0.00##' }
  if (typeof value === 'string') return { value, type: String }
  return { value: new Date(`${value.day}T00:00:00Z`), type: Date, format: 'dd.mm.yyyy' }
}
