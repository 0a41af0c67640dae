// The companies of the server, as its operator adds, closes and opens them.
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { act, ask } from '../../api/client.ts'

export interface Company {
  readonly id: number
  readonly name: string
  readonly createdAt: number
  readonly disabledAt: number | null
  readonly people: number
  readonly credentials: number
}

export const companiesQuery = queryOptions({
  queryKey: ['companies'],
  queryFn: () =>
    ask<{ companies: readonly Company[]; sendsMail: boolean }>('/app/data/drift/firmaer'),
  staleTime: 10_000,
})

/** What the server shows in one answer, and keeps nowhere. */
export interface MadeCompany {
  readonly company: string
  /** Null for one that was chosen. */
  readonly password: string | null
  readonly email: string
  /** To pass on; null where a letter has it. */
  readonly link: string | null
}

export type CompanyAct = 'ny' | 'steng' | 'apne'

/** `run` may ask for the password first. */
export function useCompanyAct<Answer = unknown>(
  path: CompanyAct,
  run: <Done>(work: () => Promise<Done>) => Promise<Done>,
  onDone: (answer: Answer) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fields: Readonly<Record<string, string>>) =>
      run(() => act<Answer>('POST', `/app/data/drift/firmaer/${path}`, fields)),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  })
}
