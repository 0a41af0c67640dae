// How commands print what they found: a table for people, JSON for programs.
import type { World } from '../../server/environment.ts'

type Cell = string | number | boolean | null | readonly string[]

export type Printed = Readonly<Record<string, Cell>>

/** The rows as a table, or as a JSON array. */
export function printRows(
  world: World,
  rows: readonly Printed[],
  { json = false }: JsonFlag,
): void {
  if (json) world.print(`${JSON.stringify(rows, null, 2)}\n`)
  else if (rows.length === 0) world.tell('There are none.\n')
  else world.print(table(rows))
}

/** One thing as lines of names and values, or as a JSON object. */
export function printOne(world: World, one: Printed, { json = false }: JsonFlag): void {
  if (json) world.print(`${JSON.stringify(one, null, 2)}\n`)
  else world.print(aligned(Object.entries(one).map(([name, value]) => [name, inWords(value)])))
}

export interface JsonFlag {
  readonly json?: boolean
}

/** A moment of the database, in microseconds, as text. */
export function moment(microseconds: number | null): string | null {
  return microseconds === null ? null : new Date(microseconds / 1000).toISOString()
}

function table(rows: readonly Printed[]): string {
  const names = Object.keys(rows[0] ?? {})
  return aligned([
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => inWords(row[name] ?? null))),
  ])
}

function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? '').length)),
  )
  return lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

function inWords(value: Cell): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? value.join(' ') : String(value)
}
