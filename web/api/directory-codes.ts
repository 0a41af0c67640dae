// Projects and departments to choose from.
import type { DirectorySet } from '../../src/app/contract/directory.ts'
import { queryOptions } from '@tanstack/react-query'
import { fetchWithCache } from './local-cache.ts'
import { fetchAllRows, toChoice } from './sets.ts'
import { createWordFilter } from './words.ts'

export type CodeChoices = readonly (readonly [code: string, name: string])[]

/** Also available offline. */
export const projectsAndDepartmentsQuery = queryOptions({
  queryKey: ['set', 'places'],
  queryFn: () =>
    fetchWithCache('places', async () => {
      const [projects, departments] = await Promise.all([fetchChoices('Prosjekt'), fetchChoices('Avdeling')])
      return { projects, departments }
    }),
  staleTime: 300_000,
})

export function directoryCodesQuery(set: DirectorySet) {
  return queryOptions({ queryKey: ['set', 'codes', set], queryFn: () => fetchChoices(set), staleTime: 30_000 })
}

/** Complete: a missing code would be rejected. */
async function fetchChoices(set: DirectorySet): Promise<CodeChoices> {
  const $select = set === 'Ansatt' ? 'Id,Fornavn,Etternavn' : 'Id,Navn'
  const rows = await fetchAllRows(set, { $select, $orderby: 'Id' })
  return rows.map(toChoice)
}

/** Choices whose code or name contains every word. */
export function filterChoices(choices: CodeChoices, typed: string): CodeChoices {
  const isWanted = createWordFilter(typed)
  return choices.filter(([code, name]) => isWanted(`${code} ${name}`))
}

/** The typed code, also with its name before or after it, or the code of the only record with that name; otherwise the text. */
export function resolveCode(choices: CodeChoices, typed: string): string {
  const text = typed.trim()
  const findBy = (write: (code: string, name: string) => string) =>
    choices.find((choice) => write(...choice).toLowerCase() === text.toLowerCase())
  const known =
    choices.find(([code]) => code === text) ??
    findBy((code) => code) ??
    findBy((code, name) => `${code} ${name}`) ??
    findBy((code, name) => `${name} ${code}`)
  const [named, ...others] = findByName(choices, text)
  return known?.[0] ?? (named !== undefined && others.length === 0 ? named[0] : text)
}

/** Choices of this name. */
export function findByName(choices: CodeChoices, text: string): CodeChoices {
  return choices.filter(([, name]) => name.toLowerCase() === text.toLowerCase())
}

/** Without records in the directory any code is accepted. */
export function isKnownCode(choices: CodeChoices, code: string): boolean {
  return code === '' || choices.length === 0 || choices.some(([one]) => one === code)
}
