// CSV for Norwegian spreadsheets: semicolons, decimal commas, and no formula injection.

/** A number is written with all its decimals, a text as it is. */
export type CsvCell = string | number

export function downloadCsv(name: string, rows: readonly (readonly CsvCell[])[]): void {
  const text = rows.map((row) => row.map(formatCsvCell).join(';')).join('\r\n')
  downloadFile(name, new Blob(['\uFEFF', text], { type: 'text/csv' }))
}

export function downloadFile(name: string, file: Blob): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}

/** Text that starts like a formula is quoted, so that no spreadsheet evaluates it. */
export function formatCsvCell(value: CsvCell): string {
  if (typeof value === 'number') return String(value).replace('.', ',')
  const harmless = /^[\s\uFF1D\uFF0B\uFF0D\uFF20=+\-@]/.test(value) ? `'${value}` : value
  return /[";\r\n]/.test(harmless) || harmless !== value ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
