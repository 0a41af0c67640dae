// Output of commands: tables for people, JSON for programs.
import type { World } from '../../server/environment.ts'

type Cell = string | number | boolean | null | readonly string[]

export type Printed = Readonly<Record<string, Cell>>

/** Prints the rows as a table, or as a JSON array. */
export function printRows(
  world: World,
  rows: readonly Printed[],
  { json = false }: JsonFlag,
): void {
  if (json) world.print(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) world.tell('No results.\n')
  else world.print(formatTable(rows))
}

/** Prints one record as lines of names and values, or as a JSON object. */
export function printOne(world: World, one: Printed, { json = false }: JsonFlag): void {
  if (json) world.print(`${JSON.stringify(one, null, 2)}\n`)
  else
    world.print(alignColumns(Object.entries(one).map(([name, value]) => [name, formatCell(value)])))
}

export interface JsonFlag {
  readonly json?: boolean
}

/** Formats a time in microseconds as ISO 8601. */
export function moment(microseconds: number | null): string | null {
  return microseconds === null ? null : new Date(microseconds / 1000).toISOString()
}

function formatTable(rows: readonly Printed[]): string {
  const names = Object.keys(rows[0] ?? {})
  return alignColumns([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => formatCell(row[name] ?? null))),
  ])
}

function alignColumns(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

function formatCell(value: Cell): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? value.join(' ') : String(value)
}
