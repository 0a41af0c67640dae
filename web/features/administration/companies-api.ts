// Queries and actions of the operator on companies.
import { useReauthentication } from '../../components/Reauthenticate.tsx'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { request, get } from '../../api/client.ts'

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
    get<{ companies: readonly Company[]; sendsMail: boolean }>('/app/data/drift/firmaer'),
  staleTime: 10_000,
})

/** Shown once; the server does not store it. */
export interface CreatedCompany {
  readonly company: string
  /** Null when the password was chosen in the form. */
  readonly password: string | null
  readonly email: string
  /** To pass on; null when it was sent by e-mail. */
  readonly link: string | null
}

export type CompanyAction = 'ny' | 'steng' | 'apne'

export function useCompanyAction<Reply = unknown>(
  path: CompanyAction,
  onDone: (reply: Reply) => void,
) {
  const client = useQueryClient()
  const { run } = useReauthentication()
  return useMutation({
    mutationFn: (fields: Readonly<Record<string, string>>) =>
      run(() => request<Reply>('POST', `/app/data/drift/firmaer/${path}`, fields)),
    onSuccess: onDone,
    onSettled: () => client.invalidateQueries({ queryKey: companiesQuery.queryKey }),
  })
}
