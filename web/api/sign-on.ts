// Signing in over the identity provider: whether there is one, leaving for it, and what came of it.
import { queryOptions } from '@tanstack/react-query'
import { act, ask } from './client.ts'

/** Its name; null where there is none. */
export const providerQuery = queryOptions({
  queryKey: ['provider'],
  queryFn: async () => (await ask<{ readonly name: string | null }>('/app/sso')).name,
  staleTime: Infinity,
})

/** Goes there; the page ends with that. */
export async function leaveFor(
  path: '/app/sso' | '/app/data/konto/sso',
  fields: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { address } = await act<{ readonly address: string }>('POST', path, fields)
  window.location.assign(address)
}

/** Where the page is, to come back to. */
export function whereWeAre(): string {
  return window.location.pathname + window.location.search
}

const asked = new URLSearchParams(window.location.search)

/** What the server put into the address that it led back to, read before a screen tidies it; null otherwise. */
export const signOnOutcome: string | null = asked.get('sso')
