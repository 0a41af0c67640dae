// The files of the repository as text, for the tests that keep house.
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

export const root = join(import.meta.dirname, '../..')

/** Paths from the root, of what belongs to the project: nothing installed, built or brought up by a run. */
export function filesUnder(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !notOurs.test(path))
    .sort()
}

export function textOf(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The cells of every table row under a heading of a page, up to the next heading. */
export function tableUnder(page: string, heading: string): string[][] {
  const [, section = ''] = textOf(page).split(new RegExp(`^#+ ${heading}$`, 'm'))
  const [own = ''] = section.split(/^#/m)
  return rowsOf(own)
}

/** The cells of every table row in a text, without headings and rules. */
export function rowsOf(text: string): string[][] {
  return [...text.matchAll(/^\|(?<cells>.+)\|$/gm)]
    .map(({ groups }) => (groups?.cells ?? '').split('|').map((cell) => cell.trim()))
    .filter((_, index, rows) => !isRule(rows[index]) && !isRule(rows[index + 1]))
}

function isRule(cells: string[] | undefined): boolean {
  return cells?.every((cell) => /^:?-+:?$/.test(cell)) === true
}

/** What stands in backticks. */
export function ticked(text: string): string[] {
  return [...text.matchAll(/`(?<ticked>[^`]+)`/g)].map(({ groups }) => groups?.ticked ?? '')
}

const notOurs = /(^|\/)(node_modules|\.git|\.tools|dist|data|coverage|results)(\/|$)/
