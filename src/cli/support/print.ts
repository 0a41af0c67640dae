// Output of commands: tables for people, JSON for programs.
import type { Runtime } from '../../server/environment.ts'

type PrintedCell = string | number | boolean | null | readonly string[]

export type PrintableRow = Readonly<Record<string, PrintedCell>>

/** Prints the rows as a table, or as a JSON array. */
export function printRows(runtime: Runtime, rows: readonly PrintableRow[], { json = false }: JsonFlag): void {
  if (json) runtime.print(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) runtime.printMessage('No results.\n')
  else runtime.print(formatTable(rows))
}

/** Prints one record as lines of names and values, or as a JSON object. */
export function printOne(runtime: Runtime, one: PrintableRow, { json = false }: JsonFlag): void {
  if (json) runtime.print(`${JSON.stringify(one, null, 2)}\n`)
  else runtime.print(alignColumns(Object.entries(one).map(([name, value]) => [name, formatCell(value)])))
}

export interface JsonFlag {
  readonly json?: boolean
}

/** Formats a time in microseconds as ISO 8601. */
export function formatTimestamp(microseconds: number | null): string | null {
  return microseconds === null ? null : new Date(microseconds / 1000).toISOString()
}

function formatTable(rows: readonly PrintableRow[]): string {
  const names = Object.keys(rows[0] ?? {})
  return alignColumns([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => formatCell(row[name] ?? null))),
  ])
}

function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)))
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

function formatCell(value: PrintedCell): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? value.join(' ') : String(value)
}
