// Projects and departments to choose from.
import { queryOptions } from '@tanstack/react-query'
import { ask } from '../../api/client.ts'
import { keeping } from '../../api/local-cache.ts'
import { textOf, type Page } from '../../api/sets.ts'

export type Choices = readonly (readonly [code: string, name: string])[]

/** Also available offline. */
export interface Places {
  readonly projects: Choices
  readonly departments: Choices
}

export const placesQuery = queryOptions({
  queryKey: ['set', 'places'],
  queryFn: () =>
    keeping('places', async (): Promise<Places> => {
      const [projects, departments] = await Promise.all([
        choicesOf('Prosjekt'),
        choicesOf('Avdeling'),
      ])
      return { projects, departments }
    }),
  staleTime: 300_000,
})

/** Complete: a missing code would be rejected. */
async function choicesOf(set: 'Prosjekt' | 'Avdeling'): Promise<Choices> {
  const choices: (readonly [string, string])[] = []
  for (;;) {
    const { value } = await ask<Page>(`/app/les/${set}`, {
      $select: 'Id,Navn',
      $orderby: 'Id',
      $skip: choices.length,
    })
    choices.push(...value.map((row) => [textOf(row['Id']), textOf(row['Navn'])] as const))
    if (value.length < pageRows) return choices
  }
}

/** Page size of the server. */
const pageRows = 1000

/** Choices whose code or name contains every word. */
export function fittingPlaces(choices: Choices, typed: string): Choices {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter(([code, name]) => {
    const searched = `${code} ${name}`.toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}

/** The typed code, or the code of the only record with that name; otherwise the text. */
export function codeIn(choices: Choices, typed: string): string {
  const text = typed.trim()
  const byCode =
    choices.find(([code]) => code === text) ??
    choices.find(([code]) => code.toLowerCase() === text.toLowerCase())
  const [named, ...others] = namedLike(choices, text)
  return byCode?.[0] ?? (named !== undefined && others.length === 0 ? named[0] : text)
}

/** Choices of this name. */
export function namedLike(choices: Choices, text: string): Choices {
  return choices.filter(([, name]) => name.toLowerCase() === text.toLowerCase())
}

/** Without records in the directory any code is accepted. */
export function isKnownPlace(choices: Choices, code: string): boolean {
  return code === '' || choices.length === 0 || choices.some(([one]) => one === code)
}
